use nodecast::prelude::*;

#[nodeset(resources(Menu))]
#[derive(Default)]
struct Kitchen;

#[resource(uri = "kitchen://menu")]
struct Menu;

fn main() {}
