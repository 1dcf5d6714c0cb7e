use nodecast::prelude::*;

#[derive(Debug, thiserror::Error, NodeError)]
#[node_error(retryable)]
enum GreetError {
    #[error("nobody is there")]
    Nobody,
}

fn main() {}
