use nodecast::prelude::*;

#[prompt]
struct PlanDinner {
    #[config(default = 2)]
    guests: u32,
}

fn main() {}
