//! What the proof shows, and that it never shows what is not so.

use serde_json::{Value as Json, json};

use super::super::subset::{Term, is_in};

fn shows(sub: &Json, sup: &Json) -> bool {
    is_in(&Term::document(sub), &Term::document(sup))
}

#[test]
fn what_is_shown() {
    let variant = |tag: &str| json!({"type": "object", "properties": {"k": {"const": tag}, "x": {"type": "integer"}}, "required": ["k"]});
    for (sub, sup) in [
        (json!(false), json!({"type": "string"})),
        (json!({"type": "string", "minLength": 2, "maxLength": 1}), json!(false)),
        (json!({"type": "object", "properties": {"a": false}, "required": ["a"]}), json!(false)),
        (json!({"type": "array", "items": false, "minItems": 1}), json!(false)),
        (json!({"enum": ["ab", "abc"]}), json!({"type": "string", "pattern": "^ab", "maxLength": 3})),
        (json!({"enum": [[1], {"a": 1}]}), json!({"anyOf": [{"type": "array"}, {"type": "object"}]})),
        (json!({"type": "integer", "minimum": 0, "maximum": 3}), json!({"enum": [0, 1, 2, 3]})),
        (json!({"type": "boolean"}), json!({"enum": [true, false, null]})),
        (json!({"enum": ["a", "ab"], "minLength": 2}), json!({"enum": ["ab"]})),
        // An enum of tags is the variants of those tags.
        (
            json!({"type": "object", "properties": {"k": {"enum": ["a", "b"]}, "x": {"type": "integer"}}, "required": ["k"]}),
            json!({"oneOf": [variant("a"), variant("b")]}),
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "integer"}], "items": false}),
            json!({"type": "array", "maxItems": 1}),
        ),
        (json!({"type": "array", "maxItems": 1}), json!({"type": "array", "uniqueItems": true})),
        (
            json!({"type": "object", "properties": {"a": {}}, "additionalProperties": false}),
            json!({"type": "object", "propertyNames": {"pattern": "^a$"}, "maxProperties": 1}),
        ),
        (
            json!({"allOf": [{"properties": {"a": {"minimum": 1}}}, {"properties": {"a": {"maximum": 2}}}]}),
            json!({"properties": {"a": {"minimum": 0, "maximum": 3}}}),
        ),
        (json!({"type": "integer", "not": {"const": 1}}), json!({"type": "number", "not": {"const": 1}})),
        (json!({"type": "number", "multipleOf": 0.3}), json!({"type": "number", "multipleOf": 0.1})),
        (json!({"type": "integer"}), json!({"type": "number", "multipleOf": 0.5})),
        // Words, also those that nobody knows.
        (
            json!({"not": {"type": "string", "title": "A", "x-a": 1}}),
            json!({"not": {"type": "string", "examples": ["a"], "x-b": {"c": true}}}),
        ),
    ] {
        assert!(shows(&sub, &sup), "{sub} in {sup}");
    }
}

#[test]
fn what_is_not_so_is_not_shown() {
    for (sub, sup) in [
        (json!(true), json!({"type": "object"})),
        (json!({"type": "object"}), json!({"type": "object", "properties": {"a": {"type": "string"}}})),
        // 5 fits both branches, and so not exactly one.
        (json!({"type": "integer"}), json!({"oneOf": [{"type": "integer"}, {"type": "number", "minimum": 5}]})),
        (json!({"type": "string"}), json!({"type": "string", "contentEncoding": "base64"})),
        (json!({"enum": ["!"]}), json!({"type": "string", "contentEncoding": "base64"})),
        (json!({"type": "integer"}), json!({"type": "integer", "not": {"const": 1}})),
        (
            json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}}}),
            json!({"type": "object", "patternProperties": {"^a": {"type": "integer"}}, "properties": {"b": {"type": "string"}}}),
        ),
        (
            json!({"type": "array", "prefixItems": [{"type": "integer"}]}),
            json!({"type": "array", "items": {"type": "integer"}}),
        ),
        (json!({"$ref": "#/$defs/A", "$defs": {"A": {"$ref": "#/$defs/A"}}}), json!({"type": "string"})),
        (json!({"$ref": "https://example.com/a"}), json!({"type": "string"})),
        (json!({"type": "number", "minimum": 0}), json!({"type": "number", "exclusiveMinimum": 0})),
        // The same text, another meaning.
        (
            json!({"not": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}),
            json!({"not": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "integer"}}}),
        ),
        // Also where another reference leads elsewhere, and whatever the definition is called.
        (
            json!({"not": {"$ref": "#/$defs/A"}, "items": {"$ref": "#/not"}, "$defs": {"A": {"type": "string"}}}),
            json!({"not": {"$ref": "#/$defs/A"}, "items": {"$ref": "#/not"}, "$defs": {"A": {"type": "integer"}}}),
        ),
        (
            json!({"not": {"$ref": "#/definitions/title"}, "definitions": {"title": {"type": "string"}}}),
            json!({"not": {"$ref": "#/definitions/title"}, "definitions": {"title": {"type": "integer"}}}),
        ),
    ] {
        assert!(!shows(&sub, &sup), "{sub} in {sup}");
    }
}

#[test]
fn a_question_that_would_take_for_ever_ends() {
    let mut schema = json!({"type": "object"});
    for _ in 0..40 {
        schema = json!({"anyOf": [
            {"type": "object", "properties": {"a": schema, "b": schema}},
            {"type": "object", "properties": {"a": schema, "c": schema}},
        ]});
        if schema.to_string().len() > 200_000 {
            break;
        }
    }
    let other = json!({"anyOf": [schema, {"type": "object", "required": ["z"]}]});
    let begun = std::time::Instant::now();
    shows(&other, &schema);
    assert!(begun.elapsed() < std::time::Duration::from_secs(20));
}
