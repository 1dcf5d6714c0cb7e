use nodecast::prelude::*;

#[node]
struct Probe {
    #[cfg_attr(unix, cfg(windows))]
    depth: f32,
}

fn main() {}
