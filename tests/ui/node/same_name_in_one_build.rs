use nodecast::prelude::*;

#[node]
struct Probe {
    #[cfg(all())]
    depth: f32,
    #[cfg(not(any()))]
    #[port(name = "depth")]
    deep: f64,
}

fn main() {}
