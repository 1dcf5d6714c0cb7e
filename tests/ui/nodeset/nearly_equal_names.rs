use nodecast::prelude::*;

#[nodeset(nodes(SayHello, Hi))]
#[derive(Default)]
struct Greeter;

#[node]
struct SayHello;

#[node(name = "say-hello")]
struct Hi;

impl Node<Greeter> for SayHello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

impl Node<Greeter> for Hi {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
