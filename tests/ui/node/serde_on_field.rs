use nodecast::prelude::*;

#[node]
struct Greet {
    #[serde(rename = "name")]
    who: String,
}

fn main() {}
