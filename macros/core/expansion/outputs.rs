use nodecast::prelude::*;

#[derive(Debug, Outputs)]
pub struct Segments {
    /// The picture with the objects drawn in.
    overlay: Image,
    #[doc = include_str!("objects.md")]
    #[port(title = "Objects")]
    objects: Vec<Object>,
}

#[derive(Outputs)]
struct Nothing {}
