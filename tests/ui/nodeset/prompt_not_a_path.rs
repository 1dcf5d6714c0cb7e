use nodecast::prelude::*;

#[nodeset(prompts("PlanDinner"))]
#[derive(Default)]
struct Kitchen;

fn main() {}
