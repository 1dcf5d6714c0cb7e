//! Types by themselves: no fields, numbers, options, maps (`faults.md` B01, B13, B14, B17, B45; `mcp.md` 2).

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::num::NonZeroI8;

use nodecast::contract::Profile;
use nodecast::prelude::*;
use nodecast::testing::Client;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::declared::{Set, agree, called, given, taken};

#[nodeset(name = "clock", nodes(Now, Advised))]
#[derive(Default)]
struct Clock;

#[node]
struct Now;

impl Node<Clock> for Now {
    type Output = u64;
    type Error = Error;

    async fn run(self, _: &Clock, _: &Context) -> Result<u64, Error> {
        Ok(7)
    }
}

/// Has a line of text in an editor, and nothing to set.
#[node]
struct Advised {
    /// Look twice.
    #[config(label)]
    advice: (),
}

impl Node<Clock> for Advised {
    type Output = u64;
    type Error = Error;

    async fn run(self, _: &Clock, _: &Context) -> Result<u64, Error> {
        let Self { advice: () } = self;
        Ok(7)
    }
}

/// The same of a node whose only field is a label (B27).
#[tokio::test]
async fn b27_a_label_is_no_argument() {
    let client = Client::<Clock>::start(()).await.unwrap();
    let schema = Json::Object(client.tools()[1].input_schema.clone());
    assert_eq!(schema.to_string(), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
    assert_eq!(client.call("advised", json!({})).await.unwrap(), json!({"result": 7}));
    assert_eq!(client.call("advised", json!({"advice": 1})).await.unwrap_err().kind(), "unknown_field");
}

#[tokio::test]
async fn b01_a_node_without_arguments_is_a_closed_object() {
    let client = Client::<Clock>::start(()).await.unwrap();
    let schema = Json::Object(client.tools()[0].input_schema.clone());
    assert_eq!(schema.to_string(), r#"{"type":"object","properties":{},"additionalProperties":false}"#);
    assert_eq!(client.call("now", json!({})).await.unwrap(), json!({"result": 7}));
    assert_eq!(client.call("now", json!({"at": 1})).await.unwrap_err().kind(), "unknown_field");
}

#[tokio::test]
async fn b13_integers_have_bounds_and_no_format_of_their_own() {
    const MAX: i64 = 9_007_199_254_740_991;
    let bounds = |schema: Json| (schema["minimum"].clone(), schema["maximum"].clone());
    let all = [
        (taken::<u8>(Profile::Inline), json!(0), json!(255)),
        (taken::<u16>(Profile::Inline), json!(0), json!(65_535)),
        (taken::<u32>(Profile::Inline), json!(0), json!(4_294_967_295_u32)),
        (taken::<u64>(Profile::Inline), json!(0), json!(MAX)),
        (taken::<usize>(Profile::Inline), json!(0), json!(MAX)),
        (taken::<i8>(Profile::Inline), json!(-128), json!(127)),
        (taken::<i64>(Profile::Inline), json!(-MAX), json!(MAX)),
        (taken::<std::num::NonZeroU8>(Profile::Inline), json!(1), json!(255)),
    ];
    for (schema, min, max) in all {
        assert_eq!(schema["type"], "integer", "{schema}");
        assert!(schema.get("format").is_none(), "{schema}");
        assert_eq!(bounds(schema), (min, max));
    }
    assert!(taken::<Vec<u64>>(Profile::Full).to_string().matches("format").count() == 0);
    agree::<u8>(&[json!(0), json!(255), json!(5.0)], &[json!(-1), json!(256), json!(0.5), json!("5"), json!(null)])
        .await;
    agree::<i64>(&[json!(-MAX), json!(MAX)], &[json!(1e300)]).await;
}

// The docs of a variant make another schema of it, and none at all of a key.
#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Way {
    /// Towards the top.
    Up,
    Down,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Optional {
    text: Option<String>,
    way: Option<Way>,
    numbers: Option<Vec<u8>>,
    #[serde(default)]
    count: u64,
    #[serde(default = "three")]
    size: Option<u8>,
}

#[allow(clippy::unnecessary_wraps, reason = "the form that serde asks for")]
fn three() -> Option<u8> {
    Some(3)
}

#[tokio::test]
async fn b14_what_may_be_left_out_is_not_required_and_never_nullable() {
    let all = json!({"text": "a", "way": "up", "numbers": [1], "count": 2, "size": 4});
    let none = json!({"text": null, "way": null, "numbers": null, "count": 0, "size": null});
    let (full, inline) = (taken::<Optional>(Profile::Full), taken::<Optional>(Profile::Inline));
    for schema in [&full, &inline] {
        let text = schema.to_string();
        assert!(schema.get("required").is_none() && !text.contains("nullable"), "{text}");
        assert!(!text.contains("\"default\":null"), "{text}");
    }
    assert!(full.to_string().contains("null"));
    assert!(!inline.to_string().contains("null"), "{inline}");
    assert_eq!(inline["properties"]["text"], json!({"type": "string"}));
    assert_eq!(inline["properties"]["way"]["enum"], json!(["down", "up"]));
    assert_eq!(inline["properties"]["count"]["default"], json!(0));
    assert_eq!(inline["properties"]["size"]["default"], json!(3));

    assert_eq!(called::<Optional>(all.clone()).await.unwrap(), all);
    assert_eq!(called::<Optional>(none.clone()).await.unwrap(), none, "null is accepted as the full contract says");
    let left_out = json!({"text": null, "way": null, "numbers": null, "count": 0, "size": 3});
    assert_eq!(called::<Optional>(json!({})).await.unwrap(), left_out);
    agree::<Optional>(&[all, json!({})], &[json!({"count": null}), json!({"text": 1}), json!({"way": "left"})]).await;
    agree::<Option<String>>(&[json!("a")], &[json!(1)]).await;
}

#[tokio::test]
async fn b17_keys_are_what_the_decoder_takes() {
    type Unsigned = BTreeMap<u32, bool>;
    type Signed = HashMap<i64, bool>;
    let keys = |schema: Json| schema["propertyNames"]["pattern"].as_str().map(str::to_owned);
    assert!(keys(taken::<Unsigned>(Profile::Inline)).is_some() && keys(taken::<Signed>(Profile::Inline)).is_some());
    agree::<Unsigned>(
        &[json!({"0": true, "17": false}), json!({"4294967295": true}), json!({})],
        &[json!({"01": true}), json!({"-1": true}), json!({"a": true}), json!({"4294967296": true})],
    )
    .await;
    agree::<Signed>(
        &[json!({"-5": true}), json!({"9223372036854775807": true})],
        &[json!({"-0": true}), json!({"1.5": true}), json!({"9223372036854775808": true})],
    )
    .await;
    agree::<BTreeMap<bool, u8>>(&[json!({"true": 1, "false": 2})], &[json!({"True": 1}), json!({"1": 1})]).await;
    agree::<BTreeMap<char, u8>>(&[json!({"é": 1})], &[json!({"": 1}), json!({"ab": 1})]).await;
    agree::<BTreeMap<NonZeroI8, u8>>(&[json!({"-128": 1})], &[json!({"0": 1}), json!({"128": 1})]).await;
    agree::<BTreeMap<Way, u8>>(&[json!({"up": 1})], &[json!({"top": 1}), json!({"Up": 1})]).await;
    agree::<BTreeMap<String, bool>>(&[json!({"": true, "a b": false})], &[json!({"a": 1})]).await;
    agree::<BTreeMap<Side, u8>>(&[json!({"left": 1})], &[json!({"top": 1}), json!({"left": "1"})]).await;
}

/// Without docs on its variants.
#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "snake_case")]
enum Side {
    Left,
    Right,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(rename(serialize = "total", deserialize = "sum"))]
    sum: u32,
}

#[tokio::test]
async fn b45_a_result_has_the_serialize_contract() {
    let schema = given::<Report>(Profile::Inline);
    assert_eq!(schema["required"], json!(["total"]), "{schema}");
    assert!(schema.get("additionalProperties").is_none(), "results are open: {schema}");
    let validator = jsonschema::validator_for(&schema).unwrap();
    for sent in [json!({"sum": 1}), json!({"sum": 1, "note": "n"})] {
        let back = called::<Report>(sent).await.unwrap();
        assert!(validator.is_valid(&back) && back["total"] == 1, "{back}");
    }
    assert_eq!(taken::<Report>(Profile::Inline)["required"], json!(["sum"]));
}

#[tokio::test]
async fn collections_say_how_many_and_whether_twice() {
    agree::<BTreeSet<u8>>(&[json!([1, 2])], &[json!([1, 1])]).await;
    agree::<[u8; 2]>(&[json!([1, 2])], &[json!([1]), json!([1, 2, 3])]).await;
    agree::<(u8, String)>(&[json!([1, "a"])], &[json!([1]), json!([1, "a", 2]), json!(["a", 1])]).await;
    agree::<char>(&[json!("ä")], &[json!(""), json!("ab")]).await;
}

/// No boolean schema, no property without a type: every JSON value lists its types (`mcp.md` 2).
#[tokio::test]
async fn any_value_lists_its_types() {
    for schema in [taken::<Value>(Profile::Inline), taken::<Json>(Profile::Inline)] {
        let types: Vec<_> = schema["anyOf"].as_array().unwrap().iter().map(|branch| branch["type"].clone()).collect();
        assert_eq!(types, ["null", "boolean", "number", "string", "array", "object"], "{schema}");
    }
    agree::<Json>(&[json!({"a": [1, null]}), json!("x")], &[]).await;
}

#[tokio::test]
async fn a_unit_enum_is_a_plain_enum_with_the_docs_of_its_variants() {
    let schema = taken::<Way>(Profile::Inline);
    assert_eq!((&schema["type"], &schema["enum"]), (&json!("string"), &json!(["down", "up"])));
    assert_eq!(schema["description"], json!("`up`: Towards the top."));
    agree::<Way>(&[json!("up"), json!("down")], &[json!("Up"), json!(null), json!({"up": null})]).await;
}

/// JSON has one kind of number: 1e19 and 10000000000000000000 are one value to every schema, so they are to a call.
#[tokio::test]
async fn numbers_beyond_the_integers_of_json_are_floats() {
    let large = [json!(9_007_199_254_740_993_u64), json!(u64::MAX), json!(i64::MIN), json!(1e19)];
    agree::<Option<f32>>(&large, &[]).await;
    for x in large {
        let client = Client::<Set<Value>>::start(()).await.unwrap();
        let back = client.call("echo", json!({ "x": x })).await.unwrap();
        assert_eq!(back["y"].as_f64(), x.as_f64(), "{x}");
        let client = Client::<Set<i64>>::start(()).await.unwrap();
        let refused = client.call("echo", json!({ "x": x })).await.unwrap_err();
        let finding = &refused.findings()[0];
        assert_eq!((finding.kind, finding.pointer.as_str()), ("out_of_range", "/x"), "{x}");
        assert!(finding.detail.contains("declared `as_string`"), "{}", finding.detail);
    }
}
