use nodecast::prelude::*;

#[nodeset(prefix = "my.greeter")]
#[derive(Default)]
struct Greeter;

fn main() {}
