use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting(String);

fn main() {}
