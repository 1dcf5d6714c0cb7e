use nodecast::prelude::*;

#[derive(Container)]
struct Memory(LastWrite<String>);

fn main() {}
