use nodecast::prelude::*;

/// Plans a dinner.
#[prompt(title = "Plan a dinner", meta("com.example/kind" = "planning", "com.example/level" = -1.5))]
struct PlanDinner {
    /// How many come.
    guests: u32,
    #[cfg(feature = "allergies")]
    without: Option<Vec<String>>,
}
