use nodecast::prelude::*;

#[nodeset(name = "a_kitchen_with_a_name_that_is_long", prompts(Plan))]
#[derive(Default)]
struct Kitchen;

#[prompt(name = "also_a_prompt_with_a_very_long_name")]
struct Plan;

impl Prompt<Kitchen> for Plan {
    type Error = Error;

    async fn get(self, _: &Kitchen, _: &Context) -> Result<Messages, Error> {
        Ok(Messages::new())
    }
}

fn main() {}
