//! What the runtime itself adds to the tools of a nodeset that one client holds: the lease is taken by one tool, shown to
//! all others and given back by a second one (`mcp.md` 4). The list is the same in both protocol eras.

use serde_json::{Map, Value as Json, json};

use super::{Annotations, Loss, Profile, Tool};
use crate::catalog::{Catalog, LeaseNames};

/// The argument that carries the lease; it never reaches a node.
pub const LEASE: &str = "lease";
/// What `acquire` says of the idle limit.
pub const IDLE_TIMEOUT_S: &str = "idle_timeout_s";
/// What `release` answers.
pub const RELEASED: &str = "released";

/// The tools that take and give back the lease, where a profile lists them: not where the newer era, which alone needs
/// them, is not served, and not where an argument could not be left out.
pub fn lease_tools(catalog: &Catalog, profile: Profile) -> Option<LeaseNames> {
    let is_listed = !catalog.modern_rejected && !matches!(profile, Profile::Strict | Profile::Reference);
    catalog.lease_names().filter(|_| is_listed)
}

/// Both tools, in the profile `inline`.
pub(super) fn own(catalog: &Catalog, names: &LeaseNames) -> [Tool; 2] {
    [acquire(catalog, names), release(names)]
}

/// The list with `own` first, and the argument in every other one.
pub(super) fn added(names: &LeaseNames, own: Vec<Tool>, mut tools: Vec<Tool>) -> Vec<Tool> {
    for tool in &mut tools {
        let properties = tool.input_schema.entry("properties").or_insert_with(|| Json::Object(Map::new()));
        if let Some(properties) = properties.as_object_mut() {
            properties.insert(LEASE.to_owned(), argument(names));
        }
    }
    tools.splice(0..0, own);
    tools
}

/// What a profile loses that leaves all of it out.
pub(super) fn losses(names: &LeaseNames, tools: &[Tool]) -> Vec<Loss> {
    let whole = [&names.acquire, &names.release].map(|name| Loss {
        tool: name.to_string(),
        pointer: String::new(),
        lost: "tool".to_owned(),
    });
    let arguments = tools.iter().map(|tool| Loss {
        tool: tool.name.clone(),
        pointer: format!("/inputSchema/properties/{LEASE}"),
        lost: LEASE.to_owned(),
    });
    whole.into_iter().chain(arguments).collect()
}

fn argument(names: &LeaseNames) -> Json {
    json!({
        "type": "string",
        "description": format!(
            "The lease from `{}`, which expires when idle for longer than its `{IDLE_TIMEOUT_S}`. Not needed inside an \
             MCP session.",
            names.acquire
        ),
        "x-mcp-header": "Lease",
    })
}

fn acquire(catalog: &Catalog, names: &LeaseNames) -> Tool {
    let description = format!(
        "Takes `{}`, which serves one client at a time. Pass the `{LEASE}` of the answer to every other tool, and end \
         with `{}`; it expires when idle for longer than `{IDLE_TIMEOUT_S}` seconds. Inside an MCP session, the session \
         holds it already.",
        catalog.name, names.release
    );
    let outputs = json!({
        LEASE: { "type": "string" },
        IDLE_TIMEOUT_S: { "type": "number", "minimum": 0 },
    });
    tool(&names.acquire, description, json!({}), outputs, false)
}

fn release(names: &LeaseNames) -> Tool {
    let description = format!(
        "Gives back the lease from `{}`, for the next client; running calls end first. Inside an MCP session it \
         changes nothing, since the end of the session does it.",
        names.acquire
    );
    tool(
        &names.release,
        description,
        json!({ LEASE: argument(names) }),
        json!({ RELEASED: { "type": "boolean" } }),
        true,
    )
}

fn tool(name: &str, description: String, inputs: Json, outputs: Json, idempotent: bool) -> Tool {
    let object = |members: [(&str, Json); 3]| -> Map<String, Json> {
        members.into_iter().map(|(key, member)| (key.to_owned(), member)).collect()
    };
    let required: Vec<Json> = outputs.as_object().into_iter().flat_map(Map::keys).map(|key| json!(key)).collect();
    Tool {
        name: name.to_owned(),
        title: None,
        description: Some(description),
        input_schema: object([
            ("type", json!("object")),
            ("properties", inputs),
            ("additionalProperties", json!(false)),
        ]),
        output_schema: Some(object([
            ("type", json!("object")),
            ("properties", outputs),
            ("required", json!(required)),
        ])),
        annotations: Some(Annotations {
            read_only: Some(false),
            destructive: Some(false),
            idempotent: Some(idempotent),
            open_world: Some(false),
        }),
        icons: Vec::new(),
        meta: Map::new(),
    }
}
