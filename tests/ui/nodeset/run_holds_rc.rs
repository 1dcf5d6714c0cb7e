use nodecast::prelude::*;

#[nodeset(nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

impl Node<Greeter> for Hello {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Greeter, _: &Context) -> Result<String, Error> {
        let name = std::rc::Rc::new(String::new());
        std::future::ready(()).await;
        Ok(name.to_string())
    }
}

fn main() {}
