use nodecast::prelude::*;

#[node]
struct Probe
where
    String: Clone,
{
    text: String,
}

fn main() {}
