use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg {
    #[message(skip, rename = "tick")]
    Tick,
}

fn main() {}
