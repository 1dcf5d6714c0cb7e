use nodecast::prelude::*;

#[nodeset(prompts(PlanDinner, Plan))]
#[derive(Default)]
struct Kitchen;

#[prompt]
struct PlanDinner;

#[prompt(name = "plan_dinner")]
struct Plan;

impl Prompt<Kitchen> for PlanDinner {
    type Error = Error;

    async fn get(self, _: &Kitchen, _: &Context) -> Result<Messages, Error> {
        Ok(Messages::new())
    }
}

impl Prompt<Kitchen> for Plan {
    type Error = Error;

    async fn get(self, _: &Kitchen, _: &Context) -> Result<Messages, Error> {
        Ok(Messages::new())
    }
}

fn main() {}
