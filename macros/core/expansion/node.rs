use nodecast::prelude::*;

/// Finds every object in a picture.
///
/// Works on colour and on grey.
#[node(read_only, idempotent = false, title = "Segment")]
pub struct SegmentAuto {
    /// Picture to cut up.
    image: Image,
    #[port(name = "kind", title = "Kind of object", wire = "TEXT")]
    r#type: Option<String>,
    /// Smallest share of the picture that counts as an object.
    #[config(slider(min = 0.0, max = 1.0, step = 0.01), default = 0.02, section = "model")]
    min_area: f32,
    #[config(select("box", "gauss" = "Gaussian"), default = "box", label = "Kernel")]
    kernel: String,
    #[config(default = -3)]
    shift: i32,
    #[config(textarea, placeholder = "What to look for")]
    prompt: Option<String>,
    places: std::collections::BTreeMap<String, Vec<[f32; 2]>>,
}

/// The time.
#[node(crate = "vendored::nodecast", name = "now")]
pub struct CurrentTime;
