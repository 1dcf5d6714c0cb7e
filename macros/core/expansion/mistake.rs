use nodecast::prelude::*;

/// The item stays, an empty table stands in for the declared one.
#[node(read_olny)]
pub struct Blur {
    image: Image,
    #[config(default = 1)]
    radius: u32,
}
