use nodecast::prelude::*;

#[prompt]
struct PlanDinner {
    #[argument(title = "Guests", default = 2)]
    guests: u32,
}

fn main() {}
