//! The rules of `wire.md` 1.1 on small schemas, and the trait contract of the validating library.

use jsonschema::json::conformance;
use serde_json::{Value as Json, json};

use super::Validator;
use super::view::{Tree, View};
use crate::call::Finding;
use crate::wire::{Bytes, Image, Tensor, Value, X_INTEGER};

fn findings(schema: Json, value: impl Into<Value>) -> Vec<Finding> {
    Validator::new(&schema).unwrap().findings(&value.into())
}

/// The only finding, as kind, pointer and sentence.
fn only(schema: Json, value: impl Into<Value>) -> (&'static str, String, String) {
    let findings = findings(schema, value);
    let [finding] = findings.as_slice() else { panic!("{findings:#?}") };
    (finding.kind, finding.pointer.clone(), finding.detail.clone())
}

fn says(schema: Json, value: impl Into<Value>, kind: &str, pointer: &str, detail: &str) {
    assert_eq!(only(schema, value), (kind, pointer.to_owned(), detail.to_owned()));
}

#[test]
fn our_tree_keeps_the_contract_of_a_representation() {
    conformance::assert_conformance::<Tree>(&View::Value(&conformance::document().into()));
}

#[test]
fn scalars() {
    let ranged = json!({"type": "number", "minimum": 0.0, "maximum": 1.0});
    assert!(findings(ranged.clone(), 1_i64).is_empty());
    says(ranged.clone(), 3_i64, "out_of_range", "", "`` must be a number from 0.0 to 1.0, got 3");
    says(ranged, "x", "wrong_type", "", "`` must be a number from 0.0 to 1.0, got the text \"x\"");
    says(json!({"type": "boolean"}), Value::Null, "wrong_type", "", "`` must be true or false, got null");
    says(
        json!({"type": "string", "maxLength": 1}),
        "ab",
        "out_of_range",
        "",
        "`` must be text of at most 1 characters, got the text \"ab\"",
    );
}

#[test]
fn b35_integral_floats_are_integers() {
    let integer = json!({"type": "integer", "minimum": 0, "maximum": 255});
    for number in [5.0, -0.0, 255.0] {
        assert!(findings(integer.clone(), number).is_empty(), "{number}");
    }
    says(integer.clone(), 5.5, "wrong_type", "", "`` must be an integer from 0 to 255, got 5.5");
    says(integer, 256.0, "out_of_range", "", "`` must be an integer from 0 to 255, got 256.0");
}

#[test]
fn the_whole_range_of_64_bits_is_exact() {
    let schema = json!({"type": "integer", "minimum": 0, "maximum": u64::MAX});
    assert!(findings(schema.clone(), u64::MAX).is_empty());
    assert_eq!(findings(schema, -1_i64)[0].kind, "out_of_range");
    let schema = json!({"type": "integer", "minimum": i64::MIN, "maximum": i64::MAX});
    assert!(findings(schema.clone(), i64::MIN).is_empty());
    says(
        schema.clone(),
        u64::MAX,
        "out_of_range",
        "",
        "`` must be an integer from -9223372036854775808 to 9223372036854775807, got 18446744073709551615",
    );
    // No number of the type, and beyond its bounds too: that is one mistake.
    for (number, kind) in [(1e300, "out_of_range"), (f64::NAN, "wrong_type"), (f64::INFINITY, "wrong_type")] {
        assert_eq!(only(schema.clone(), number).0, kind, "{number}");
    }
}

#[test]
fn what_is_not_finite_is_a_number_of_no_narrower_range() {
    let f32_range = json!({"type": "number", "minimum": f32::MIN, "maximum": f32::MAX});
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert!(findings(json!({"type": "number"}), number).is_empty());
        assert!(findings(f32_range.clone(), number).is_empty());
        assert_eq!(findings(json!({"type": "number", "minimum": 0, "maximum": 1}), number)[0].kind, "out_of_range");
        assert_eq!(findings(json!({"type": "integer"}), number)[0].kind, "wrong_type");
        for schema in [json!({"enum": [1]}), json!({"const": 0}), json!({"multipleOf": 0.5})] {
            let _ = findings(schema, number);
        }
    }
}

#[test]
fn fields() {
    let schema = json!({
        "type": "object",
        "properties": {"radius": {"type": "number"}, "label": {"type": "string"}},
        "required": ["radius"],
        "additionalProperties": false,
    });
    assert!(findings(schema.clone(), json!({"radius": 2})).is_empty());
    says(schema.clone(), json!({}), "missing_field", "/radius", "`/radius` is missing; it must be a number");
    let found = &findings(schema.clone(), json!({"radius": 2, "lable": "x"}))[0];
    assert_eq!((found.kind, found.pointer.as_str()), ("unknown_field", "/lable"));
    assert_eq!(found.known, ["radius", "label"]);
    assert_eq!(found.nearest.as_deref(), Some("label"));
    assert_eq!(found.detail, "`/lable` is not known; did you mean `label`?");
    says(
        schema,
        json!({"radius": 2, "zz/": 1}),
        "unknown_field",
        "/zz~1",
        "`/zz~1` is not known; known are `radius`, `label`",
    );
}

#[test]
fn fields_behind_a_reference_and_composed_ones() {
    let schema = json!({
        "type": "array",
        "items": {"$ref": "#/$defs/Point"},
        "$defs": {"Point": {
            "type": "object",
            "allOf": [{"properties": {"x": {"type": "number"}}}, {"properties": {"y": {"type": "number"}}}],
            "unevaluatedProperties": false,
        }},
    });
    let found = &findings(schema.clone(), json!([{"x": 1, "y": 2}, {"x": 1, "yy": 2}]))[0];
    assert_eq!((found.kind, found.pointer.as_str()), ("unknown_field", "/1/yy"));
    assert_eq!(found.known, ["x", "y"]);
    says(schema, json!([{"x": "1"}]), "wrong_type", "/0/x", "`/0/x` must be a number, got the text \"1\"");
}

#[test]
fn options() {
    let schema = json!({"type": "string", "enum": ["left", "right"]});
    let found = &findings(schema, "rigth")[0];
    assert_eq!(found.kind, "not_an_option");
    assert_eq!(found.known, ["left", "right"]);
    assert_eq!(found.detail, "`` must be one of \"left\", \"right\", got the text \"rigth\"; did you mean `right`?");
}

#[test]
fn formats_are_asserted() {
    let found = &findings(json!({"type": "string", "format": "uuid"}), "x")[0];
    assert_eq!((found.kind, found.expected.as_deref()), ("wrong_type", Some("text of the format `uuid`")));
}

#[test]
fn no_reference_is_fetched() {
    assert!(Validator::new(&json!({"$ref": "http://127.0.0.1:9/schema.json"})).is_err());
}

#[test]
fn a_recursive_schema_ends() {
    let schema = json!({
        "$ref": "#/$defs/Tree",
        "$defs": {"Tree": {
            "type": "object",
            "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
            "additionalProperties": false,
        }},
    });
    says(
        schema,
        json!({"kids": [{"kids": [{"kid": []}]}]}),
        "unknown_field",
        "/kids/0/kids/0/kid",
        "`/kids/0/kids/0/kid` is not known; did you mean `kids`?",
    );
}

/// Fault T16: what is wrong with a large value is told at the cost of a small one.
#[test]
fn a_large_value_is_explained_by_its_first_items() {
    let texts = json!({"type": "array", "items": {"type": "string"}, "minItems": 100});
    let numbers: Value = (0..100_000_i64).map(Value::from).collect();
    let found = findings(texts.clone(), numbers);
    assert_eq!((found.len(), found[0].kind, found[0].pointer.as_str()), (64, "wrong_type", "/0"));
    let mut late: Vec<Value> = vec!["x".into(); 100_000];
    late.push(7.into());
    let text = "`` must be a list, got a list of 100001, of which something beyond the first 100 items does not fit";
    says(texts, late, "wrong_type", "", text);
}

#[test]
fn no_more_findings_than_are_worth_a_look() {
    let items: Vec<Value> = (0..100).map(|_| Value::Null).collect();
    assert_eq!(findings(json!({"type": "array", "items": {"type": "string"}}), items).len(), 64);
}

fn tagged() -> Json {
    let circle = json!({
        "type": "object",
        "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}},
        "required": ["kind", "radius"],
    });
    let square = json!({
        "type": "object",
        "properties": {"kind": {"const": "square"}, "side": {"type": "number"}},
        "required": ["kind", "side"],
    });
    json!({"oneOf": [circle, square]})
}

#[test]
fn a_union_gives_the_finding_of_the_branch_that_was_meant() {
    says(
        tagged(),
        json!({"kind": "square", "side": "2"}),
        "wrong_type",
        "/side",
        "`/side` must be a number, got the text \"2\"",
    );
    says(tagged(), json!({"kind": "square"}), "missing_field", "/side", "`/side` is missing; it must be a number");
    let found = &findings(tagged(), json!({"kind": "sqare", "side": 2}))[0];
    assert_eq!(
        (found.kind, found.pointer.as_str(), found.nearest.as_deref()),
        ("not_an_option", "/kind", Some("square"))
    );
    says(tagged(), 5_i64, "wrong_type", "", "`` must be an object, got 5");
}

#[test]
fn a_union_of_types_names_them_all() {
    let schema = json!({"anyOf": [{"type": "null"}, {"type": "integer"}, {"type": "string"}]});
    says(schema, true, "wrong_type", "", "`` must be an integer or text or null, got true");
    let optional = json!({"anyOf": [{"type": "number", "maximum": 1}, {"type": "null"}]});
    says(optional, 2_i64, "out_of_range", "", "`` must be a number of at most 1, got 2");
}

#[test]
fn the_key_of_an_external_tag_is_an_option() {
    let variant = |name: &str| {
        json!({
            "type": "object",
            "properties": {name: {"type": "number"}},
            "required": [name],
            "additionalProperties": false,
        })
    };
    let schema = json!({"oneOf": [{"type": "string", "enum": ["Point"]}, variant("Circle"), variant("Square")]});
    says(
        schema.clone(),
        json!({"Circle": "x"}),
        "wrong_type",
        "/Circle",
        "`/Circle` must be a number, got the text \"x\"",
    );
    let found = &findings(schema, json!({"Circel": 1}))[0];
    assert_eq!((found.kind, found.nearest.as_deref()), ("not_an_option", Some("Circle")));
}

fn schema_of<T: schemars::JsonSchema>() -> Json {
    let mut schema = schemars::SchemaGenerator::default().into_root_schema_for::<T>().to_value();
    schema.as_object_mut().unwrap().remove("$schema");
    schema
}

#[test]
fn arrays_pictures_and_bytes_lie_where_their_json_forms_are_declared() {
    let array = Tensor::from_elements([2, 3], &[0_f32; 6]).unwrap();
    let pixels = Tensor::from_elements([1, 1, 3], &[0_u8; 3]).unwrap();
    assert!(findings(schema_of::<Tensor>(), array.clone()).is_empty());
    assert!(findings(schema_of::<Bytes>(), Bytes::from([1, 2])).is_empty());
    assert!(findings(schema_of::<Image>(), Image::rgb8(1, 1, [0; 3]).unwrap()).is_empty());
    assert!(findings(schema_of::<Image>(), pixels.clone()).is_empty());
    assert!(findings(schema_of::<Image>(), "iVBORw0KGgo=").is_empty());
    for value in [Value::from(array.clone()), Bytes::from([0]).into(), Value::Ext(7, Bytes::default()), f64::NAN.into()]
    {
        assert!(findings(schema_of::<Value>(), value).is_empty());
    }
    let (kind, _, detail) = only(schema_of::<Image>(), array);
    assert_eq!(kind, "bad_image");
    assert_eq!(
        detail,
        "`` must be a picture (base64 of a PNG or JPEG, or an array of uint8 with shape H×W, H×W×3 or H×W×4), got an \
         array of float32 with shape [2, 3]"
    );
}

#[test]
fn an_array_that_is_no_picture_is_told_the_shapes_of_pictures() {
    let text = |shape: &[usize]| {
        format!(
            "`` must be a picture (base64 of a PNG or JPEG, or an array of uint8 with shape H×W, H×W×3 or H×W×4), got \
             an array of uint8 with shape {shape:?}"
        )
    };
    let two = Tensor::from_elements([1, 1, 2], &[0_u8; 2]).unwrap();
    says(schema_of::<Image>(), two.clone(), "bad_image", "", &text(&[1, 1, 2]));
    let found = findings(schema_of::<Option<Image>>(), two);
    assert_eq!((found.len(), found[0].kind), (1, "bad_image"));
    let none = text(&[0, 0, 3]) + "; each extent of a picture is at least 1";
    says(schema_of::<Image>(), Tensor::from_elements::<u8>([0, 0, 3], &[]).unwrap(), "bad_image", "", &none);
}

#[test]
fn a_declared_array_refuses_others() {
    let schema = json!({
        "type": "object",
        "properties": {
            "__ndarray__": {"type": "string", "contentEncoding": "base64"},
            "dtype": {"const": "float32"},
            "shape": {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
        },
        "required": ["__ndarray__", "dtype", "shape"],
        "additionalProperties": false,
    });
    let outer = json!({"type": "object", "properties": {"depth": schema}});
    let at = |array: Tensor| Value::Map([("depth", Value::from(array))].into_iter().collect());
    assert!(findings(outer.clone(), at(Tensor::from_elements([1, 1], &[0_f32]).unwrap())).is_empty());
    says(
        outer.clone(),
        at(Tensor::from_elements([1, 1], &[0_i16]).unwrap()),
        "bad_array",
        "/depth",
        "`/depth` must be an array of float32 with 2 dimensions, got an array of int16 with shape [1, 1]",
    );
    says(
        outer,
        at(Tensor::from_elements([1], &[0_f32]).unwrap()),
        "bad_array",
        "/depth",
        "`/depth` must be an array of float32 with 2 dimensions, got an array of float32 with shape [1]",
    );
}

#[test]
fn an_extension_type_fits_no_closed_object() {
    let schema = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert_eq!(findings(schema, Value::Ext(-1, Bytes::from([0; 4]))).len(), 1);
}

#[test]
fn an_extension_type_is_refused_where_it_stands() {
    let ext = || Value::Ext(7, Bytes::from([0; 4]));
    let text = "`` must be a picture (base64 of a PNG or JPEG, or an array of uint8 with shape H×W, H×W×3 or H×W×4), \
                got an extension type";
    says(schema_of::<Image>(), ext(), "wrong_type", "", text);
    says(schema_of::<Tensor>(), ext(), "wrong_type", "", "`` must be an array, got an extension type");
    let struct_schema = json!({
        "type": "object",
        "properties": {"a": {"type": "number"}},
        "required": ["a"],
        "additionalProperties": false,
    });
    says(struct_schema, ext(), "wrong_type", "", "`` must be an object, got an extension type");
    let metrics = json!({"type": "object", "additionalProperties": {"type": "number"}});
    says(metrics, ext(), "wrong_type", "", "`` must be an object, got an extension type");
    assert_eq!(findings(schema_of::<Option<Image>>(), ext())[0].pointer, "");
}

#[test]
fn keys_of_maps_are_checked_as_json_writes_them() {
    let schema = json!({
        "type": "object",
        "patternProperties": {"^-?(0|[1-9][0-9]*)$": {"type": "string"}},
        "additionalProperties": false,
    });
    let map = |key: Value| Value::Map([(key, Value::from("x"))].into_iter().collect());
    assert!(findings(schema.clone(), map(Value::from(-1_i64))).is_empty());
    assert!(findings(schema.clone(), map(Value::from("7"))).is_empty());
    assert_eq!(findings(schema, map(Value::from("07")))[0].kind, "map_key");
}

#[test]
fn a_key_that_is_refused_is_named_with_what_keys_are() {
    let refused = |names: Json, value: Json| findings(json!({"propertyNames": names}), value).remove(0);
    let numbers = json!({"type": "string", "pattern": "^[0-9]$", X_INTEGER: ["0", "9"]});
    let found = refused(numbers, json!({"x": 1})).under("/shelves");
    assert_eq!(found.detail, "the key of `/shelves/x` must be the decimal text of an integer from 0 to 9");
    let found = refused(json!({"type": "string", "enum": ["left", "right"]}), json!({"rigth": 1}));
    assert_eq!(found.known, ["left", "right"]);
    assert_eq!(found.nearest.as_deref(), Some("right"));
}

#[test]
fn sets_hold_nothing_twice() {
    let schema = json!({"type": "array", "uniqueItems": true});
    assert!(findings(schema.clone(), json!([1, 2])).is_empty());
    says(schema, json!([1, 1.0]), "wrong_type", "", "`` must be a list that holds no item twice, got a list of 2");
}

#[test]
fn a_field_of_another_variant_does_not_belong() {
    let part =
        |name: &str| json!({"properties": {"kind": {"const": name}, name: {"type": "number"}}, "required": [name]});
    let schema = json!({"type": "object", "oneOf": [part("a"), part("b")], "unevaluatedProperties": false});
    assert!(findings(schema.clone(), json!({"kind": "a", "a": 1})).is_empty());
    says(
        schema,
        json!({"kind": "a", "a": 1, "b": 1}),
        "unknown_field",
        "/b",
        "`/b` does not belong to the other fields that were sent",
    );
}
