use nodecast::prelude::*;

#[nodeset(nodes(Hello, Learn))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

#[node]
struct Learn;

impl Node<Greeter> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

impl NodeMut<Greeter> for Learn {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &mut Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
