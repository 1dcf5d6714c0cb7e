use nodecast::prelude::*;

#[nodeset(exclusive, nodes(Acquire))]
#[derive(Default)]
struct Camera;

#[node]
struct Acquire;

impl Node<Camera> for Acquire {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Camera, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
