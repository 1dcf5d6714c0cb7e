use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg<T> {
    AddItem { item: T },
}

fn main() {}
