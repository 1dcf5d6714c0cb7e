use nodecast::prelude::*;

#[nodeset(prompts(PlanDinner))]
#[derive(Default)]
struct Kitchen;

#[prompt]
struct PlanDinner;

fn main() {}
