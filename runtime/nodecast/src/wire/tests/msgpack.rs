//! The msgpack regime.

use super::hex;
use crate::wire::{Bytes, Image, Regime, Tensor, Value, from_value_in, json, msgpack};

fn kind(body: &[u8]) -> &'static str {
    msgpack::decode(body).unwrap_err().kind
}

#[test]
fn a_call_as_the_specification_writes_it() {
    let request = hex("82a6696e7075747382a474657874a26869a5636f756e7402a6636f6e66696781a3736570a12b");
    let value = json::decode(br#"{"inputs":{"text":"hi","count":2},"config":{"sep":"+"}}"#).unwrap();
    assert_eq!(msgpack::decode(&request).unwrap(), value);
    assert_eq!(msgpack::encode(&value).unwrap(), request);
    let reply = json::decode(br#"{"outputs":{"echo":"hi+hi"}}"#).unwrap();
    assert_eq!(msgpack::encode(&reply).unwrap(), hex("81a76f75747075747381a46563686fa568692b6869"));
}

#[test]
fn malformed_bodies() {
    for body in [&[][..], &[0xc1], &[0x92, 0x01], &[0xa2, 0x61], &[0xa1, 0xff], &[0xd9], &[0xcf, 0]] {
        assert_eq!(kind(body), "malformed_body", "{body:x?}");
    }
    assert_eq!(kind(&[0x91, 0xc1]), "malformed_body");
    let error = msgpack::decode(&[0x93, 0x01, 0xa2, 0x61, 0x61, 0xc1]).unwrap_err();
    assert!(error.detail.ends_with("it holds the byte 0xc1; the value begins at byte 5"), "{}", error.detail);
    assert_eq!(kind(&[0xc0, 0xc0]), "trailing_bytes");
    assert_eq!(kind(&[0x90, 0x00]), "trailing_bytes");
}

#[test]
fn duplicate_keys_are_the_same_number_however_written() {
    assert_eq!(kind(&hex("82 a161 01 a161 02")), "duplicate_key");
    assert_eq!(kind(&hex("82 01 c0 cc01 c0")), "duplicate_key");
    assert_eq!(kind(&hex("82 01 c0 d3 0000000000000001 c0")), "duplicate_key");
    assert!(msgpack::decode(&hex("82 01 c0 a131 c0")).is_ok());
    let error = msgpack::decode(&hex("81 a178 82 a161 01 a161 02")).unwrap_err();
    assert_eq!(error.pointer, "/x/a");
}

#[test]
fn integers_are_exact_and_smallest() {
    for (number, bytes) in [
        (Value::from(0_i64), "00"),
        (Value::from(127_i64), "7f"),
        (Value::from(128_i64), "cc80"),
        (Value::from(256_i64), "cd0100"),
        (Value::from(65_536_i64), "ce00010000"),
        (Value::from(1_i64 << 32), "cf0000000100000000"),
        (Value::from(u64::MAX), "cfffffffffffffffff"),
        (Value::from(-1_i64), "ff"),
        (Value::from(-32_i64), "e0"),
        (Value::from(-33_i64), "d0df"),
        (Value::from(-129_i64), "d1ff7f"),
        (Value::from(-32_769_i64), "d2ffff7fff"),
        (Value::from(i64::MIN), "d38000000000000000"),
    ] {
        assert_eq!(msgpack::encode(&number).unwrap(), hex(bytes), "{number}");
        assert_eq!(msgpack::decode(&hex(bytes)).unwrap(), number, "{number}");
    }
}

#[test]
fn floats_are_always_float64() {
    assert_eq!(msgpack::encode(&Value::from(0.1_f32)).unwrap(), hex("cb3fb99999a0000000"));
    assert_eq!(msgpack::decode(&hex("ca3f800000")).unwrap(), Value::from(1.0));
    assert!(msgpack::decode(&hex("cb7ff8000000000000")).unwrap().as_f64().unwrap().is_nan());
    assert_eq!(msgpack::encode(&Value::from(f64::NEG_INFINITY)).unwrap(), hex("cbfff0000000000000"));
}

#[test]
fn text_is_str_and_bytes_are_bin() {
    assert_eq!(msgpack::encode(&"x".repeat(32).as_str().into()).unwrap()[..2], [0xd9, 32]);
    assert_eq!(msgpack::encode(&Bytes::from([0, 0xff]).into()).unwrap(), hex("c40200ff"));
    let text = Value::from("AAEC");
    assert_eq!(from_value_in::<Bytes>(text.clone(), Regime::Msgpack).unwrap_err().kind, "wrong_type");
    assert_eq!(from_value_in::<Image>(text, Regime::Msgpack).unwrap_err().kind, "wrong_type");
}

#[test]
fn foreign_extension_types_pass_as_they_are() {
    for (bytes, code) in [
        ("d6 ff 5a4af6a5", -1),
        ("d4 07 01", 7),
        ("c7 03 80 010203", -128),
        ("d8 05 00112233445566778899aabbccddeeff", 5),
    ] {
        let value = msgpack::decode(&hex(bytes)).unwrap();
        assert!(matches!(&value, Value::Ext(found, _) if *found == code), "{value}");
        assert_eq!(msgpack::encode(&value).unwrap(), hex(bytes));
        assert!(from_value_in::<Tensor>(value.clone(), Regime::Msgpack).is_err());
        assert_eq!(from_value_in::<Value>(value.clone(), Regime::Msgpack).unwrap(), value);
    }
}

#[test]
fn pictures_are_blobs() {
    let image = Image::rgb8(2, 1, [1, 2, 3, 4, 5, 6]).unwrap();
    let bytes = msgpack::encode(&image.clone().into()).unwrap();
    let array = msgpack::decode(&bytes).unwrap();
    assert_eq!(array.as_array().unwrap().shape(), [1, 2, 3]);
    assert_eq!(from_value_in::<Image>(array, Regime::Msgpack).unwrap(), image);
    let grey = msgpack::encode(&Image::gray8(2, 1, [1, 2]).unwrap().into()).unwrap();
    assert_eq!(msgpack::decode(&grey).unwrap().as_array().unwrap().shape(), [1, 2]);
}

#[test]
fn a_shared_body_lends_its_memory() {
    let raw = vec![7_u8; 100_000];
    let body = bytes::Bytes::from(msgpack::encode(&Tensor::from_elements([100_000], &raw).unwrap().into()).unwrap());
    let value = msgpack::decode_shared(&body).unwrap();
    let data = value.as_array().unwrap().data();
    assert!(body.as_ptr_range().contains(&data.as_ptr()));
    assert_eq!(value, msgpack::decode(&body).unwrap());
}

/// A msgpack library that knows nothing of us reads and writes the same values.
#[test]
fn a_foreign_library_agrees() {
    let value = json::decode(br#"{"a":[1,-7,2.5,"x",null,true],"b":{"c":[]}}"#).unwrap();
    let tree: serde_json::Value = rmp_serde::from_slice(&msgpack::encode(&value).unwrap()).unwrap();
    assert_eq!(Value::from(tree.clone()), value);
    assert_eq!(msgpack::decode(&rmp_serde::to_vec_named(&tree).unwrap()).unwrap(), value);
}
