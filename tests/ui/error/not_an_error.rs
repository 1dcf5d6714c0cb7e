use nodecast::prelude::*;

#[derive(Debug, NodeError)]
enum CropError {
    TooWide,
}

fn main() {}
