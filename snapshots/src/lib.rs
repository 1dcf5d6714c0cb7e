//! The reviewed projections of the fixtures: one folder a projection, one file a nodeset (`vision.snap`) or a node
//! (`vision__segment.snap`). Holds no code; `tests/tests/projections.rs` compares.
