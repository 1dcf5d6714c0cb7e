use nodecast::prelude::*;

#[prompt]
struct PlanDinner {
    guests: u32,
    #[argument(name = "guests")]
    people: u32,
}

fn main() {}
