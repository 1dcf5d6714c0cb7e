use nodecast::prelude::*;

#[derive(Container)]
struct Memory {
    #[state(value_type = "POINT_CLOUD")]
    cloud: LastWrite<Tensor>,
}

fn main() {}
