use nodecast::prelude::*;

#[derive(Outputs)]
struct Greeting {
    #[display(log_list, max_visible = 0)]
    log: Vec<String>,
}

fn main() {}
