use nodecast::prelude::*;

#[node(icons(icon(src = "https://example.com/pot.png", size = "48")))]
struct Cook;

fn main() {}
