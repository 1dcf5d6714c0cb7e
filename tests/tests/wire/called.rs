//! The other forms of numbers from a declaration to a reply: inputs, config and outputs, in both regimes and on MCP.

use std::collections::BTreeMap;

use nodecast::prelude::*;
use nodecast::testing::Client;
use nodecast::wire::Regime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{object, only};

/// Numbers that JSON has no number for.
#[nodeset(name = "forms", nodes(Count, Gap, Wide))]
#[derive(Default)]
struct Forms;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Mark {
    at: u64,
    label: String,
}

/// Counts on.
#[node]
struct Count {
    /// From here.
    #[port(as_string)]
    from: i64,
    #[port(as_string)]
    marks: Option<Vec<Mark>>,
    /// So far.
    #[config(as_string, default = 1, number(min = 1, max = 100))]
    by: u8,
    plain: Option<u32>,
}

#[derive(Outputs)]
struct Counted {
    #[port(as_string)]
    to: i64,
    #[port(as_string)]
    marks: BTreeMap<u8, Mark>,
    plain: u32,
}

impl Node<Forms> for Count {
    type Output = Counted;
    type Error = Error;

    async fn run(self, _: &Forms, _: &Context) -> Result<Counted, Error> {
        let marks = self.marks.unwrap_or_default();
        Ok(Counted {
            to: self.from.wrapping_add(self.by.into()),
            marks: (0..).zip(marks).collect(),
            plain: self.plain.unwrap_or_default(),
        })
    }
}

/// Gives back what has gaps.
#[node]
struct Gap {
    #[port(nan = "null")]
    samples: Vec<f64>,
    plain: Option<f64>,
}

#[derive(Outputs)]
struct Gaps {
    #[port(nan = "null")]
    samples: Vec<f64>,
    #[port(nan = "null")]
    infinite: f32,
    plain: f64,
}

impl Node<Forms> for Gap {
    type Output = Gaps;
    type Error = Error;

    async fn run(self, _: &Forms, _: &Context) -> Result<Gaps, Error> {
        let plain = self.plain.unwrap_or_default();
        Ok(Gaps { samples: self.samples, infinite: f32::NEG_INFINITY, plain })
    }
}

/// Gives back what is wider than 64 bits.
#[node]
struct Wide {
    #[port(as_string)]
    number: u128,
}

#[derive(Outputs)]
struct Widened {
    #[port(as_string)]
    number: u128,
}

impl Node<Forms> for Wide {
    type Output = Widened;
    type Error = Error;

    async fn run(self, _: &Forms, _: &Context) -> Result<Widened, Error> {
        Ok(Widened { number: self.number })
    }
}

#[tokio::test]
async fn integers_are_text_in_json_both_ways() {
    let client = Client::<Forms>::start(()).await.unwrap();
    let marks = json!([{"at": "18446744073709551615", "label": "7"}]);
    let reply = client.call("count", json!({"from": "9223372036854775806", "marks": marks, "plain": 3})).await.unwrap();
    let marks = json!({"0": {"at": "18446744073709551615", "label": "7"}});
    assert_eq!(reply, json!({"to": "9223372036854775807", "marks": marks, "plain": 3}), "the default counts 1");
    let reply = client.call("count", json!({"from": "-5", "by": "100"})).await.unwrap();
    assert_eq!(reply, json!({"to": "95", "marks": {}, "plain": 0}));
    for (arguments, pointer) in [
        (json!({"from": 5}), "/from"),
        (json!({"from": "9223372036854775808"}), "/from"),
        (json!({"from": "05"}), "/from"),
        (json!({"from": "5", "by": "101"}), "/by"),
        (json!({"from": "5", "by": 5}), "/by"),
        (json!({"from": "5", "marks": [{"at": "-1", "label": ""}]}), "/marks/0/at"),
        (json!({"from": "5", "plain": "5"}), "/plain"),
    ] {
        let finding = only(&client.call("count", arguments.clone()).await.unwrap_err());
        assert_eq!((finding.kind, &*finding.pointer), ("wrong_type", pointer), "{arguments}");
    }
}

#[tokio::test]
async fn integers_are_integers_in_msgpack_and_text_is_taken_too() {
    let client = Client::<Forms>::start(()).await.unwrap();
    for from in [Value::from(i64::MAX - 1), "9223372036854775806".into()] {
        let reply = client.call_with("count", object([("from", from)]), Regime::Msgpack).await.unwrap();
        assert_eq!(reply.get("to"), Some(&i64::MAX.into()));
    }
    let refused = client.call_with("count", object([("from", "x".into())]), Regime::Msgpack).await.unwrap_err();
    assert_eq!(only(&refused).kind, "wrong_type");
}

#[tokio::test]
async fn what_is_not_finite_is_null_in_json_and_kept_in_msgpack() {
    let client = Client::<Forms>::start(()).await.unwrap();
    let reply = client.call("gap", json!({"samples": [1.5, null, -2]})).await.unwrap();
    assert_eq!(reply, json!({"samples": [1.5, null, -2.0], "infinite": null, "plain": 0.0}));
    let samples: Value = [f64::NAN, f64::INFINITY, 0.5].into_iter().map(Value::from).collect();
    let reply = client.call_with("gap", object([("samples", samples)]), Regime::Msgpack).await.unwrap();
    let samples: Vec<f64> = nodecast::wire::from_value(reply.get("samples").unwrap().clone()).unwrap();
    assert!(samples[0].is_nan() && samples[1].is_infinite() && samples[2].to_bits() == 0.5_f64.to_bits());
    assert_eq!(reply.get("infinite"), Some(&f64::NEG_INFINITY.into()));
    // A field that does not say it refuses in JSON what is not finite, on the way out too.
    let plain = object([("samples", Vec::<Value>::new().into()), ("plain", f64::NAN.into())]);
    assert!(client.call_with("gap", plain, Regime::Msgpack).await.is_ok());
}

#[tokio::test]
async fn b11_integers_of_128_bits_are_text_in_both_regimes() {
    let client = Client::<Forms>::start(()).await.unwrap();
    for number in [0, 7, u128::from(u64::MAX), u128::MAX] {
        let text = number.to_string();
        let reply = client.call("wide", json!({"number": text})).await.unwrap();
        assert_eq!(reply, json!({"number": text}));
        let sent = nodecast::wire::to_value(&number).unwrap();
        let reply = client.call_with("wide", object([("number", sent.clone())]), Regime::Msgpack).await.unwrap();
        assert_eq!(reply, object([("number", sent)]));
    }
}

#[tokio::test]
async fn published_schemas_say_the_form() {
    let client = Client::<Forms>::start(()).await.unwrap();
    let tools = client.tools();
    let count = tools.iter().find(|tool| tool.name == "forms__count").unwrap();
    let arguments = jsonschema::validator_for(&serde_json::Value::Object(count.input_schema.clone())).unwrap();
    assert!(arguments.is_valid(&json!({"from": "-9223372036854775808", "by": "100"})));
    assert!(!arguments.is_valid(&json!({"from": "-9223372036854775809"})));
    assert!(!arguments.is_valid(&json!({"from": 5})));
    assert_eq!(count.input_schema["properties"]["by"]["default"], json!("1"));
    let outputs = jsonschema::validator_for(&count.output_schema.clone().unwrap().into()).unwrap();
    let reply = client.call("count", json!({"from": "1"})).await.unwrap();
    assert!(outputs.is_valid(&reply), "{reply}");
    let manifest = client.manifest().unwrap();
    let from = &manifest["functions"][0]["input_ports"][0];
    assert_eq!(from["nodecast"], json!({"int64": "string"}));
    assert_eq!(manifest["functions"][0]["ui_config"]["config_fields"][0]["default"], json!("1"));
    assert_eq!(manifest["functions"][1]["input_ports"][0]["nodecast"], json!({"nan": "null"}));
}

/// Every integer of every field.
#[nodeset(name = "all", as_string, nodes(Double))]
#[derive(Default)]
struct All;

#[node]
struct Double {
    number: i32,
    share: f64,
}

#[derive(Outputs)]
struct Doubled {
    number: i64,
    share: f64,
}

impl Node<All> for Double {
    type Output = Doubled;
    type Error = Error;

    async fn run(self, _: &All, _: &Context) -> Result<Doubled, Error> {
        Ok(Doubled { number: 2 * i64::from(self.number), share: 2.0 * self.share })
    }
}

#[tokio::test]
async fn a_nodeset_says_it_for_all_of_its_fields() {
    let client = Client::<All>::start(()).await.unwrap();
    let reply = client.call("double", json!({"number": "-21", "share": 2})).await.unwrap();
    assert_eq!(reply, json!({"number": "-42", "share": 4.0}));
    assert!(client.call("double", json!({"number": 21, "share": 2})).await.is_err());
}
