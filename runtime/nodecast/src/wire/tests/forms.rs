//! What serde's forms decode to and from, alike in both regimes (`specs/forms.md` D).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::wire::{
    Regime, Value, WireError, accepts_missing, from_missing, from_value, from_value_in, json as json_regime, msgpack,
    to_value,
};

/// Through bytes of both regimes and back, to the same value.
fn round_trips<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    let tree = to_value(value).unwrap();
    let through_msgpack = msgpack::decode(&msgpack::encode(&tree).unwrap()).unwrap();
    assert_eq!(&from_value_in::<T>(through_msgpack, Regime::Msgpack).unwrap(), value);
    let bytes = json_regime::encode(&tree).unwrap();
    assert_eq!(&from_value::<T>(json_regime::decode(&bytes).unwrap()).unwrap(), value, "{tree}");
    // What serde_json writes is what we write.
    assert_eq!(serde_json::from_slice::<Json>(&bytes).unwrap(), serde_json::to_value(value).unwrap());
}

fn decoded<T: DeserializeOwned>(value: Json) -> Result<T, WireError> {
    from_value(value.into())
}

fn kind<T: DeserializeOwned + Debug>(value: Json) -> &'static str {
    decoded::<T>(value).unwrap_err().kind
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum External {
    Unit,
    New(i64),
    Pair(i64, String),
    Named { a: i64, b: Option<String> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Inner {
    a: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Internal {
    Unit,
    New(Inner),
    Named { a: i64, of: External },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(i64),
    Pair(i64, String),
    Named { a: i64 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Int(u8),
    Float(f64),
    Of(External),
    Named { a: i64 },
}

#[test]
fn b07_enumerations_in_both_regimes() {
    let external = [
        External::Unit,
        External::New(-7),
        External::Pair(1, "x".into()),
        External::Named { a: 1, b: None },
        External::Named { a: 1, b: Some("y".into()) },
    ];
    let internal = [
        Internal::Unit,
        Internal::New(Inner { a: 255 }),
        Internal::Named { a: 1, of: External::New(2) },
        Internal::Named { a: 1, of: External::Unit },
    ];
    let adjacent = [Adjacent::Unit, Adjacent::New(1), Adjacent::Pair(1, "x".into()), Adjacent::Named { a: 1 }];
    let untagged = [
        Untagged::Int(7),
        Untagged::Float(7.5),
        Untagged::Of(External::Unit),
        Untagged::Of(External::New(3)),
        Untagged::Named { a: 4 },
    ];
    round_trips(&external.to_vec());
    round_trips(&internal.to_vec());
    round_trips(&adjacent.to_vec());
    round_trips(&untagged.to_vec());
    for value in external {
        round_trips(&Some(value));
    }
    for value in internal {
        round_trips(&Some(value));
    }
    for value in adjacent {
        round_trips(&Some(value));
    }
    for value in untagged {
        round_trips(&Some(value));
    }
}

#[test]
fn a_unit_variant_has_no_content() {
    assert_eq!(decoded::<External>(json!("Unit")).unwrap(), External::Unit);
    assert_eq!(kind::<External>(json!({"Unit": null})), "wrong_type");
    assert_eq!(kind::<External>(json!("New")), "wrong_type");
    assert_eq!(kind::<External>(json!({"New": 1, "Unit": 2})), "wrong_type");
    assert_eq!(kind::<External>(json!({})), "wrong_type");
    let error = decoded::<External>(json!("Unot")).unwrap_err();
    assert_eq!((error.kind, error.expected.as_deref()), ("not_an_option", Some("`Unit`, `New`, `Pair`, `Named`")));
    let error = decoded::<External>(json!({"Named": {"a": "x", "b": null}})).unwrap_err();
    assert_eq!(error.pointer, "/Named/a");
}

#[test]
fn b09_a_field_left_out_in_the_middle() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        a: i64,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<String>,
        c: Vec<i64>,
    }
    round_trips(&Row { a: 1, b: None, c: vec![2] });
    round_trips(&Row { a: 1, b: Some("x".into()), c: vec![] });
}

#[test]
fn b10_no_struct_from_a_list() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Query {
        limit: u32,
    }
    let refused = [
        kind::<Query>(json!([5])),
        kind::<Duration>(json!([1, 0])),
        kind::<Adjacent>(json!(["New", 1])),
        kind::<External>(json!({"Named": [1, null]})),
    ];
    assert_eq!(refused, ["wrong_type"; 4]);
    assert!(from_value_in::<Query>(msgpack::decode(&[0x91, 0x05]).unwrap(), Regime::Msgpack).is_err());
    // Nor by the position of its fields, which serde's derive would take for names.
    assert_eq!(
        from_value_in::<Query>(msgpack::decode(&[0x81, 0, 5]).unwrap(), Regime::Msgpack).unwrap_err().kind,
        "map_key"
    );
}

#[test]
fn b11_integers_of_128_bits_are_text_where_they_are_wide() {
    assert_eq!(to_value(&u128::from(u64::MAX)).unwrap(), Value::from(u64::MAX));
    assert_eq!(to_value(&i128::from(i64::MIN)).unwrap(), Value::from(i64::MIN));
    assert_eq!(from_value::<i128>(Value::from(u64::MAX)).unwrap(), i128::from(u64::MAX));
    let wide = "340282366920938463463374607431768211455";
    assert_eq!(to_value(&u128::MAX).unwrap(), Value::from(wide));
    for regime in [Regime::Json, Regime::Msgpack] {
        assert_eq!(from_value_in::<u128>(wide.into(), regime).unwrap(), u128::MAX);
        assert_eq!(from_value_in::<Vec<i128>>(to_value(&[i128::MIN]).unwrap(), regime).unwrap(), [i128::MIN]);
        let keys = BTreeMap::from([(i128::MIN, 1_u8), (0, 2)]);
        assert_eq!(from_value_in::<BTreeMap<i128, u8>>(to_value(&keys).unwrap(), regime).unwrap(), keys);
        for text in ["+1", "01", "-0", "", "1.0", "340282366920938463463374607431768211456"] {
            assert_eq!(from_value_in::<u128>(text.into(), regime).unwrap_err().kind, "wrong_type", "{text}");
        }
    }
}

#[test]
fn b35_integral_floats_are_integers() {
    assert_eq!(decoded::<u8>(json!(5.0)).unwrap(), 5);
    assert_eq!(decoded::<i64>(json!(-0.0)).unwrap(), 0);
    assert_eq!(decoded::<Vec<u16>>(json!([1.0, 2e2])).unwrap(), [1, 200]);
    assert_eq!(decoded::<Option<std::num::NonZeroU8>>(json!(3.0)).unwrap().unwrap().get(), 3);
    assert_eq!(kind::<u8>(json!(5.5)), "wrong_type");
    assert_eq!(kind::<u8>(json!(256.0)), "out_of_range");
    assert_eq!(kind::<u64>(json!(1e19)), "wrong_type");
    assert_eq!(kind::<std::num::NonZeroU8>(json!(0)), "out_of_range");
}

#[test]
fn b35_also_where_serde_buffers() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Outer {
        #[serde(flatten)]
        inner: Inner,
    }
    assert_eq!(decoded::<Outer>(json!({"a": 5.0})).unwrap().inner.a, 5);
    assert_eq!(decoded::<Internal>(json!({"kind": "New", "a": 5.0})).unwrap(), Internal::New(Inner { a: 5 }));
    assert_eq!(decoded::<Adjacent>(json!({"c": 5.0, "t": "New"})).unwrap(), Adjacent::New(5));
    assert_eq!(decoded::<Vec<Untagged>>(json!([{"a": 5.0}])).unwrap(), [Untagged::Named { a: 5 }]);
    // A float that does as a float stays one.
    assert_eq!(decoded::<Vec<Untagged>>(json!([1.0])).unwrap(), [Untagged::Float(1.0)]);
    assert_eq!(decoded::<Internal>(json!({"kind": "New", "a": 256.0})).unwrap_err().kind, "wrong_type");
}

#[test]
fn integers_are_floats() {
    assert!((decoded::<f64>(json!(3)).unwrap() - 3.0).abs() < f64::EPSILON);
    assert!((decoded::<f32>(json!(16_777_217)).unwrap() - 16_777_216.0).abs() < f32::EPSILON);
    assert_eq!(kind::<f32>(json!(1e300)), "out_of_range");
    assert!(from_value::<f32>(Value::from(f64::NAN)).unwrap().is_nan());
    assert!(from_value::<f32>(Value::from(f64::INFINITY)).unwrap().is_infinite());
}

#[test]
fn nothing_else_is_coerced() {
    assert_eq!(kind::<bool>(json!(1)), "wrong_type");
    assert_eq!(kind::<i64>(json!("1")), "wrong_type");
    assert_eq!(kind::<String>(json!(1)), "wrong_type");
    assert_eq!(kind::<Vec<i64>>(json!({})), "wrong_type");
    assert_eq!(kind::<(i64, i64)>(json!([1])), "wrong_type");
    assert_eq!(kind::<(i64, i64)>(json!([1, 2, 3])), "wrong_type");
    assert_eq!(kind::<char>(json!("ab")), "wrong_type");
    assert_eq!(kind::<()>(json!(0)), "wrong_type");
    assert_eq!(from_value::<Vec<u8>>(crate::wire::Bytes::from([1]).into()).unwrap_err().kind, "wrong_type");
}

#[test]
fn unknown_and_missing_fields_point_at_themselves() {
    #[derive(Debug, Deserialize)]
    struct Rows {
        #[expect(dead_code, reason = "never decoded")]
        rows: Vec<Inner>,
    }
    let error = decoded::<Rows>(json!({"rows": [{"a": 1}, {"a": 1, "b": 2}]})).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("unknown_field", "/rows/1/b"));
    let error = decoded::<Rows>(json!({"rows": [{}]})).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("missing_field", "/rows/0/a"));
    let error = decoded::<Rows>(json!({"rows": [{"a": -1}]})).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("out_of_range", "/rows/0/a"));
    assert_eq!(error.detail, "expected an integer from 0 to 255, got -1");
    for error in [decoded::<Rows>(json!(1)).unwrap_err(), decoded::<Rows>(json!({"rows": [1]})).unwrap_err()] {
        assert!(!error.detail.contains("Rows") && !error.detail.contains("Inner"), "{}", error.detail);
    }
}

#[test]
fn keys_become_what_the_map_declares() {
    let by_int: BTreeMap<i64, bool> = [(-1, true), (20, false)].into();
    round_trips(&by_int);
    assert_eq!(to_value(&by_int).unwrap().as_map().unwrap().iter().next().unwrap().0, Value::from(-1_i64));
    round_trips(&BTreeMap::from([(true, 1_u8), (false, 2)]));
    round_trips(&BTreeMap::from([('x', 1_u8)]));
    assert_eq!(decoded::<BTreeMap<u8, u8>>(json!({"7": 1})).unwrap(), BTreeMap::from([(7, 1)]));
    for key in ["01", "-0", "+1", "007", " 1", "1.0", "x", ""] {
        assert_eq!(kind::<BTreeMap<i64, u8>>(json!({key: 1})), "map_key", "{key:?}");
    }
    let error = decoded::<BTreeMap<u8, u8>>(json!({"256": 1})).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("map_key", "/256"));
    assert_eq!(error.detail, "expected an integer from 0 to 255, got 256");
    // Buffered, a key is text alone until it is tried as what it writes.
    assert!(decoded::<Buffered>(json!({"t": "Keys", "by_number": {"7": 1}, "by_truth": {"true": 1}})).is_ok());
    assert_eq!(kind::<BTreeMap<bool, u8>>(json!({"yes": 1})), "map_key");
    let int = msgpack::decode(&[0x81, 0x07, 0x01]).unwrap();
    assert_eq!(from_value_in::<BTreeMap<u8, u8>>(int.clone(), Regime::Msgpack).unwrap(), BTreeMap::from([(7, 1)]));
    assert_eq!(from_value_in::<BTreeMap<String, u8>>(int, Regime::Msgpack).unwrap_err().kind, "map_key");
}

#[test]
fn sets_keep_their_order_and_meet_no_twin() {
    round_trips(&BTreeSet::from([3_i64, -1, 20]));
    let error = to_value(&Twice).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("duplicate_key", "/a"));
}

#[derive(Debug, Deserialize)]
#[serde(tag = "t")]
#[expect(dead_code, reason = "only decoded")]
enum Buffered {
    Keys { by_number: BTreeMap<u8, u8>, by_truth: BTreeMap<bool, u8> },
}

/// Writes one key twice, as flattened structs can.
struct Twice;

impl Serialize for Twice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("a", &1)?;
        map.serialize_entry("a", &2)?;
        map.end()
    }
}

#[test]
fn only_an_option_may_be_left_out() {
    type Alias = Option<String>;
    assert!(accepts_missing::<Alias>() && accepts_missing::<Option<Value>>());
    assert!(!accepts_missing::<()>() && !accepts_missing::<Value>() && !accepts_missing::<Vec<u8>>());
    assert!(!accepts_missing::<Inner>() && !accepts_missing::<crate::wire::Image>());
    assert_eq!(from_missing::<Option<i64>>().unwrap(), None);
    assert_eq!(from_missing::<i64>().unwrap_err().kind, "missing_field");
}

#[test]
fn f32_is_widened() {
    assert_eq!(to_value(&0.1_f32).unwrap(), Value::from(0.100_000_001_490_116_12_f64));
}
