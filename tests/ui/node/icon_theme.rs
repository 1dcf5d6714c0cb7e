use nodecast::prelude::*;

#[node(icons(icon(src = "https://example.com/pot.png", theme = "drak")))]
struct Cook;

fn main() {}
