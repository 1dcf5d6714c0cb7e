use nodecast::prelude::*;

#[resource(uri = "menu/today")]
struct Menu;

fn main() {}
