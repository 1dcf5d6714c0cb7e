//! The vectors of the reference implementation.

use super::hex;
use crate::wire::{Bytes, DType, Element, Image, Map, Regime, Tensor, Value, from_value_in, msgpack};

fn vectors() -> Vec<(String, Vec<u8>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/golden_msgpack_vectors.json");
    let vectors: serde_json::Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let text = |vector: &serde_json::Value, key: &str| vector[key].as_str().unwrap().to_owned();
    let vectors = vectors.as_array().unwrap();
    vectors.iter().map(|vector| (text(vector, "name"), hex(&text(vector, "msgpack_hex")))).collect()
}

#[test]
fn golden_vectors() {
    let mut stable = 0;
    let expected = expected();
    for (name, bytes) in vectors() {
        match name.as_str() {
            "U2" => assert_eq!(msgpack::decode(&bytes).unwrap_err().kind, "dtype_not_allowed"),
            "be_f4" => {
                let value = msgpack::decode(&bytes).unwrap();
                assert_eq!(value.as_array().unwrap().to_elements::<f32>().unwrap(), [1.0]);
                assert_eq!(value.as_array().unwrap().dtype(), DType::Float32);
            }
            "pil_rgb" | "pil_L" | "pil_rgba" => {
                let value = msgpack::decode(&bytes).unwrap();
                let array = value.as_array().unwrap().clone();
                let image: Image = from_value_in(value, Regime::Msgpack).unwrap();
                let (shape, pixels): (&[usize], &[u8]) = match name.as_str() {
                    "pil_rgb" => (&[2, 2, 3], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]),
                    "pil_L" => (&[1, 2], &[1, 1, 1, 2, 2, 2]),
                    _ => (&[1, 1, 4], &[0, 0, 0]),
                };
                assert_eq!(array.shape(), shape, "{name}");
                assert_eq!(**image.pixels(), *pixels, "{name}");
            }
            _ => {
                let value = msgpack::decode(&bytes).unwrap();
                match expected.iter().find(|(known, _)| *known == name) {
                    Some((_, expected)) => assert_eq!(value, *expected, "{name}"),
                    None => assert!(name == "nan" && value.as_f64().is_some_and(f64::is_nan), "{name}: {value}"),
                }
                assert_eq!(msgpack::encode(&value).unwrap(), bytes, "{name}: {value}");
                stable += 1;
            }
        }
    }
    assert_eq!(stable, 18);
}

/// What `vectors/README.md` says that each vector holds.
fn expected() -> Vec<(&'static str, Value)> {
    fn array<T: Element>(shape: &[usize], elements: &[T]) -> Value {
        Tensor::from_elements(shape, elements).unwrap().into()
    }
    fn map<const N: usize>(entries: [(&str, Value); N]) -> Value {
        Map::from_iter(entries).into()
    }
    let bytes: Vec<u8> = (0..12).collect();
    let mut nested = Map::new();
    nested.push("a", vec![Value::from(1_i64), map([("b", array(&[1], &[0_u8]))])]);
    nested.push(0_i64, "intkey");
    vec![
        ("request", map([("inputs", map([("text", "hi".into()), ("n", 2_i64.into())])), ("config", map([]))])),
        ("f32_2x2", array(&[2, 2], &[0_f32, 1.0, 2.0, 3.0])),
        ("u8_2x2x3", array(&[2, 2, 3], &bytes)),
        ("scalar0d_f64", array(&[], &[3.5])),
        ("empty_0x4_f32", array::<f32>(&[0, 4], &[])),
        ("bool", array(&[2], &[true, false])),
        ("i64", array(&[2], &[1_i64, -1])),
        ("f16", array(&[1], &[half::f16::from_f32(1.5)])),
        ("c64", Tensor::new(DType::Complex64, [1], [1_f32, 2.0].map(f32::to_le_bytes).concat()).unwrap().into()),
        ("u16", array(&[1], &[513_u16])),
        ("ext16", array(&[300], &[0_u8; 300])),
        ("nested", nested.into()),
        ("bytes", Bytes::from([0x00, 0xff]).into()),
        ("np_f32", f64::from(0.1_f32).into()),
        ("tuple_set", Value::from(serde_json::json!([[1, 2], [3]]))),
        ("none", Value::Null),
        ("big_u64", (1_u64 << 63).into()),
    ]
}
