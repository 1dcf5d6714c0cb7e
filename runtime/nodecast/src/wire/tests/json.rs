//! The JSON regime.

use crate::wire::{Bytes, DType, Integer, Map, Tensor, Value, json};

fn kind(body: &str) -> &'static str {
    json::decode(body.as_bytes()).unwrap_err().kind
}

fn written(value: impl Into<Value>) -> String {
    String::from_utf8(json::encode(&value.into()).unwrap()).unwrap()
}

fn unwritable(value: impl Into<Value>) -> (&'static str, String) {
    let value = value.into();
    let (bytes, tree) = (json::encode(&value).unwrap_err(), value.to_json().unwrap_err());
    assert_eq!(bytes, tree, "both ways of writing refuse alike");
    (bytes.kind, bytes.pointer)
}

#[test]
fn malformed_bodies() {
    for body in
        ["", " ", "nope", "{", "[1,]", "{\"a\"}", "\u{feff}{}", "NaN", "1e400", "-1e400", "01", "'a'", "\"\\ud800\""]
    {
        assert_eq!(kind(body), "malformed_body", "{body:?}");
    }
    assert_eq!(json::decode(b"\"\xff\"").unwrap_err().kind, "malformed_body");
    assert_eq!(json::decode(b"\"\x01\"").unwrap_err().kind, "malformed_body");
    for body in ["{} {}", "1 2", "nullx", "[] ]"] {
        assert!(matches!(kind(body), "trailing_bytes" | "malformed_body"), "{body:?}");
    }
    assert_eq!(kind("{} {}"), "trailing_bytes");
    assert!(json::decode(b" {} \n").is_ok());
    let error = json::decode(b"[1,\n2,").unwrap_err();
    assert!(error.detail.ends_with(", at line 2, column 2"), "{}", error.detail);
    let error = json::decode(b"{\"x\":[1,2,\n3,,4]}").unwrap_err();
    assert!(error.detail.ends_with("a value was expected, at line 2, column 3"), "{}", error.detail);
    // The parser's own words for a word that is none of JSON's help nobody.
    for (body, said) in
        [("nope", "a value was expected"), ("@", "a value was expected"), ("\u{feff}{}", "byte order mark")]
    {
        let error = json::decode(body.as_bytes()).unwrap_err();
        assert!(error.detail.contains(said), "{}", error.detail);
    }
}

#[test]
fn duplicate_keys_are_refused_where_they_stand() {
    let error = json::decode(br#"{"a":[{"b":1,"c":2,"b":3}]}"#).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("duplicate_key", "/a/0/b"));
    assert_eq!(kind(r#"{"a":1,"\u0061":2}"#), "duplicate_key");
}

#[test]
fn integers_end_at_two_to_the_53() {
    for number in [9_007_199_254_740_991_i64, -9_007_199_254_740_991] {
        assert_eq!(json::decode(number.to_string().as_bytes()).unwrap(), Value::from(number));
        assert_eq!(written(number), number.to_string());
    }
    // Beyond, a number is a float in whichever way it is written, as it is to every reader in JavaScript.
    for (number, float) in [
        ("9007199254740992", 9_007_199_254_740_992.0_f64),
        ("-9007199254740993", -9_007_199_254_740_992.0),
        ("18446744073709551615", 1.844_674_407_370_955_2e19),
        ("100000000000000000000", 1e20),
    ] {
        assert_eq!(json::decode(number.as_bytes()).unwrap(), Value::Float(float), "{number}");
        let tree: serde_json::Value = serde_json::from_str(number).unwrap();
        assert_eq!(Value::from_json(tree).unwrap(), Value::Float(float));
    }
    assert_eq!(unwritable(Value::from(1_u64 << 53)).0, "out_of_range");
    assert_eq!(unwritable(vec![Value::from(i64::MIN)]), ("out_of_range", "/0".to_owned()));
}

#[test]
fn floats_are_the_shortest_that_read_back_equal() {
    assert_eq!(written(0.1_f32), "0.10000000149011612");
    for number in [0.1, 1.0, 1e300, 5e-324, 0.3, 2.0_f64.powi(70), 122.416_294_033_786_58] {
        let text = written(number);
        assert_eq!(json::decode(text.as_bytes()).unwrap(), Value::from(number), "{text}");
    }
    assert_eq!(written(1.0), "1.0");
    assert_eq!(json::decode(b"-0").unwrap().as_f64(), Some(-0.0));
}

#[test]
fn what_is_not_finite_is_refused() {
    let nested = Value::Map([("a", Value::from(vec![Value::from(f64::NAN)]))].into_iter().collect());
    assert_eq!(unwritable(nested), ("non_finite", "/a/0".to_owned()));
    assert_eq!(unwritable(f64::INFINITY).0, "non_finite");
    // Inside an array NaN is a pattern of bytes like any other.
    assert!(json::encode(&Tensor::from_elements([1], &[f32::NAN]).unwrap().into()).is_ok());
}

#[test]
fn text_is_escaped_only_where_json_demands() {
    assert_eq!(written("é\u{7f}/\u{1f600}\"\\\n\u{1}"), "\"é\u{7f}/\u{1f600}\\\"\\\\\\n\\u0001\"");
}

#[test]
fn bytes_are_base64_on_one_line() {
    assert_eq!(written(Bytes::from([0xfb, 0xff, 0])), "\"+/8A\"");
    assert_eq!(written(Bytes::from([0xfb])), "\"+w==\"");
    assert_eq!(written(Bytes::default()), "\"\"");
    assert!(!written(Bytes::from(vec![7; 1000])).contains('\n'));
}

#[test]
fn keys() {
    let mut map = Map::new();
    map.push(7_i64, 1_i64);
    map.push(true, 2_i64);
    map.push("x", 3_i64);
    assert_eq!(written(map.clone()), r#"{"7":1,"true":2,"x":3}"#);
    map.push("7", 4_i64);
    assert_eq!(unwritable(map).0, "map_key");
    for key in [Value::Null, Value::from(1.5), Value::from(vec![Value::from(1_i64)]), Value::from(Bytes::from([1]))] {
        assert_eq!(unwritable(Map::from_iter([(key, Value::Null)])).0, "map_key");
    }
    assert_eq!(unwritable(Map::from_iter([("__ndarray__", Value::Null)])).0, "reserved_key");
}

#[test]
fn an_extension_type_is_no_json() {
    assert_eq!(unwritable(Value::Ext(-1, Bytes::from([0; 4]))).0, "ext_not_json");
}

#[test]
fn foreign_formats_get_base64_and_markers() {
    let array = Tensor::new(DType::UInt8, [2], vec![1, 2]).unwrap();
    let value: Value = [Value::from(Bytes::from([1, 2])), array.clone().into(), Value::from(Integer::from(3_u8))]
        .into_iter()
        .collect();
    let text = serde_json::to_string(&value).unwrap();
    assert_eq!(text, r#"["AQI=",{"__ndarray__":"AQI=","dtype":"uint8","shape":[2]},3]"#);
    let back: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(back.as_list().unwrap()[1], Value::from(array.clone()));
    let bytes: Bytes = serde_json::from_str(r#""AQI=""#).unwrap();
    assert_eq!(*bytes, [1, 2]);
    assert_eq!(serde_json::from_value::<Tensor>(serde_json::to_value(&array).unwrap()).unwrap(), array);
}
