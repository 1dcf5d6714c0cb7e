use nodecast::prelude::*;

/// Finds objects in single pictures.
#[nodeset(
    name = "model_sam",
    prefix = "",
    title = "Segment Anything",
    instructions = "Send one picture a call.",
    parallelism = "replicated",
    exclusive = false,
    nodes(SegmentAuto, points::SegmentPoints)
)]
pub struct Sam {
    weights: Weights,
}

#[nodeset]
#[derive(Default)]
struct Empty;

#[nodeset(exclusive = "all", modern = "reject")]
#[derive(Default)]
struct Held;

#[nodeset(sessions = "kept")]
#[derive(Default)]
struct Kept;
