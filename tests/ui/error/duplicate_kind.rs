use nodecast::prelude::*;

#[derive(Debug, thiserror::Error, NodeError)]
enum CropError {
    #[error("too wide")]
    TooWide,
    #[error("too high")]
    #[node_error(name = "too_wide")]
    TooHigh,
}

fn main() {}
