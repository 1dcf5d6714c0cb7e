use nodecast::prelude::*;

#[nodeset(nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

impl Node<Greeter> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<u32, Error> {
        Ok(1)
    }
}

fn main() {}
