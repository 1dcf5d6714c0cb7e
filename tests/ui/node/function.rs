use nodecast::prelude::*;

#[node]
async fn greet(who: String) -> String {
    who
}

fn main() {}
