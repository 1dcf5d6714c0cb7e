use nodecast::prelude::*;

#[node(read_olny)]
struct Crop {
    #[config(slider(min = 0, max = 9), default = 12)]
    margin: u32,
    content: Vec<u8>,
}

#[nodeset(nodes(Crop))]
#[derive(Default)]
struct Pictures;

impl Node<Pictures> for Crop {
    type Output = u32;
    type Error = Error;

    async fn run(self, _: &Pictures, _: &Context) -> Result<u32, Error> {
        Ok(self.margin)
    }
}

fn main() {}
