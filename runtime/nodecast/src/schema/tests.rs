//! Rules of `mcp.md` 2 and `wire.md` 1.1 on small types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{Contract, inline, input, output};
use crate::call::{self, Input, Output};
use crate::decl::{ConfigDecl, FieldDecl, Literal, Widget};

fn of<T: Input>() -> Json {
    published(input(&[FieldDecl::port("x", "", "T", call::input::<T>())]).unwrap())
}

fn sent<T: Output>() -> Json {
    published(output(&[FieldDecl::port("x", "", "T", call::output::<T>())]).unwrap())
}

fn published(contract: Contract) -> Json {
    inline(&contract.published)
}

fn wire<T: Input>() -> String {
    input(&[FieldDecl::port("x", "", "T", call::input::<T>())]).unwrap().fields[0].wire_type.clone()
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Inner {
    /// How many.
    limit: u32,
    note: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Flat {
    q: String,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Tagged {
    New(Inner),
    Unit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Tree {
    kids: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Größe {
    inner: Option<Box<Größe>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Gr__e")]
struct Taken {
    others: Vec<Größe>,
    same: Option<Box<Taken>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Lists(Vec<Lists>);

#[derive(Serialize, Deserialize, JsonSchema)]
struct Beside {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<u8, u8>,
}

/// Which way.
#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// Towards the top.
    Up,
    Down,
}

#[test]
fn b13_integers_have_bounds_and_no_format() {
    assert_eq!(of::<u8>()["properties"]["x"], json!({"type": "integer", "minimum": 0, "maximum": 255}));
    let wide = json!({"type": "integer", "minimum": -9_007_199_254_740_991_i64, "maximum": 9_007_199_254_740_991_i64});
    assert_eq!(of::<i64>()["properties"]["x"], wide);
    let contract = input(&[FieldDecl::port("x", "", "u64", call::input::<u64>())]).unwrap();
    assert_eq!(contract.fields[0].checked["maximum"], json!(u64::MAX));
    assert_eq!(of::<f64>()["properties"]["x"], json!({"type": "number"}));
}

#[test]
fn structs_are_closed_as_inputs_and_open_as_outputs() {
    let schema = of::<Inner>();
    assert_eq!(schema["additionalProperties"], json!(false));
    let inner = &schema["properties"]["x"];
    assert_eq!(inner["additionalProperties"], json!(false));
    assert_eq!(inner["required"], json!(["limit"]));
    assert_eq!(inner["properties"]["note"], json!({"type": ["string", "null"]}));
    assert_eq!(inner["properties"]["limit"]["description"], json!("How many."));

    let schema = sent::<Inner>();
    assert!(schema.get("additionalProperties").is_none());
    assert!(schema["properties"]["x"].get("additionalProperties").is_none());
    assert_eq!(schema["properties"]["x"]["properties"]["note"]["type"], json!(["string", "null"]));
}

#[test]
fn b05_composed_objects_are_closed_as_a_whole() {
    let flat = of::<Flat>();
    let accepts =
        |schema: &Json, value: Json| jsonschema::validator_for(schema).unwrap().is_valid(&json!({"x": value}));
    assert!(accepts(&flat, json!({"q": "a", "limit": 3})));
    assert!(!accepts(&flat, json!({"q": "a", "limit": 3, "zz": 1})));
    let tagged = of::<Tagged>();
    assert!(accepts(&tagged, json!({"t": "New", "limit": 3})), "{tagged}");
    assert!(!accepts(&tagged, json!({"t": "New", "limit": 3, "zz": 1})), "{tagged}");
    assert!(accepts(&tagged, json!({"t": "Unit"})));
    assert!(!accepts(&tagged, json!({"t": "Unit", "zz": 1})), "{tagged}");
}

#[test]
fn b15_only_recursive_types_keep_a_reference() {
    let schema = of::<Vec<Inner>>();
    assert!(!schema.to_string().contains("$ref"), "{schema}");
    let schema = of::<Tree>();
    assert_eq!(schema["properties"]["x"]["$ref"], json!("#/$defs/Tree"));
    assert_eq!(schema["$defs"]["Tree"]["properties"]["kids"]["items"]["$ref"], json!("#/$defs/Tree"));
}

#[test]
fn b18_names_of_definitions_are_plain_and_every_reference_resolves() {
    let schema = of::<Taken>();
    assert_eq!(schema["properties"]["x"]["$ref"], json!("#/$defs/Gr__e"));
    assert_eq!(schema["$defs"]["Gr__e"]["properties"]["others"]["items"]["$ref"], json!("#/$defs/Gr__e2"));
    let accepts = |value: Json| jsonschema::validator_for(&schema).unwrap().is_valid(&json!({"x": value}));
    assert!(accepts(json!({"others": [{"inner": {}}]})));
    assert!(!accepts(json!({"others": [{"inner": {"same": null}}]})));
}

#[test]
fn b17_keys_of_maps_are_said() {
    let names = |schema: Json| schema["properties"]["x"]["propertyNames"].clone();
    let bytes = json!({"type": "string", "pattern": "^(0|2(5[0-5]|[0-4][0-9])|1[0-9]{2}|[1-9][0-9]{0,1})$"});
    assert_eq!(names(of::<BTreeMap<u8, bool>>()), bytes);
    assert_eq!(of::<BTreeMap<u8, bool>>()["properties"]["x"]["additionalProperties"], json!({"type": "boolean"}));
    assert_eq!(names(of::<BTreeMap<bool, u8>>()), json!({"type": "string", "enum": ["true", "false"]}));
    assert_eq!(names(of::<BTreeMap<char, u8>>()), json!({"type": "string", "minLength": 1, "maxLength": 1}));
    assert_eq!(names(of::<BTreeMap<Way, u8>>()), json!({"type": "string", "enum": ["up", "down"]}), "docs or not");
    assert_eq!(names(of::<BTreeMap<String, u8>>()), Json::Null);
    assert_eq!(names(of::<Beside>()), json!({"anyOf": [{"type": "string", "enum": ["id"]}, bytes]}));
    // What is sent is read by others: the form of the keys, not the range of the type.
    let sent = json!({"type": "string", "pattern": r"^(0|[1-9]\d*)$"});
    assert_eq!(names(self::sent::<BTreeMap<u32, bool>>()), sent);
}

#[test]
fn spans_of_time_hold_no_second_in_nanoseconds() {
    let span = &of::<std::time::Duration>()["properties"]["x"];
    assert_eq!(span["properties"]["nanos"]["maximum"], json!(999_999_999), "{span}");
    assert_eq!(span["properties"]["secs"]["maximum"], json!(9_007_199_254_740_991_i64));
}

#[test]
fn unit_enums_are_plain_enums_with_their_docs() {
    let way = &of::<Way>()["properties"]["x"];
    assert_eq!(way["enum"], json!(["down", "up"]));
    assert_eq!(way["type"], json!("string"));
    assert!(way["description"].as_str().unwrap().contains("`up`: Towards the top."));
    let field = FieldDecl::port("x", "Where to.", "Way", call::input_type::<Way>().decl);
    let described = published(input(&[field]).unwrap());
    assert_eq!(described["properties"]["x"]["description"], json!("Where to.\n`up`: Towards the top."));
}

#[test]
fn wire_types_are_read_from_the_schema() {
    assert_eq!(wire::<Option<String>>(), "TEXT");
    assert_eq!(wire::<Way>(), "TEXT");
    assert_eq!(wire::<bool>(), "BOOL");
    assert_eq!(wire::<u8>(), "ANY");
    assert_eq!(wire::<Vec<String>>(), "LIST[TEXT]");
    assert_eq!(wire::<Vec<Vec<String>>>(), "LIST[ANY]");
    assert_eq!(wire::<BTreeMap<String, f64>>(), "METRICS");
    assert_eq!(wire::<BTreeMap<u8, f64>>(), "ANY");
    assert_eq!(wire::<(u8, u8)>(), "ANY");
    assert_eq!(wire::<Inner>(), "ANY");
    assert_eq!(wire::<Lists>(), "LIST[ANY]");
}

#[test]
fn a_slider_publishes_its_step_only_where_it_is_exact() {
    let slider = |default, step| {
        let config = ConfigDecl::new(Widget::Slider { min: 0.0, max: 1.0, step: Some(step) });
        let field =
            FieldDecl::config("x", "Share.", "f32", call::input::<f32>(), config.default(Literal::Float(default)));
        published(input(&[field]).unwrap())["properties"]["x"].clone()
    };
    assert_eq!(slider(0.02, 0.01)["multipleOf"], json!(0.01));
    let coarse = slider(0.02, 0.05);
    assert!(coarse.get("multipleOf").is_none());
    assert_eq!(coarse["description"], json!("Share. In steps of 0.05."));
    assert_eq!(coarse["maximum"], json!(1.0));
    assert_eq!(coarse["default"], json!(0.02));
}

#[test]
fn a_widget_never_widens_its_type() {
    let config = ConfigDecl::new(Widget::Number { min: Some(-5.0), max: Some(1000.0) }).default(Literal::Int(1));
    let field = FieldDecl::config("x", "", "u8", call::input::<u8>(), config);
    let schema = published(input(&[field]).unwrap())["properties"]["x"].clone();
    assert_eq!((&schema["minimum"], &schema["maximum"]), (&json!(0), &json!(255)));
}

#[test]
fn a_select_needs_options_from_somewhere() {
    let config = ConfigDecl::new(Widget::Select(&[])).default(Literal::Text("up"));
    assert!(input(&[FieldDecl::config("x", "", "Way", call::input::<Way>(), config)]).is_ok());
    let defect = input(&[FieldDecl::config("x", "", "String", call::input::<String>(), config)]).unwrap_err();
    assert!(defect.to_string().contains("list them"), "{defect}");
}

#[test]
fn b01_no_fields_give_a_closed_empty_object() {
    let schema = published(input(&[]).unwrap());
    assert_eq!(schema, json!({"type": "object", "properties": {}, "additionalProperties": false}));
}
