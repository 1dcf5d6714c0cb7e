//! The list of MCP tools that a profile makes of a catalog (`mcp.md` 1 and 2).

use serde_json::{Map, Value as Json, json};

use crate::catalog::{Catalog, Entry};
use crate::decl::Hints;
use crate::schema;

/// What a client can take (`DESIGN.md` 7). Whatever a profile leaves out, the full contract is what is enforced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// References put in place, nulls of optional properties left out.
    #[default]
    Inline,
}

impl Profile {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Inline];

    /// Its name on the command line and in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Inline => "inline",
        }
    }
}

/// One tool as a client sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tool {
    /// Full name.
    pub name: String,
    /// Title for people.
    pub title: Option<String>,
    /// Doc comment of the node; empty for none.
    pub description: String,
    /// JSON Schema of the arguments: an object.
    pub input_schema: Map<String, Json>,
    /// JSON Schema of `structuredContent`; none where an output is an image, since SDKs refuse a result that has a
    /// schema and no structured content.
    pub output_schema: Option<Map<String, Json>>,
    /// Declared hints, `None` when there are none.
    pub annotations: Option<Annotations>,
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

/// The tools of a catalog, in listed order.
pub fn tools(catalog: &Catalog, profile: Profile) -> Vec<Tool> {
    catalog.entries.iter().map(|entry| tool(entry, profile)).collect()
}

fn tool(entry: &Entry, Profile::Inline: Profile) -> Tool {
    let shows_images = entry.outputs.iter().any(|port| matches!(&*port.wire_type, "IMAGE" | "LIST[IMAGE]"));
    Tool {
        name: entry.full_name.to_string(),
        title: entry.title.as_ref().map(ToString::to_string),
        description: entry.doc.to_string(),
        input_schema: object(text_form(&schema::inline(&entry.input_schema))),
        output_schema: (!shows_images).then(|| object(stubs(&schema::inline(&entry.output_schema)))),
        annotations: annotations(entry.hints),
    }
}

fn annotations(hints: Hints) -> Option<Annotations> {
    let Hints { read_only, destructive, idempotent, open_world } = hints;
    (hints != Hints::NONE).then_some(Annotations { read_only, destructive, idempotent, open_world })
}

impl Tool {
    /// The element of a `tools/list` result.
    pub fn to_json(&self) -> Json {
        let mut tool = Map::new();
        tool.insert("name".into(), self.name.as_str().into());
        if let Some(title) = &self.title {
            tool.insert("title".into(), title.as_str().into());
        }
        if !self.description.is_empty() {
            tool.insert("description".into(), self.description.as_str().into());
        }
        tool.insert("inputSchema".into(), Json::Object(self.input_schema.clone()));
        if let Some(schema) = &self.output_schema {
            tool.insert("outputSchema".into(), Json::Object(schema.clone()));
        }
        if let Some(annotations) = self.annotations {
            tool.insert("annotations".into(), annotations.to_json());
        }
        Json::Object(tool)
    }
}

impl Annotations {
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

fn object(schema: Json) -> Map<String, Json> {
    match schema {
        Json::Object(members) => members,
        _ => Map::new(),
    }
}

/// An image as an argument is a base64 string here; its marker form is for graph frameworks, and costs tokens.
fn text_form(schema: &Json) -> Json {
    rewrite(schema, &|members| {
        let branches = members.get("anyOf")?.as_array()?;
        let picture = branches.iter().find(|branch| branch.get("contentMediaType").is_some())?.as_object()?;
        let mut form = picture.clone();
        for (key, member) in members.iter().filter(|(key, _)| *key != "anyOf") {
            form.insert(key.clone(), member.clone());
        }
        Some(form)
    })
}

/// An array in a result is a stub that says what it is (`mcp.md` 3).
fn stubs(schema: &Json) -> Json {
    rewrite(schema, &|members| {
        let marker = members.get("properties")?.as_object()?;
        marker.get("__ndarray__")?;
        let mut stub = members.clone();
        let mut properties = marker.clone();
        properties.insert("__ndarray__".into(), json!({"type": "string", "const": "<omitted>"}));
        stub.insert("properties".into(), Json::Object(properties));
        stub.shift_remove("additionalProperties");
        Some(stub)
    })
}

type Rule<'a> = &'a dyn Fn(&Map<String, Json>) -> Option<Map<String, Json>>;

/// A copy in which every object that the rule knows is put as the rule says.
fn rewrite(schema: &Json, rule: Rule<'_>) -> Json {
    match schema {
        Json::Object(members) => {
            let replaced = rule(members);
            let members = replaced.as_ref().unwrap_or(members);
            let rewritten = members.iter().map(|(key, member)| match key.as_str() {
                "default" | "const" | "enum" | "examples" => (key.clone(), member.clone()),
                _ => (key.clone(), rewrite(member, rule)),
            });
            Json::Object(rewritten.collect())
        }
        Json::Array(items) => items.iter().map(|item| rewrite(item, rule)).collect(),
        other => other.clone(),
    }
}
