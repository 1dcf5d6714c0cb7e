use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[display(label = "Log")]
    log: Vec<String>,
}

fn main() {}
