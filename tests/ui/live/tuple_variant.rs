use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg {
    AddItem(String, u32),
}

fn main() {}
