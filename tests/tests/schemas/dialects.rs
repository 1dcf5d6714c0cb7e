//! The profiles for clients that take a part of JSON Schema: every tool of every fixture says only what that client knows,
//! by the client's own documentation, and what a model fills in by it is taken.

use conformance as _;
use gridworld as _;
use kitchen as _;
use nodecast::catalog::{Catalog, NODESETS};
use nodecast::contract::{self, Profile};
use serde_json::{Map, Value as Json, json};
use vision as _;

fn schemas(profile: Profile) -> Vec<(String, Json)> {
    let catalogs = NODESETS.iter().map(|nodeset| (nodeset.catalog)().unwrap());
    let tools = catalogs.flat_map(|catalog| contract::tools(&catalog, profile));
    let all = tools.flat_map(|tool| {
        let output = tool.output_schema.filter(|_| profile == Profile::Legacy);
        [Some(tool.input_schema), output]
            .into_iter()
            .flatten()
            .map(move |schema| (tool.name.clone(), Json::Object(schema)))
    });
    // A schema written by hand is the author's own.
    all.filter(|(name, _)| !name.ends_with("raw_schema") && !name.ends_with("2020_12_tool")).collect()
}

/// Calls `act` with every schema in a schema, by the keywords of any draft.
fn each(schema: &Json, act: &mut dyn FnMut(&Map<String, Json>)) {
    let Json::Object(members) = schema else { return };
    act(members);
    for (key, member) in members {
        match (key.as_str(), member) {
            ("properties" | "$defs" | "definitions" | "patternProperties", Json::Object(named)) => {
                for schema in named.values() {
                    each(schema, act);
                }
            }
            ("anyOf" | "oneOf" | "allOf" | "prefixItems" | "items", Json::Array(all)) => {
                for schema in all {
                    each(schema, act);
                }
            }
            ("items" | "additionalProperties" | "propertyNames" | "additionalItems", schema) => each(schema, act),
            _ => {}
        }
    }
}

/// "Supported schemas" of `OpenAI`'s guide to structured outputs, as of 2026: all fields required, objects closed.
#[test]
fn strict_is_what_a_grammar_can_be_made_of() {
    const KNOWN: [&str; 22] = [
        "type",
        "enum",
        "const",
        "anyOf",
        "$ref",
        "$defs",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "pattern",
        "format",
        "description",
        "title",
        "x-mcp-header",
    ];
    let all = schemas(Profile::Strict);
    assert!(all.len() > 100, "{}", all.len());
    for (tool, schema) in all {
        assert_eq!(schema["type"], "object", "{tool}");
        each(&schema, &mut |members| {
            for key in members.keys() {
                assert!(KNOWN.contains(&key.as_str()), "{tool}: {key}");
            }
            if members.get("type").is_some_and(|ty| ty == "object") {
                assert_eq!(members["additionalProperties"], false, "{tool}");
                let names: Vec<&String> = members["properties"].as_object().unwrap().keys().collect();
                assert_eq!(members["required"], json!(names), "{tool}");
            }
        });
        jsonschema::draft202012::new(&schema).unwrap();
    }
}

/// The members of `Schema` in the reference of Gemini's API, as of 2026.
#[test]
fn gemini_is_the_part_of_openapi_that_the_api_takes() {
    const KNOWN: [&str; 22] = [
        "type",
        "format",
        "title",
        "description",
        "nullable",
        "enum",
        "maxItems",
        "minItems",
        "properties",
        "required",
        "minProperties",
        "maxProperties",
        "minLength",
        "maxLength",
        "pattern",
        "example",
        "anyOf",
        "propertyOrdering",
        "default",
        "items",
        "minimum",
        "maximum",
    ];
    for (tool, schema) in schemas(Profile::Gemini) {
        each(&schema, &mut |members| {
            for key in members.keys() {
                assert!(KNOWN.contains(&key.as_str()) || key == "x-mcp-header", "{tool}: {key}");
            }
            assert!(members.get("type").is_none_or(Json::is_string), "{tool}: {members:?}");
            assert!(members.contains_key("type") || members.contains_key("anyOf"), "{tool}: {members:?}");
            let is_text = |values: &Json| values.as_array().unwrap().iter().all(Json::is_string);
            assert!(members.get("enum").is_none_or(is_text), "{tool}: {members:?}");
        });
    }
}

#[test]
fn legacy_is_draft_7() {
    for (tool, schema) in schemas(Profile::Legacy) {
        assert_eq!(schema["type"], "object", "{tool}");
        each(&schema, &mut |members| {
            for key in ["$defs", "prefixItems", "unevaluatedProperties", "dependentRequired"] {
                assert!(!members.contains_key(key), "{tool}: {key}");
            }
            // There nothing beside a reference is read.
            assert!(!members.contains_key("$ref") || members.len() == 1, "{tool}: {members:?}");
        });
        jsonschema::draft7::new(&schema).unwrap_or_else(|error| panic!("{tool}: {error}"));
    }
}

/// What legacy says means the same as the profile it is made of, for what draft 7 has words for.
#[test]
fn a_tuple_is_checked_by_draft_7_too() {
    let (_, schema) = schemas(Profile::Legacy).into_iter().find(|(name, _)| name == "kitchen__tuples").unwrap();
    let validator = jsonschema::draft7::new(&schema).unwrap();
    assert!(validator.is_valid(&json!({"color": [1, 2, 3], "added": ["red", 2]})));
    assert!(!validator.is_valid(&json!({"color": [1, 2, 3], "added": [2, "red"]})));
}

/// Whatever a profile leaves out of a tool stands in its losses.
#[test]
fn each_keyword_that_is_gone_is_a_loss() {
    for profile in [Profile::Strict, Profile::Gemini] {
        let catalog =
            NODESETS.iter().find(|nodeset| nodeset.name == "kitchen").map(|nodeset| (nodeset.catalog)().unwrap());
        let catalog: Catalog = catalog.unwrap();
        let losses = contract::losses(&catalog, profile);
        let lost = |tool: &str, keyword: &str| losses.iter().any(|loss| loss.tool == tool && loss.lost == keyword);
        let expected: &[(&str, &str)] = match profile {
            Profile::Strict => &[
                ("kitchen__maps", "additionalProperties"),
                ("kitchen__tuples", "prefixItems"),
                ("kitchen__enum_external", "oneOf"),
            ],
            _ => {
                &[("kitchen__recursive", "$ref"), ("kitchen__enum_external", "oneOf"), ("kitchen__sets", "uniqueItems")]
            }
        };
        for (tool, keyword) in expected {
            assert!(lost(tool, keyword), "{}: {tool} {keyword}: {losses:#?}", profile.as_str());
        }
    }
}

/// Null stands for what is left out: a port, and a config field with its default.
#[tokio::test]
async fn what_a_model_fills_in_by_strict_is_taken() {
    let client = nodecast::testing::Client::<kitchen::Kitchen>::start(()).await.unwrap();
    let tool = |name: &str| {
        let tools = contract::tools(client.service().catalog(), Profile::Strict);
        tools.into_iter().find(|tool| tool.name == format!("kitchen__{name}")).unwrap()
    };
    for (name, arguments) in
        [("optional", json!({"guests": null})), ("number", json!({"celsius": null, "digits": null}))]
    {
        let schema = Json::Object(tool(name).input_schema);
        let mut filled = Map::new();
        for property in schema["properties"].as_object().unwrap().keys() {
            filled.insert(property.clone(), arguments.get(property).cloned().unwrap_or(Json::Null));
        }
        let filled = Json::Object(filled);
        assert!(jsonschema::draft202012::new(&schema).unwrap().is_valid(&filled), "{name}: {schema}");
        client.call(name, filled).await.unwrap();
    }
}
