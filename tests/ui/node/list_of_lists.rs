use nodecast::prelude::*;

#[node]
struct Probe {
    #[port(wire = "LIST[LIST[TEXT]]")]
    rows: Vec<Vec<String>>,
}

fn main() {}
