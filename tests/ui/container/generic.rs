use nodecast::prelude::*;

#[derive(Container)]
struct Memory<T> {
    mood: LastWrite<T>,
}

fn main() {}
