use nodecast::prelude::*;

#[derive(Debug, thiserror::Error, NodeError)]
#[error("{0:?}")]
struct GreetError<T: std::fmt::Debug>(T);

fn main() {}
