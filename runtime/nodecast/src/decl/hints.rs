//! What a node promises about its effects, as MCP's `ToolAnnotations` know them.

/// Declared hints; `None` is "not said", which no face turns into a guess.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// Changes nothing.
    pub read_only: Option<bool>,
    /// May destroy what was there.
    pub destructive: Option<bool>,
    /// Calling twice with the same arguments has no further effect.
    pub idempotent: Option<bool>,
    /// Reaches beyond the process.
    pub open_world: Option<bool>,
}

impl Hints {
    /// Nothing declared.
    pub const NONE: Self = Self { read_only: None, destructive: None, idempotent: None, open_world: None };

    /// The declared ones by name, in the order of the manifest.
    pub fn declared(self) -> impl Iterator<Item = (&'static str, bool)> {
        [
            ("read_only", self.read_only),
            ("destructive", self.destructive),
            ("idempotent", self.idempotent),
            ("open_world", self.open_world),
        ]
        .into_iter()
        .filter_map(|(name, hint)| hint.map(|hint| (name, hint)))
    }
}
