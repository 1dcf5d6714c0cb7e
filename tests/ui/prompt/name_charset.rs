use nodecast::prelude::*;

#[prompt(name = "plan dinner")]
struct PlanDinner;

fn main() {}
