use nodecast::prelude::*;

#[nodeset(nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[nodeset(nodes(Hello))]
#[derive(Default)]
struct Waver;

#[node]
struct Hello;

impl Node<Waver> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Waver, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
