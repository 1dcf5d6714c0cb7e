use nodecast::prelude::*;

/// What a node says of itself beyond its arguments.
#[node(unstable, raw_schema = "probe.schema.json", batched(max = 64, wait_ms = 5))]
#[deprecated(since = "0.4.0", note = "use `Sense`")]
struct Probe {
    depth: f32,
}

#[node(batched(wait_ms = 0))]
struct Sense;
