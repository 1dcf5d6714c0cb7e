use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(name = "de\u{200b}pth")]
    depth: f32,
}

fn main() {}
