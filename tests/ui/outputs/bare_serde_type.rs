use nodecast::prelude::*;

#[nodeset(nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Greeting {
    text: String,
}

impl Node<Greeter> for Hello {
    type Output = Greeting;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<Greeting, Error> {
        Ok(Greeting { text: String::new() })
    }
}

fn main() {}
