use nodecast::prelude::*;

#[nodeset(as_string, show_errors, nodes(Track))]
struct Tracker;

#[node]
struct Track {
    #[port(as_string, header = "Object")]
    object: u128,
    #[port(nan = "null")]
    path: Vec<[f64; 2]>,
    #[config(default = 1, as_string, header = "Region")]
    region: u64,
    #[deprecated = "always 1"]
    scale: f32,
}

#[derive(Outputs)]
struct Tracked {
    #[port(as_string, nan = "null")]
    seen: Vec<(i64, f32)>,
    #[deprecated]
    lost: bool,
}
