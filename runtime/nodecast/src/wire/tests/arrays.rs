//! Blobs and markers (`wire.md` 4.1, 4.2).

use super::hex;
use crate::wire::{DType, Regime, Tensor, Value, WireError, from_value, from_value_in, json, msgpack};

/// A blob of extension type 1.
fn blob(tag: u8, meta: &[u8], raw: &[u8]) -> Vec<u8> {
    let length = u32::try_from(meta.len()).unwrap();
    framed(&[&[tag], &length.to_be_bytes()[..], meta, raw].concat())
}

/// An ext 32 head of type 1 and its payload.
fn framed(payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap();
    [&[0xc9][..], &length.to_be_bytes(), &[1], payload].concat()
}

fn meta(dtype: &str, shape: Vec<Value>) -> Vec<u8> {
    let map = [("dtype", Value::from(dtype)), ("shape", Value::from(shape))].into_iter().collect();
    msgpack::encode(&Value::Map(map)).unwrap()
}

fn kind(body: &[u8]) -> &'static str {
    msgpack::decode(body).unwrap_err().kind
}

#[test]
fn blobs_as_the_specification_writes_them() {
    let u8s: Vec<u8> = (0..12).collect();
    let cases = [
        (
            "c7 28 01 00 00000017 82 a56474797065 a575696e7438 a57368617065 93 020203 000102030405060708090a0b",
            Tensor::from_elements([2, 2, 3], &u8s),
        ),
        (
            "c72d01000000001882a56474797065a7666c6f61743332a57368617065920202 000000000000803f0000004000004040",
            Tensor::from_elements([2, 2], &[0_f32, 1.0, 2.0, 3.0]),
        ),
        (
            "c72301000000001682a56474797065a7666c6f61743634a5736861706590 0000000000000c40",
            Tensor::from_elements([], &[3.5]),
        ),
        ("c71d01000000001882a56474797065a7666c6f61743332a57368617065920004", Tensor::from_elements::<f32>([0, 4], &[])),
    ];
    for (bytes, array) in cases {
        let (bytes, array) = (hex(bytes), Value::from(array.unwrap()));
        assert_eq!(msgpack::decode(&bytes).unwrap(), array);
        assert_eq!(msgpack::encode(&array).unwrap(), bytes);
    }
    let long = msgpack::encode(&Tensor::from_elements([300], &[0_u8; 300]).unwrap().into()).unwrap();
    assert_eq!(long[..4], [0xc8, 0x01, 0x48, 0x01]);
}

#[test]
fn markers_as_the_specification_writes_them() {
    let floats: Vec<f32> = (0_u8..6).map(f32::from).collect();
    let cases = [
        (
            r#"{"__ndarray__":"AAAAAAAAgD8AAABAAABAQAAAgEAAAKBA","dtype":"float32","shape":[2,3]}"#,
            Tensor::from_elements([2, 3], &floats),
        ),
        (r#"{"__ndarray__":"AAABAAIA","dtype":"int16","shape":[3]}"#, Tensor::from_elements([3], &[0_i16, 1, 2])),
    ];
    for (text, array) in cases {
        let array = Value::from(array.unwrap());
        assert_eq!(json::decode(text.as_bytes()).unwrap(), array);
        assert_eq!(json::encode(&array).unwrap(), text.as_bytes());
        let tree: serde_json::Value = serde_json::from_str(text).unwrap();
        assert_eq!(Value::from_json(tree.clone()).unwrap(), array);
        assert_eq!(array.to_json().unwrap(), tree);
    }
}

#[test]
fn t17_blob_lies() {
    let two: fn() -> Value = || Value::from(2_i64);
    let good = meta("uint8", vec![two(), two()]);
    assert!(msgpack::decode(&blob(0, &good, &[0; 4])).is_ok());
    assert!(msgpack::decode(&blob(1, &good, &[0; 4])).is_ok());

    assert_eq!(kind(&framed(&[])), "bad_array");
    assert_eq!(kind(&framed(&[0])), "bad_array");
    assert_eq!(kind(&framed(&[0, 0xff, 0xff, 0xff, 0xff])), "bad_array");
    assert_eq!(kind(&blob(3, &good, &[0; 4])), "bad_array");
    assert_eq!(kind(&blob(0, &good, &[0; 3])), "bad_array");
    assert_eq!(kind(&blob(0, &good, &[0; 5])), "bad_array");
    assert_eq!(kind(&blob(0, &[0x01], &[])), "bad_array");
    assert_eq!(kind(&blob(0, &[], &[])), "bad_array");
    assert_eq!(kind(&blob(0, &[0x80], &[])), "bad_array");
    assert_eq!(kind(&blob(0, &[0xc1], &[])), "bad_array");

    let big = || Value::from(1_u64 << 32);
    for shape in [
        vec![big(), big()],
        vec![Value::from(-1_i64)],
        vec![Value::from("2")],
        vec![Value::from(1.5)],
        vec![Value::from(u64::MAX)],
        (0..33).map(|_| Value::from(1_i64)).collect(),
    ] {
        assert_eq!(kind(&blob(0, &meta("uint8", shape.clone()), &[0])), "bad_array", "{shape:?}");
    }
    let ranks: Vec<Value> = (0..32).map(|_| Value::from(1_i64)).collect();
    assert!(msgpack::decode(&blob(0, &meta("uint8", ranks), &[0])).is_ok());
    // Of an empty one too, since who sums it along the other axis makes an array of that.
    assert!(msgpack::decode(&blob(0, &meta("uint8", vec![Value::from(0_i64), Value::from(1_i64 << 26)]), &[])).is_ok());
    assert_eq!(kind(&blob(0, &meta("uint8", vec![Value::from(0_i64), big()]), &[])), "bad_array");
    assert_eq!(kind(&blob(0, &meta("bool", vec![two()]), &[0, 2])), "bad_array");

    for dtype in ["O", "object", "V8", "V1000000", "<U2", "<U9999", "S5", "datetime64[ns]", "bfloat16", "f4", ""] {
        assert_eq!(kind(&blob(0, &meta(dtype, vec![two()]), &[0; 16])), "dtype_not_allowed", "{dtype}");
    }
}

#[test]
fn t17_marker_lies() {
    let refused = |text: &str| json::decode(text.as_bytes()).unwrap_err();
    for (text, kind) in [
        (r#"{"__ndarray__":"AA==","dtype":"uint8"}"#, "bad_array"),
        (r#"{"__ndarray__":"AA==","dtype":"uint8","shape":[1],"more":1}"#, "bad_array"),
        (r#"{"__ndarray__":"AA","dtype":"uint8","shape":[1]}"#, "bad_array"),
        (r#"{"__ndarray__":"A A==","dtype":"uint8","shape":[1]}"#, "bad_array"),
        (r#"{"__ndarray__":[0],"dtype":"uint8","shape":[1]}"#, "bad_array"),
        (r#"{"__ndarray__":"AA==","dtype":7,"shape":[1]}"#, "bad_array"),
        (r#"{"__ndarray__":"AA==","dtype":"uint8","shape":1}"#, "bad_array"),
        (r#"{"__ndarray__":"AA==","dtype":"uint8","shape":[-1]}"#, "bad_array"),
        (r#"{"__ndarray__":"AA==","dtype":"uint8","shape":[2]}"#, "bad_array"),
        (r#"{"__ndarray__":"","dtype":"uint8","shape":[4294967296,4294967296]}"#, "bad_array"),
        (r#"{"__ndarray__":"AA==","dtype":"O","shape":[1]}"#, "dtype_not_allowed"),
    ] {
        assert_eq!(refused(text).kind, kind, "{text}");
    }
    let inside = refused(r#"{"a":[1,{"__ndarray__":"AA==","dtype":"O","shape":[1]}]}"#);
    assert_eq!(inside.pointer, "/a/1");
    let bytes = refused(r#"{"a":{"__ndarray__":"AA","dtype":"uint8","shape":[1]}}"#);
    assert_eq!(bytes.pointer, "/a/__ndarray__");
}

#[test]
fn short_forms_and_byte_orders() {
    for (dtype, raw, value) in [("<f4", [0, 0, 0x80, 0x3f], 1.0_f32), (">f4", [0x3f, 0x80, 0, 0], 1.0)] {
        let array = msgpack::decode(&blob(0, &meta(dtype, vec![Value::from(1_i64)]), &raw)).unwrap();
        let array = array.as_array().unwrap().clone();
        assert_eq!((array.dtype(), array.to_elements::<f32>().unwrap()), (DType::Float32, vec![value]));
        let text = String::from_utf8(json::encode(&array.into()).unwrap()).unwrap();
        assert!(text.contains(r#""dtype":"float32""#), "{text}");
    }
}

#[test]
fn meta_is_free_in_order_and_further_keys() {
    let map = [("x", Value::Null), ("shape", vec![Value::from(1_i64)].into()), ("dtype", "uint8".into())];
    let meta = msgpack::encode(&Value::Map(map.into_iter().collect())).unwrap();
    assert!(msgpack::decode(&blob(0, &meta, &[7])).is_ok());
}

#[test]
fn a_mode_agrees_with_its_pixels() {
    let mut body = hex("c72401 02 0000001d 83 a56474797065 a575696e7438 a57368617065 920102 a46d6f6465 a14c 0102");
    assert!(msgpack::decode(&body).is_ok());
    let at = body.len() - 3;
    body[at] = b'P';
    assert_eq!(kind(&body), "bad_array");
}

#[test]
fn msgpack_never_reads_a_marker() {
    let map = [("__ndarray__", "AA=="), ("dtype", "uint8")].map(|(key, value)| (key, Value::from(value)));
    let mut map: crate::wire::Map = map.into_iter().collect();
    map.push("shape", vec![Value::from(1_i64)]);
    let value = msgpack::decode(&msgpack::encode(&Value::Map(map.clone())).unwrap()).unwrap();
    assert_eq!(value, Value::Map(map));
    let refused: Result<Tensor, WireError> = from_value_in(value.clone(), Regime::Msgpack);
    assert_eq!(refused.unwrap_err().kind, "wrong_type");
    assert_eq!(json::encode(&value).unwrap_err().kind, "reserved_key");
    assert!(from_value::<Tensor>(value).is_ok());
}
