use nodecast_live::prelude::*;

#[derive(Message)]
enum CartMsg {
    AddItem { sku: String },
    #[message(rename = "add_item")]
    PutItem { sku: String },
}

fn main() {}
