use nodecast_live::prelude::*;

#[derive(Clone, Debug, PartialEq)]
enum Rule {
    None,
}

#[derive(Expose)]
struct CartView {
    rule: Memo<Rule>,
}

fn main() {}
