use nodecast::prelude::*;

#[prompt(titel = "Plan a dinner")]
struct PlanDinner;

fn main() {}
