//! The store of containers: reducers, keys, signals, previews.

use std::collections::BTreeSet;

use serde_json::json;

use super::*;

fn kept(reducer: Reducer, max_size: Option<usize>, initial: Value, reset_on: &[&str]) -> Containers {
    let state = StateSpec {
        name: "s".into(),
        reducer,
        value_type: "ANY".into(),
        max_size,
        initial,
        reset_on: reset_on.iter().map(|signal| (*signal).to_owned()).collect::<BTreeSet<_>>(),
        check: FieldCheck::new(&json!({}), None).unwrap(),
        normal: |value, _| Ok(value),
    };
    Containers::new(vec![ContainerSpec { id: "c".into(), label: "C".into(), states: vec![state] }], 2)
}

fn place(kept: &Containers) -> StatePlace {
    kept.state(kept.find("c").unwrap(), "s").unwrap()
}

fn write(kept: &Containers, key: Option<&str>, data: impl Into<Value>) -> Result<(), Error> {
    kept.write(place(kept), key, data.into(), Regime::Json)
}

fn read(kept: &Containers, key: Option<&str>) -> serde_json::Value {
    kept.read(place(kept), key).unwrap().to_json().unwrap()
}

#[test]
fn an_accumulator_appends_and_drops_the_oldest() {
    let kept = kept(Reducer::Accumulator, Some(2), Value::List(Vec::new()), &[]);
    assert_eq!(read(&kept, None), json!([]));
    for text in ["a", "b", "c"] {
        write(&kept, None, text).unwrap();
    }
    assert_eq!(read(&kept, None), json!(["b", "c"]));
}

#[test]
fn a_counter_adds_whole_and_broken_numbers_and_never_wraps() {
    let kept = kept(Reducer::Counter, None, Value::from(0_i64), &[]);
    write(&kept, None, 2_i64).unwrap();
    write(&kept, None, -5_i64).unwrap();
    assert_eq!(read(&kept, None), json!(-3));
    write(&kept, None, 0.5).unwrap();
    assert_eq!(read(&kept, None), json!(-2.5));
    let refused = write(&kept, None, f64::MAX).and_then(|()| write(&kept, None, f64::MAX)).unwrap_err();
    assert_eq!((refused.kind(), refused.findings()[0].pointer.as_str()), ("out_of_range", "/data"));
    let whole = self::kept(Reducer::Counter, None, Value::from(u64::MAX), &[]);
    assert_eq!(write(&whole, None, 1_i64).unwrap_err().kind(), "out_of_range");
}

#[test]
fn a_key_begins_as_the_state_did_and_reading_creates_none() {
    let kept = kept(Reducer::LastWrite, None, Value::from("start"), &[]);
    assert_eq!(read(&kept, Some("a")), json!("start"));
    write(&kept, Some("a"), "x").unwrap();
    write(&kept, Some("b"), "y").unwrap();
    assert_eq!(read(&kept, None), json!("start"));
    // Reading made none, so two are the first two; a third is one too many, and a known one is not.
    assert_eq!(write(&kept, Some("c"), "z").unwrap_err().kind(), "too_many_keys");
    write(&kept, Some("a"), "xx").unwrap();
    assert_eq!(kept.evict_everywhere("a"), 1);
    assert_eq!(kept.evict_everywhere("a"), 0);
    assert_eq!((read(&kept, Some("a")), read(&kept, Some("b"))), (json!("start"), json!("y")));
    write(&kept, Some("c"), "z").unwrap();
}

#[test]
fn signals_reset_what_ends_with_them() {
    let kept = kept(Reducer::LastWrite, None, Value::Null, &["episode", "run"]);
    write(&kept, None, 1_i64).unwrap();
    write(&kept, Some("k"), 2_i64).unwrap();
    assert_eq!(kept.signal("sunset", None), 0);
    assert_eq!((kept.signal("episode", Some("k")), read(&kept, Some("k"))), (1, json!(null)));
    assert_eq!(read(&kept, None), json!(1));
    assert_eq!((kept.signal("episode", None), read(&kept, None)), (1, json!(null)));
}

#[test]
fn another_execution_is_another_run() {
    let kept = kept(Reducer::LastWrite, None, Value::Null, &["run"]);
    write(&kept, None, 1_i64).unwrap();
    kept.enter("first");
    kept.enter("first");
    assert_eq!(read(&kept, None), json!(1));
    kept.enter("second");
    assert_eq!(read(&kept, None), json!(null));
}

/// The forms of `wire.md` 5, one by one.
#[test]
fn previews() {
    let preview = |reducer, initial: Value| {
        let shown = kept(reducer, None, initial, &[]).preview().to_json().unwrap();
        shown["c"]["states"]["s"].clone()
    };
    let shown = |value: serde_json::Value| preview(Reducer::LastWrite, Value::from(value));
    assert_eq!(shown(json!(null)), json!({"type": "lastWrite", "value_type": "ANY", "preview": "null"}));
    assert_eq!(shown(json!("ü".repeat(120)))["preview"], json!("ü".repeat(100)));
    assert_eq!(shown(json!({"a": [1, true]}))["preview"], json!(r#"{"a":[1,true]}"#));
    assert_eq!(shown(json!(true))["preview"], json!("true"));
    assert_eq!(
        preview(Reducer::Counter, Value::from(7_i64)),
        json!({"type": "counter", "value_type": "ANY", "value": 7})
    );
    let list = Value::from(json!([1, "two", {"n": 3}, 4]));
    assert_eq!(
        preview(Reducer::Accumulator, list),
        json!({"type": "accumulator", "value_type": "ANY", "size": 4, "preview": [1, "two", {"n": 3}]})
    );
    // What is long, or has another form in each regime, is told in words of JSON.
    let long = json!({"n": "x".repeat(200)});
    let list = Value::List(vec![long.clone().into(), Value::Float(f64::NAN), Value::Bytes(vec![1_u8, 2].into())]);
    let shown = preview(Reducer::Accumulator, list);
    assert_eq!(shown["preview"], json!([&long.to_string()[..100], "NaN", r#"{"bytes":2}"#]));
    let keyed = kept(Reducer::LastWrite, None, Value::Null, &[]);
    write(&keyed, Some("a"), "first").unwrap();
    write(&keyed, Some("b"), "second").unwrap();
    let shown = keyed.preview().to_json().unwrap();
    assert_eq!(shown["c"]["label"], "C");
    let expected = json!({"type": "lastWrite", "value_type": "ANY", "keys": 2, "preview": "[b] second"});
    assert_eq!(shown["c"]["states"]["s"], expected);
    keyed.evict_everywhere("b");
    assert_eq!(keyed.preview().to_json().unwrap()["c"]["states"]["s"]["preview"], "[a] first");
    write(&keyed, Some(&"ü".repeat(5_000)), "third").unwrap();
    let expected = format!("[{}] third", "ü".repeat(100));
    assert_eq!(keyed.preview().to_json().unwrap()["c"]["states"]["s"]["preview"], json!(expected));
}
