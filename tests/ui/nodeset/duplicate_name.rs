use nodecast::prelude::*;

#[nodeset(nodes(Hello, Hi))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

#[node(name = "hello")]
struct Hi;

impl Node<Greeter> for Hello {
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
