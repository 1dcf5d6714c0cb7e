use nodecast::prelude::*;

#[nodeset(name = "a_nodeset_with_a_name_that_is_long", nodes(AlsoANodeWithAVeryLongName))]
#[derive(Default)]
struct Greeter;

#[node]
struct AlsoANodeWithAVeryLongName;

impl Node<Greeter> for AlsoANodeWithAVeryLongName {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
