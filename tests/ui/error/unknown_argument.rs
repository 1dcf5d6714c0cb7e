use nodecast::prelude::*;

#[derive(Debug, thiserror::Error, NodeError)]
enum CropError {
    #[error("too wide")]
    #[node_error(retriable)]
    TooWide,
}

fn main() {}
