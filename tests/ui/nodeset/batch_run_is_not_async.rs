use nodecast::prelude::*;

#[nodeset(nodes(Hello))]
#[derive(Default)]
struct Greeter;

#[node]
struct Hello;

impl BatchNode<Greeter> for Hello {
    type Output = u32;
    type Error = Error;

    fn run(batch: Vec<Self>, _: &Greeter, _: &Context) -> Vec<Result<u32, Error>> {
        batch.iter().map(|_| Ok(1)).collect()
    }
}

fn main() {}
