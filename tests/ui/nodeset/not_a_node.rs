use nodecast::prelude::*;

#[nodeset(nodes(Hello, Other))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

struct Other;

impl Node<Greeter> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
