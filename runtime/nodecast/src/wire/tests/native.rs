//! Pictures, arrays and bytes pass serde uncopied, wherever a user's type holds them.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::wire::{Bytes, Image, Map, Regime, Tensor, Value, from_value, from_value_in, to_value};

fn image() -> Image {
    Image::rgb8(1, 1, [1, 2, 3]).unwrap()
}

fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Map::from_iter(entries).into()
}

#[derive(Debug, Serialize, Deserialize)]
struct Boxed {
    crop: Image,
    #[serde(flatten)]
    rest: Rest,
}

#[derive(Debug, Serialize, Deserialize)]
struct Rest {
    depth: Tensor,
    raw: Bytes,
    #[serde(default)]
    any: Value,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Either {
    Text(String),
    Picture(Image),
    Array { array: Tensor },
}

#[test]
fn the_same_picture_in_and_out() {
    let sent = image();
    let ports: Vec<Image> = from_value(vec![sent.clone().into(), sent.clone().into()].into()).unwrap();
    assert!(ports.iter().all(|port| port.ptr_eq(&sent)));
    let named: BTreeMap<String, Image> = from_value(map([("a", sent.clone().into())])).unwrap();
    assert!(named["a"].ptr_eq(&sent));
    let optional: Option<Image> = from_value(sent.clone().into()).unwrap();
    assert!(optional.unwrap().ptr_eq(&sent));

    let out = to_value(&named).unwrap();
    assert!(out.get("a").unwrap().as_image().unwrap().ptr_eq(&sent));
}

#[test]
fn through_flatten() {
    let (crop, depth) = (image(), Tensor::from_elements([2], &[1_u8, 2]).unwrap());
    let value = map([
        ("crop", crop.clone().into()),
        ("depth", depth.clone().into()),
        ("raw", Bytes::from([9]).into()),
        ("any", vec![Value::from(depth.clone()), Value::from(1_i64)].into()),
    ]);
    let boxed: Boxed = from_value(value.clone()).unwrap();
    assert!(boxed.crop.ptr_eq(&crop) && boxed.rest.depth.ptr_eq(&depth));
    assert_eq!(*boxed.rest.raw, [9]);
    assert!(boxed.rest.any.as_list().unwrap()[0].as_array().unwrap().ptr_eq(&depth));

    let out = to_value(&boxed).unwrap();
    assert_eq!(out, value);
    assert!(out.get("crop").unwrap().as_image().unwrap().ptr_eq(&crop));
    assert!(out.get("depth").unwrap().as_array().unwrap().ptr_eq(&depth));
}

#[test]
fn through_untagged() {
    let (sent, array) = (image(), Tensor::from_elements([1], &[1.5]).unwrap());
    match from_value(sent.clone().into()).unwrap() {
        Either::Picture(found) => assert!(found.ptr_eq(&sent)),
        other => panic!("{other:?}"),
    }
    match from_value(map([("array", array.clone().into())])).unwrap() {
        Either::Array { array: found } => assert!(found.ptr_eq(&array)),
        other => panic!("{other:?}"),
    }
    assert!(matches!(from_value(Value::from("x")).unwrap(), Either::Text(text) if text == "x"));
    let out = to_value(&vec![Either::Picture(sent.clone()), Either::Array { array }]).unwrap();
    assert!(out.pointer("/0").unwrap().as_image().unwrap().ptr_eq(&sent));
}

#[test]
fn bytes_share_their_memory() {
    let sent = Bytes::from(vec![7; 1 << 20]);
    let found: BTreeMap<String, Bytes> = from_value(map([("a", sent.clone().into())])).unwrap();
    assert_eq!(found["a"].as_ptr(), sent.as_ptr());
    let out = to_value(&found).unwrap();
    assert_eq!(out.get("a").unwrap().as_bytes().unwrap().as_ptr(), sent.as_ptr());
}

#[test]
fn a_whole_value_is_moved() {
    let text = "x".repeat(1000);
    let at = text.as_ptr();
    let found: Value = from_value(vec![Value::from(text)].into()).unwrap();
    assert_eq!(found.as_list().unwrap()[0].as_text().unwrap().as_ptr(), at);
    let nested: BTreeMap<String, Value> = from_value(map([("a", map([("b", Value::Null)]))])).unwrap();
    assert_eq!(nested["a"].get("b"), Some(&Value::Null));
    assert_eq!(from_value::<Option<Value>>(Value::Null).unwrap(), None);
}

#[test]
fn scopes_nest_and_end() {
    /// A user's type that calls us again while it is being decoded.
    #[derive(Debug)]
    struct Inner(Image);
    impl<'de> Deserialize<'de> for Inner {
        fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let outer = Value::deserialize(deserializer)?;
            from_value_in(outer, Regime::Json).map(Inner).map_err(serde::de::Error::custom)
        }
    }
    let sent = image();
    let found: Vec<Inner> = from_value(vec![sent.clone().into(), sent.clone().into()].into()).unwrap();
    assert!(found.iter().all(|inner| inner.0.ptr_eq(&sent)));
}

#[test]
fn a_foreign_serializer_within_ours_gets_the_portable_form() {
    #[derive(Debug)]
    struct AsText(Tensor);
    impl Serialize for AsText {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str(&serde_json::to_string(&self.0).map_err(serde::ser::Error::custom)?)
        }
    }
    let out = to_value(&AsText(Tensor::from_elements([1], &[1_u8]).unwrap())).unwrap();
    assert_eq!(out.as_text(), Some(r#"{"__ndarray__":"AQ==","dtype":"uint8","shape":[1]}"#));
}

/// `wire.md` 4.2: a marker is read where an array or a `Value` is declared; elsewhere it is the object that it is.
#[test]
fn a_foreign_type_of_any_value_gets_the_marker() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Mixed {
        foreign: Vec<serde_json::Value>,
        ours: Value,
        array: Tensor,
    }
    let marker = serde_json::json!({"__ndarray__": "AQI=", "dtype": "uint8", "shape": [2]});
    let array = Tensor::from_elements([2], &[1_u8, 2]).unwrap();
    let sent = || {
        map([
            ("foreign", vec![array.clone().into()].into()),
            ("ours", vec![Value::from(array.clone())].into()),
            ("array", array.clone().into()),
        ])
    };
    let mixed: Mixed = from_value(sent()).unwrap();
    assert_eq!(mixed.foreign, [marker]);
    assert_eq!(mixed.ours, vec![Value::from(array.clone())].into());
    assert!(mixed.array.ptr_eq(&array));
    // In msgpack an array is no object of anybody's.
    assert_eq!(from_value_in::<Mixed>(sent(), Regime::Msgpack).unwrap_err().kind, "wrong_type");
}

#[test]
fn what_does_not_fit_is_told_apart() {
    let error = from_value::<Image>(Value::from("x")).unwrap_err();
    assert_eq!(error.kind, "bad_image");
    let value = map([("crop", Value::from(5_i64)), ("depth", Value::Null), ("raw", Value::Null)]);
    let error = from_value::<Boxed>(value).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("wrong_type", "/crop"));
    assert_eq!(error.detail, "expected a picture, got an integer");
}

#[test]
fn what_has_no_order_gets_one() {
    let map: HashMap<String, i64> = (0..100).map(|n| (format!("k{n}"), n)).collect();
    let keys: Vec<String> =
        to_value(&map).unwrap().as_map().unwrap().iter().map(|(key, _)| key.as_text().unwrap().to_owned()).collect();
    let mut sorted = keys.clone();
    sorted.sort();
    assert_eq!(keys, sorted);
    let map: HashMap<i64, bool> = (-50..50).map(|n| (n, true)).collect();
    let keys: Vec<i64> = to_value(&map).unwrap().as_map().unwrap().iter().filter_map(|(key, _)| key.as_i64()).collect();
    assert_eq!(keys, (-50..50).collect::<Vec<_>>());
    let set: HashSet<i64> = (0..100).collect();
    assert_eq!(to_value(&set).unwrap(), (0..100_i64).map(Value::from).collect());
    let ordered: BTreeMap<&str, i64> = [("b", 1), ("aa", 2)].into();
    let out = to_value(&ordered).unwrap();
    assert_eq!(out.as_map().unwrap().iter().next().unwrap().0.as_text(), Some("aa"));
}
