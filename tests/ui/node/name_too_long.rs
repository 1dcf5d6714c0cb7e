use nodecast::prelude::*;

#[node(name = "a_name_that_goes_on_and_on_a_name_that_goes_on_and_on_a_name_that_goes_on_and_on_")]
struct Probe;

fn main() {}
