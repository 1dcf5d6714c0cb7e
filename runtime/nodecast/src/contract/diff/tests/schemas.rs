//! Minimal pairs for schemas: each rule in both directions and on both sides.

use serde_json::{Value as Json, json};

use super::super::{Changes, Side, Verdict, schema};
use Verdict::{Breaking, Compatible};

/// A pair of schemas of one value, and what the step from the first to the second means.
pub(super) struct Pair {
    /// The rule of the one row.
    pub(super) rule: &'static str,
    /// The rule of the one row of the step back.
    back: &'static str,
    narrow: Json,
    wide: Json,
}

fn pair(rule: &'static str, back: &'static str, narrow: Json, wide: Json) -> Pair {
    Pair { rule, back, narrow, wide }
}

fn object(properties: Json, required: Json, rest: Json) -> Json {
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": rest})
}

/// From what accepts less to what accepts more.
pub(super) fn pairs() -> Vec<Pair> {
    let text = || json!({"type": "string"});
    let tagged = |tags: &[&str]| -> Json {
        let variant = |tag: &&str| object(json!({"kind": {"const": tag}}), json!(["kind"]), json!(false));
        json!({ "oneOf": tags.iter().map(variant).collect::<Vec<_>>() })
    };
    vec![
        pair(
            "field_added",
            "field_removed",
            object(json!({}), json!([]), json!(false)),
            object(json!({"a": text()}), json!([]), json!(false)),
        ),
        pair(
            "field_removed",
            "field_added",
            object(json!({"a": text()}), json!(["a"]), json!(true)),
            object(json!({}), json!([]), json!(true)),
        ),
        pair(
            "field_optional",
            "field_required",
            object(json!({"a": text()}), json!(["a"]), json!(false)),
            object(json!({"a": text()}), json!([]), json!(false)),
        ),
        pair(
            "other_fields",
            "other_fields",
            object(json!({"a": text()}), json!([]), json!(false)),
            object(json!({"a": text()}), json!([]), json!(true)),
        ),
        pair("type_changed", "type_changed", json!({"type": "integer"}), json!({"type": "number"})),
        pair("type_changed", "type_changed", text(), json!({"type": ["integer", "string"]})),
        pair("null_allowed", "null_refused", text(), json!({"type": ["string", "null"]})),
        pair("null_allowed", "null_refused", text(), json!({"anyOf": [{"type": "string"}, {"type": "null"}]})),
        pair(
            "value_added",
            "value_removed",
            json!({"type": "string", "enum": ["a"]}),
            json!({"type": "string", "enum": ["a", "b"]}),
        ),
        pair("value_added", "value_removed", json!({"type": "string", "const": "a"}), text()),
        pair("variant_added", "variant_removed", tagged(&["a"]), tagged(&["a", "b"])),
        pair(
            "range_changed",
            "range_changed",
            json!({"type": "number", "minimum": 1}),
            json!({"type": "number", "minimum": 0}),
        ),
        pair(
            "range_changed",
            "range_changed",
            json!({"type": "number", "multipleOf": 0.2}),
            json!({"type": "number", "multipleOf": 0.1}),
        ),
        pair("length_changed", "length_changed", json!({"type": "string", "maxLength": 3}), text()),
        pair(
            "length_changed",
            "length_changed",
            json!({"type": "array", "minItems": 2}),
            json!({"type": "array", "minItems": 1}),
        ),
        pair("form_changed", "form_changed", json!({"type": "string", "pattern": "^a"}), text()),
        pair(
            "unique_changed",
            "unique_changed",
            json!({"type": "array", "uniqueItems": true}),
            json!({"type": "array"}),
        ),
        pair(
            "schema_changed",
            "schema_changed",
            json!({"type": "integer", "not": {"const": 1}}),
            json!({"type": "integer"}),
        ),
        pair("field_required", "field_optional", json!(null), json!(null)),
        pair("null_refused", "null_allowed", json!(null), json!(null)),
        pair("value_removed", "value_added", json!(null), json!(null)),
        pair("variant_removed", "variant_added", json!(null), json!(null)),
        // Neither is in the other: these are shown below.
        pair("field_renamed", "field_renamed", json!(null), json!(null)),
        pair("reading_changed", "reading_changed", json!(null), json!(null)),
    ]
}

fn judged(old: &Json, new: &Json, side: Side) -> Vec<(&'static str, Verdict)> {
    let mut changes = Changes::default();
    schema::documents(old, new, side, "", &mut changes);
    super::rows(&changes.rows)
}

#[test]
fn what_gets_wider_breaks_outputs_and_what_gets_narrower_breaks_inputs() {
    for Pair { rule, back, narrow, wide } in pairs().iter().filter(|pair| !pair.narrow.is_null()) {
        for (place, inside) in [
            ("by itself", (|schema: &Json| schema.clone()) as fn(&Json) -> Json),
            ("in a field", |schema| object(json!({ "f": schema }), json!(["f"]), json!(false))),
            ("in a list", |schema| json!({"type": "array", "items": schema})),
            ("in a map", |schema| json!({"type": "object", "additionalProperties": schema})),
            (
                "behind a reference",
                |schema| json!({"type": "array", "items": {"$ref": "#/$defs/T"}, "$defs": {"T": schema}}),
            ),
        ] {
            let (narrow, wide) = (inside(narrow), inside(wide));
            let cases = [
                (&narrow, &wide, Side::Input, rule, Compatible),
                (&wide, &narrow, Side::Input, back, Breaking),
                (&narrow, &wide, Side::Output, rule, Breaking),
                (&wide, &narrow, Side::Output, back, Compatible),
            ];
            for (old, new, side, rule, verdict) in cases {
                assert_eq!(judged(old, new, side), [(*rule, verdict)], "{place}: {old} → {new}");
            }
        }
    }
}

#[test]
fn what_is_another_value_breaks_both_sides() {
    let text = || json!({"type": "string"});
    let bytes = || json!({"type": "string", "contentEncoding": "base64"});
    let named = |name: &str| object(json!({ name: text() }), json!([name]), json!(false));
    for (rule, old, new) in [
        ("type_changed", text(), json!({"type": "integer"})),
        ("reading_changed", text(), bytes()),
        (
            "reading_changed",
            bytes(),
            json!({"type": "string", "contentEncoding": "base64", "contentMediaType": "image/png"}),
        ),
        (
            "range_changed",
            json!({"type": "integer", "minimum": 0, "maximum": 5}),
            json!({"type": "integer", "minimum": 1, "maximum": 6}),
        ),
        ("form_changed", json!({"type": "string", "format": "date"}), json!({"type": "string", "format": "time"})),
        ("field_renamed", named("image"), named("picture_image")),
    ] {
        for side in [Side::Input, Side::Output] {
            assert_eq!(judged(&old, &new, side), [(rule, Breaking)], "{old} → {new}");
        }
    }
    let added = object(json!({"a": text(), "b": text()}), json!(["a", "b"]), json!(false));
    assert_eq!(judged(&named("a"), &added, Side::Input), [("field_added", Breaking)]);
}

#[test]
fn the_same_values_in_other_words_are_no_change() {
    let same = [
        (json!({"type": "integer", "exclusiveMinimum": 0}), json!({"type": "integer", "minimum": 1})),
        (json!({"type": ["string", "null"]}), json!({"anyOf": [{"type": "null"}, {"type": "string"}]})),
        (
            json!({"type": "string", "enum": ["a", "b"]}),
            json!({"oneOf": [{"const": "b"}, {"const": "a", "title": "A"}]}),
        ),
        (
            json!({"type": "array", "items": {"$ref": "#/$defs/A"}, "$defs": {"A": {"type": "string"}}}),
            json!({"type": "array", "items": {"type": "string"}}),
        ),
        (
            json!({"$ref": "#/$defs/A", "$defs": {"A": {"type": "array", "items": {"$ref": "#/$defs/A"}}}}),
            json!({"$ref": "#/$defs/B", "$defs": {"B": {"type": "array", "items": {"$ref": "#/$defs/B"}}}}),
        ),
        (json!({"allOf": [{"type": "integer"}, {"minimum": 1}]}), json!({"type": "integer", "minimum": 1})),
        (json!({"type": "object", "properties": {"a": true}}), json!({"type": "object"})),
    ];
    for (one, other) in same {
        for side in [Side::Input, Side::Output] {
            for (old, new) in [(&one, &other), (&other, &one)] {
                let worst = judged(old, new, side).into_iter().map(|row| row.1).max();
                assert!(worst.is_none_or(|worst| worst <= Compatible), "{old} → {new}: {:?}", judged(old, new, side));
            }
        }
    }
}

#[test]
fn a_type_that_holds_itself_is_compared_to_the_end() {
    let tree = |leaf: &str| {
        json!({
            "type": "object", "properties": {"root": {"$ref": "#/$defs/T"}}, "required": ["root"],
            "$defs": {"T": {"type": "object", "properties": {
                "leaf": {"type": leaf}, "parts": {"type": "array", "items": {"$ref": "#/$defs/T"}},
            }, "required": ["leaf"], "additionalProperties": false}},
        })
    };
    assert_eq!(judged(&tree("integer"), &tree("number"), Side::Input), [("type_changed", Compatible)]);
    assert_eq!(judged(&tree("integer"), &tree("number"), Side::Output), [("type_changed", Breaking)]);
}
