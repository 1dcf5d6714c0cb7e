use nodecast::prelude::*;

#[nodeset(exclusive, name = "a_nodeset_whose_name_leaves_too_little_room_for_its_tools")]
#[derive(Default)]
struct Greeter;

fn main() {}
