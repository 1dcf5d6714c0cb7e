use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg {
    #[message(rename = "add item")]
    AddItem { sku: String },
}

fn main() {}
