use nodecast::prelude::*;

#[node(icons(icon(theme = "dark")))]
struct Cook;

fn main() {}
