use nodecast::prelude::*;

#[node(raw_schema = "raw_schema_no_object.json")]
struct Probe;

fn main() {}
