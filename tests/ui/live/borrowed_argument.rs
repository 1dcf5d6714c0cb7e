use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg<'a> {
    AddItem { sku: &'a str },
}

fn main() {}
