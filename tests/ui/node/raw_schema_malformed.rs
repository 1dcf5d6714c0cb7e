use nodecast::prelude::*;

#[node(raw_schema = "raw_schema_malformed.json")]
struct Probe;

fn main() {}
