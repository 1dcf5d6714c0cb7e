use crate::wire::{DType, Image, Regime, from_value_in, msgpack};

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_hexdigit).collect();
    digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

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
                assert_eq!(msgpack::encode(&value).unwrap(), bytes, "{name}: {value}");
                stable += 1;
            }
        }
    }
    assert_eq!(stable, 18);
}
