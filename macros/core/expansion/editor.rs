use nodecast::prelude::*;

#[node]
struct Train {
    /// Longer runs cost more.
    #[config(label, section = "model")]
    hint: (),
    #[config(number, persist, on_card = false, unset_label = "as many as it takes")]
    steps: Option<u32>,
}

#[node]
struct About {
    #[config(label, label = "Nothing to set")]
    only: (),
}

#[derive(Outputs)]
struct Trained {
    #[display(image_viewer)]
    curve: Image,
    #[port(title = "Log")]
    #[display(log_list, label = "Steps", max_visible = 100, accumulate)]
    log: Vec<String>,
    #[display(metric_table)]
    scores: std::collections::BTreeMap<String, f64>,
}
