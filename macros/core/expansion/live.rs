use nodecast_live::prelude::*;

/// What a client may ask of the cart.
#[derive(Message)]
pub enum CartMsg {
    /// Puts an article into the cart.
    AddItem {
        /// Which article.
        sku: String,
        #[config(default = 1)]
        quantity: u32,
    },
    #[message(rename = "empty")]
    Clear,
    #[message(skip)]
    Tick,
}

#[derive(Expose)]
pub struct CartView {
    total: Memo<u64>,
    #[expose(node, rename = "rule.now")]
    rule: Memo<Rule>,
    #[expose(skip)]
    items: Vec<Item>,
}
