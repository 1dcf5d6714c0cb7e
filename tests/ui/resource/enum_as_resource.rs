use nodecast::prelude::*;

#[resource(uri = "kitchen://menu")]
enum Menu {
    Lunch,
}

fn main() {}
