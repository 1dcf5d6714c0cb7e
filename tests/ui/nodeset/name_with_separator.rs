use nodecast::prelude::*;

#[nodeset(name = "my__greeter")]
#[derive(Default)]
struct Greeter;

fn main() {}
