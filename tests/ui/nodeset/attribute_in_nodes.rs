use nodecast::prelude::*;

#[nodeset(nodes(#[allow(deprecated)] Hello))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

impl Node<Greeter> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
