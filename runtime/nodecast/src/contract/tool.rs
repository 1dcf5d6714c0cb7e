//! One tool as a client sees it.

use serde_json::{Map, Value as Json};

use crate::decl::Hints;

/// One tool.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Full name.
    pub name: String,
    /// Title for people.
    pub title: Option<String>,
    /// What it does.
    pub description: Option<String>,
    /// JSON Schema of the arguments: an object.
    pub input_schema: Map<String, Json>,
    /// JSON Schema of `structuredContent`; none where a result may come without it.
    pub output_schema: Option<Map<String, Json>>,
    /// Declared hints, `None` when there are none.
    pub annotations: Option<Annotations>,
    /// Pictures beside the name; empty for none.
    pub icons: Vec<Json>,
    /// `_meta`; empty for none.
    pub meta: Map<String, Json>,
}

/// The hints under MCP's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Annotations {
    /// `readOnlyHint`.
    pub read_only: Option<bool>,
    /// `destructiveHint`.
    pub destructive: Option<bool>,
    /// `idempotentHint`.
    pub idempotent: Option<bool>,
    /// `openWorldHint`.
    pub open_world: Option<bool>,
}

impl Tool {
    /// The element of a `tools/list` result.
    pub fn to_json(&self) -> Json {
        let Self { name, title, description, input_schema, output_schema, annotations, icons, meta } = self;
        let mut tool = Map::new();
        tool.insert("name".to_owned(), name.as_str().into());
        if let Some(title) = title {
            tool.insert("title".to_owned(), title.as_str().into());
        }
        if let Some(description) = description {
            tool.insert("description".to_owned(), description.as_str().into());
        }
        tool.insert("inputSchema".to_owned(), Json::Object(input_schema.clone()));
        if let Some(schema) = output_schema {
            tool.insert("outputSchema".to_owned(), Json::Object(schema.clone()));
        }
        if let Some(annotations) = annotations {
            tool.insert("annotations".to_owned(), annotations.to_json());
        }
        if !icons.is_empty() {
            tool.insert("icons".to_owned(), icons.clone().into());
        }
        if !meta.is_empty() {
            tool.insert("_meta".to_owned(), Json::Object(meta.clone()));
        }
        Json::Object(tool)
    }
}

impl Annotations {
    /// The declared hints; nothing is guessed.
    pub(super) fn of(hints: Hints) -> Option<Self> {
        let Hints { read_only, destructive, idempotent, open_world } = hints;
        (hints != Hints::NONE).then_some(Self { read_only, destructive, idempotent, open_world })
    }

    fn to_json(self) -> Json {
        let hints = [
            ("readOnlyHint", self.read_only),
            ("destructiveHint", self.destructive),
            ("idempotentHint", self.idempotent),
            ("openWorldHint", self.open_world),
        ];
        hints
            .into_iter()
            .filter_map(|(name, hint)| Some((name.to_owned(), Json::from(hint?))))
            .collect::<Map<_, _>>()
            .into()
    }
}
