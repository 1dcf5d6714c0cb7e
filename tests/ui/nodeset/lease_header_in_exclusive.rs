use nodecast::prelude::*;

#[nodeset(exclusive, nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello {
    #[port(header = "lease")]
    who: String,
}

impl Node<Greeter> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
