use nodecast::prelude::*;

#[nodeset(panel_tools = true)]
#[derive(Default)]
struct Robot;

fn main() {}
