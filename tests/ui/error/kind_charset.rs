use nodecast::prelude::*;

#[derive(Debug, thiserror::Error, NodeError)]
enum GreetError {
    #[error("nobody is there")]
    #[node_error(name = "no one")]
    Nobody,
}

fn main() {}
