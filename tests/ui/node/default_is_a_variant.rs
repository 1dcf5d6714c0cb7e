use nodecast::prelude::*;

#[node]
struct Blur {
    #[config(select, default = Mode::Fast)]
    mode: Mode,
}

#[derive(serde::Deserialize, schemars::JsonSchema)]
enum Mode {
    Fast,
}

fn main() {}
