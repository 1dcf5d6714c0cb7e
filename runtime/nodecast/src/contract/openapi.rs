//! `OpenAPI` 3.1: a path a node, as `/call` serves it. Schemas of 3.1 are those of JSON Schema 2020-12, so they stand as the
//! contract has them, but for definitions, which move into `components`.

use serde_json::{Map, Value as Json, json};

use super::MCP_ONLY;
use crate::call::FIRE_LIST;
use crate::schema::walk;

/// The document of one nodeset, of its contract document.
pub fn openapi(contract: &Json) -> Json {
    let word = |pointer: &str| contract.pointer(pointer).and_then(Json::as_str).unwrap_or_default();
    let nodes = contract.pointer("/contract/nodes").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let (mut paths, mut schemas) = (Map::new(), Map::new());
    schemas.insert("Error".to_owned(), error());
    // What MCP alone has is on no route of calls.
    for node in nodes.iter().filter(|node| node.get(MCP_ONLY).is_none()) {
        let name = node.get("full_name").and_then(Json::as_str).unwrap_or_default();
        paths.insert(format!("/call/{name}"), json!({ "post": operation(node, name, &mut schemas) }));
    }
    let gated = contract.pointer("/contract/nodeset/gated").and_then(Json::as_array);
    if gated.is_some_and(|faces| faces.iter().any(|face| face == "call")) {
        let lease = json!({"name": "Nodecast-Lease", "in": "header", "required": true, "schema": {"type": "string"},
            "description": "The lease, from the call of `acquire`."});
        for path in paths.values_mut() {
            if let Some(Json::Object(operation)) = path.get_mut("post") {
                operation.insert("parameters".to_owned(), json!([lease]));
            }
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": Some(word("/contract/nodeset/title")).filter(|title| !title.is_empty()).unwrap_or(word("/contract/nodeset/name")),
            "version": word("/version"),
            "description": word("/contract/nodeset/doc"),
            "x-nodecast-contract": word("/hash"),
        },
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        // With a token or without: that is the host's to say.
        "security": [{}, {"token": []}],
    })
}

fn operation(node: &Json, name: &str, schemas: &mut Map<String, Json>) -> Json {
    let doc = node.get("doc").and_then(Json::as_str).unwrap_or_default();
    let input = placed(node, "input", schemas);
    let output = placed(node, "output", schemas);
    // A fire list is the whole reply.
    let (member, answer) = match node.get("result").and_then(Json::as_str) {
        Some("fire_list") => (FIRE_LIST, json!({"type": "object", "description": "What a graph engine runs."})),
        _ => ("outputs", output),
    };
    let answer = json!({"type": "object", "properties": {member: answer}, "required": [member]});
    let errors = node.get("errors").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let kinds: Vec<String> = errors
        .iter()
        .map(|kind| {
            let doc = kind.get("doc").and_then(Json::as_str).unwrap_or_default();
            format!("`{}`: {doc}", kind.get("name").and_then(Json::as_str).unwrap_or_default())
        })
        .collect();
    let failed = if kinds.is_empty() {
        "The node failed.".to_owned()
    } else {
        format!("The node failed.\n\n{}", kinds.join("\n"))
    };
    let content = |schema: Json| json!({ "application/json": { "schema": schema } });
    let refused = |description: &str| json!({"description": description, "content": content(json!({"$ref": "#/components/schemas/Error"}))});
    let mut operation = Map::new();
    operation.insert("operationId".to_owned(), name.into());
    if let Some(first) = doc.trim().lines().next() {
        operation.insert("summary".to_owned(), first.into());
    }
    operation.insert("description".to_owned(), doc.into());
    if node.get("deprecated").is_some_and(Json::is_object) {
        operation.insert("deprecated".to_owned(), true.into());
    }
    operation.insert("requestBody".to_owned(), json!({"required": true, "content": content(input)}));
    operation.insert(
        "responses".to_owned(),
        json!({
            "200": {"description": "The outputs.", "content": content(answer)},
            "400": refused("The body cannot be read."),
            "401": refused("A token is asked for."),
            "409": refused("Another client holds the nodeset."),
            "422": refused("An argument is not what the schema says."),
            "500": refused(&failed),
            "503": refused("The host is starting, stopping or has too much to do."),
        }),
    );
    Json::Object(operation)
}

/// The schema of one side of a node, with its properties in declared order, which a canonical document does not keep, and
/// with its definitions moved below `components`, under names that no other document has.
fn placed(node: &Json, side: &str, schemas: &mut Map<String, Json>) -> Json {
    let full_name = node.get("full_name").and_then(Json::as_str).unwrap_or_default();
    let name = &format!("{full_name}.{side}");
    let mut schema = node.get(format!("{side}_schema")).cloned().unwrap_or_else(|| json!({"type": "object"}));
    let declared = node.get(format!("{side}s")).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
    let names: Vec<&str> = declared.iter().filter_map(|field| field.get("name")?.as_str()).collect();
    if let Some(Json::Object(properties)) = schema.get_mut("properties") {
        // What is not declared, as in a schema written by hand, comes last.
        let place = |name: &str| names.iter().position(|known| *known == name).unwrap_or(names.len());
        let mut ordered: Vec<_> = std::mem::take(properties).into_iter().collect();
        ordered.sort_by_key(|(name, _)| place(name));
        properties.extend(ordered);
        let pictures = declared.iter().filter(|field| field.get("wire_type").is_some_and(|ty| ty == "LIST[IMAGE]"));
        for field in pictures.filter(|_| side == "output") {
            if let Some(list) = field.get("name").and_then(Json::as_str).and_then(|name| properties.get_mut(name)) {
                as_arrays(list);
            }
        }
    }
    let definitions = schema.as_object_mut().and_then(|members| members.shift_remove("$defs"));
    redirect(&mut schema, name);
    for (key, mut definition) in definitions.and_then(|all| all.as_object().cloned()).unwrap_or_default() {
        redirect(&mut definition, name);
        schemas.insert(format!("{name}.{key}"), definition);
    }
    schema
}

/// A list of pictures as `/call` sends it: frameworks take arrays apart there, and leave texts alone (`wire.md` 4).
fn as_arrays(schema: &mut Json) {
    walk::all_mut(schema, &mut |schema| {
        if schema.get("contentMediaType").is_some() {
            let array = json!({"type": "string", "contentEncoding": "base64", "description": "Rows of pixels."});
            let shape =
                json!({"type": "array", "items": {"type": "integer"}, "description": "Height, width, channels."});
            *schema = json!({
                "type": "object",
                "properties": {"__ndarray__": array, "dtype": {"type": "string", "const": "uint8"}, "shape": shape},
                "required": ["__ndarray__", "dtype", "shape"],
            });
        }
    });
}

/// References, wherever a schema may be; a property of that name holds an object, no text.
fn redirect(value: &mut Json, name: &str) {
    match value {
        Json::Object(members) => {
            for (key, member) in members {
                match member {
                    Json::String(reference) if key == "$ref" => {
                        *reference = reference.replace("#/$defs/", &format!("#/components/schemas/{name}."));
                    }
                    _ if key == "const" || key == "enum" || key == "default" || key == "examples" => {}
                    member => redirect(member, name),
                }
            }
        }
        Json::Array(items) => items.iter_mut().for_each(|item| redirect(item, name)),
        _ => {}
    }
}

fn error() -> Json {
    json!({
        "type": "object",
        "properties": {
            "detail": {"type": "string", "description": "A sentence that a person can act on."},
            "type": {"type": "string", "description": "The kind of error."},
            "stage": {"type": "string", "enum": ["schema_validation", "mapping", "adapter_execution", "external_service",
                "internal_runtime", "busy", "cancelled", "timeout"]},
            "pointer": {"type": "string", "description": "The place in the body that it is about."},
            "retryable": {"type": "boolean"},
        },
        "required": ["detail"],
    })
}
