use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg {
    AddPicture { png: Vec<u8> },
}

fn main() {}
