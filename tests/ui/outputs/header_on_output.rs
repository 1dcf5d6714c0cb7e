use nodecast::prelude::*;

#[derive(Outputs)]
struct Found {
    #[port(header = "Track")]
    track: u32,
}

fn main() {}
