use nodecast::prelude::*;

#[nodeset(exclusive, nodes(Frame))]
#[derive(Default)]
struct Camera;

#[node]
struct Frame {
    lease: String,
}

impl Node<Camera> for Frame {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Camera, _: &Context) -> Result<String, Error> {
        Ok(String::new())
    }
}

fn main() {}
