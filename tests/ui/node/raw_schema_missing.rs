use nodecast::prelude::*;

#[node(raw_schema = "nowhere.schema.json")]
struct Probe;

fn main() {}
