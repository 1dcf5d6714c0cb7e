//! Each rule on a tool that has its fault alone.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{LINTS, lint};

fn tool(input: Json) -> Json {
    json!({"name": "t", "description": "Does.", "inputSchema": input})
}

fn property(schema: Json) -> Json {
    tool(json!({"type": "object", "properties": {"a": schema}}))
}

fn found(tools: &[Json]) -> Vec<(&'static str, String)> {
    lint(tools).into_iter().map(|fault| (fault.lint.id, fault.pointer)).collect()
}

#[test]
fn each_rule_finds_its_fault_and_nothing_else() {
    let plain = json!({"type": "object"});
    let named = |name: &str| json!({"name": name, "description": "Does.", "inputSchema": {"type": "object"}});
    let cases: Vec<(&str, &str, Vec<Json>)> = vec![
        ("bad_name", "/name", vec![named("a b")]),
        ("long_name", "/name", vec![named(&"a".repeat(65))]),
        ("duplicate_name", "/name", vec![named("a"), named("a")]),
        ("duplicate_name", "/name", vec![named("a-b"), named("a_b")]),
        ("root_type", "/inputSchema", vec![tool(json!({"properties": {"a": {"type": "string"}}}))]),
        ("root_type", "", vec![json!({"name": "t", "description": "Does."})]),
        ("invalid_schema", "/inputSchema", vec![property(json!({"type": "string", "minLength": -1}))]),
        ("dangling_ref", "/inputSchema/properties/a/$ref", vec![property(json!({"$ref": "#/$defs/A"}))]),
        ("remote_ref", "/inputSchema/properties/a/$ref", vec![property(json!({"$ref": "https://example.com/a.json"}))]),
        ("ref_outside_defs", "/inputSchema/properties/a/$ref", vec![property(json!({"$ref": "#"}))]),
        ("boolean_schema", "/inputSchema/properties/a", vec![property(json!(true))]),
        (
            "boolean_schema",
            "/inputSchema/properties/a/anyOf/1",
            vec![property(json!({"anyOf": [{"type": "null"}, false]}))],
        ),
        ("untyped_schema", "/inputSchema/properties/a", vec![property(json!({"description": "Anything."}))]),
        // What JSON Schema does not know restricts nothing.
        ("untyped_schema", "/inputSchema/properties/a", vec![property(json!({"nullable": true, "example": 1}))]),
        ("untyped_schema", "/inputSchema/properties/a", vec![property(json!({"if": {"const": 1}}))]),
        (
            "type_array",
            "/inputSchema/properties/a/additionalItems/type",
            vec![property(json!({"type": "array", "additionalItems": {"type": ["string", "null"]}}))],
        ),
        (
            "remote_ref",
            "/inputSchema/properties/a/$ref",
            vec![tool(json!({"$id": "", "type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}}))],
        ),
        ("type_array", "/inputSchema/properties/a/type", vec![property(json!({"type": ["string", "null"]}))]),
        (
            "unknown_format",
            "/inputSchema/properties/a/format",
            vec![property(json!({"type": "integer", "format": "uint64"}))],
        ),
        (
            "wrong_default",
            "/inputSchema/properties/a/default",
            vec![property(json!({"type": "integer", "default": "1"}))],
        ),
        (
            "unknown_required",
            "/inputSchema/required",
            vec![tool(json!({"type": "object", "properties": {}, "required": ["a"]}))],
        ),
        (
            "hidden_text",
            "/description",
            vec![json!({"name": "t", "description": "Does.\u{e0041}", "inputSchema": plain})],
        ),
        ("hidden_text", "/inputSchema/properties/a/enum/0", vec![property(json!({"enum": ["\u{202e}x"]}))]),
        (
            "hidden_text",
            "/inputSchema/properties/icons/description",
            vec![tool(
                json!({"type": "object", "properties": {"icons": {"type": "string", "description": "\u{200b}"}}}),
            )],
        ),
        (
            "hidden_comment",
            "/description",
            vec![json!({"name": "t", "description": "Does. <!-- x -->", "inputSchema": plain})],
        ),
        ("no_description", "", vec![json!({"name": "t", "inputSchema": plain})]),
    ];
    for (rule, pointer, tools) in &cases {
        assert_eq!(found(tools), [(*rule, (*pointer).to_owned())], "{tools:?}");
    }
    let shown: BTreeSet<&str> = cases.iter().map(|case| case.0).collect();
    assert_eq!(shown, LINTS.iter().map(|lint| lint.id).collect());
}

/// Fault T23: what no person sees is found in each place where a model reads.
#[test]
fn t23_hidden_text_is_found_wherever_a_model_reads() {
    let places = |text: &str| {
        let string = |key: &str, value: Json| property(json!({"type": "string", (key): value}));
        let named = |key: &str| {
            let mut tool = tool(json!({"type": "object"}));
            tool[key] = json!(text);
            tool
        };
        [
            ("/name", named("name")),
            ("/title", named("title")),
            ("/description", named("description")),
            ("/inputSchema/properties/a/description", string("description", json!(text))),
            ("/inputSchema/properties/a/enum/1", string("enum", json!(["b", text]))),
            ("/inputSchema/properties/a/default", string("default", json!(text))),
        ]
    };
    let hidden = [
        // Tags, which spell ASCII.
        "\u{e0000}",
        "\u{e0041}",
        "\u{e007f}",
        // Of no width.
        "\u{200b}",
        "\u{200d}",
        "\u{2060}",
        "\u{feff}",
        // What turns the order round.
        "\u{200f}",
        "\u{202a}",
        "\u{202e}",
        "\u{2066}",
        "\u{2069}",
        // Control.
        "\0",
        "\u{1b}",
        "\u{7f}",
        "\u{9b}",
    ];
    for text in hidden.map(|hidden| format!("a{hidden}b")) {
        for (place, tool) in places(&text) {
            let mut faults = found(&[tool]);
            // No name has such a character, which is a rule of its own.
            faults.retain(|(rule, _)| *rule != "bad_name");
            assert_eq!(faults, [("hidden_text", place.to_owned())], "{text:?}");
        }
    }
    for (place, tool) in places("a<!-- b -->c") {
        assert!(found(&[tool]).contains(&("hidden_comment", place.to_owned())), "{place}");
    }
    for (place, tool) in places("a_b").into_iter().chain(places("One.\n\tTwo.\r\n").into_iter().skip(1)) {
        assert_eq!(found(&[tool]), [], "{place}");
    }
}

/// Draft 7 has a list of schemas where 2020-12 has one, which it refuses besides.
#[test]
fn what_stands_in_keywords_of_older_drafts_is_looked_at() {
    let items = json!([true, {"description": "Anything."}, {"$ref": "b.json"}]);
    let tools = [property(json!({"type": "array", "items": items}))];
    let mut rules: Vec<_> = found(&tools).into_iter().filter(|(rule, _)| *rule != "invalid_schema").collect();
    rules.sort();
    let at = |rest: &str| format!("/inputSchema/properties/a/items/{rest}");
    assert_eq!(rules, [("boolean_schema", at("0")), ("remote_ref", at("2/$ref")), ("untyped_schema", at("1"))]);
}

#[test]
fn what_every_client_takes_has_no_fault() {
    let schema = json!({
        "type": "object",
        "properties": {
            "a": {"type": "string", "format": "date-time", "default": "x"},
            "b": {"$ref": "#/$defs/B"},
            "c": {"type": "object", "additionalProperties": true},
            "d": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "default": {"type": "boolean", "default": false},
        },
        "required": ["a"],
        "additionalProperties": false,
        "$defs": {"B": {"type": "array", "items": {"$ref": "#/$defs/B"}}},
    });
    assert_eq!(found(&[tool(schema)]), []);
}
