use nodecast::prelude::*;

#[node]
struct Probe {
    #[cfg_attr(unix, port(name = "deep"))]
    depth: f32,
}

fn main() {}
