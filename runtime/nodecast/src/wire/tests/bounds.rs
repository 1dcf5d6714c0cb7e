//! Depth, breadth and lengths, the same in both regimes.

use serde::Deserialize;

use crate::wire::{Bytes, Image, Tensor, Value, from_value, json, msgpack};

/// On a stack as small as a worker's may be; a crash here is a crash of the server.
fn on_a_worker<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().stack_size(2 << 20);
        builder.spawn_scoped(scope, run).unwrap().join().unwrap()
    })
}

const DEEP: [usize; 5] = [128, 129, 1_023, 1_024, 100_000];

#[test]
fn t14_json_depth() {
    let lists = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let maps = |depth: usize| format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
    on_a_worker(|| {
        for body in [lists(127), maps(127), format!(r#"{{"a":{}}}"#, lists(126))] {
            let value = json::decode(body.as_bytes()).unwrap();
            assert_eq!(json::encode(&value).unwrap(), body.as_bytes());
            assert!(value.to_json().is_ok());
        }
        for depth in DEEP {
            assert_eq!(json::decode(lists(depth).as_bytes()).unwrap_err().kind, "too_deep");
            assert_eq!(json::decode(maps(depth).as_bytes()).unwrap_err().kind, "too_deep");
            assert_eq!(json::decode("[".repeat(depth).as_bytes()).unwrap_err().kind, "too_deep");
        }
        // Brackets in text are text.
        assert!(json::decode(format!(r#"["{}\"{}"]"#, "[".repeat(200), "[".repeat(200)).as_bytes()).is_ok());
    });
}

#[test]
fn t15_msgpack_depth() {
    let nested = |head: &[u8], depth: usize| [head.repeat(depth), vec![0xc0]].concat();
    on_a_worker(|| {
        for head in [&[0x91][..], &[0x81, 0x01], &[0x91, 0x81, 0x01]] {
            let levels = if head.len() == 3 { 2 } else { 1 };
            let value = msgpack::decode(&nested(head, 127 / levels)).unwrap();
            assert!(msgpack::encode(&value).is_ok());
            for depth in DEEP {
                assert_eq!(msgpack::decode(&nested(head, depth)).unwrap_err().kind, "too_deep");
            }
        }
    });
}

#[test]
fn what_we_write_is_never_deeper_than_what_we_read() {
    let within = |depth: usize, value: Value| (0..depth).fold(value, |value, _| vec![value].into());
    let array: Value = Tensor::from_elements([1], &[1_u8]).unwrap().into();
    on_a_worker(|| {
        for (value, most) in [(array, 125), (Value::Null, 127)] {
            let (fits, deeper) = (within(most, value.clone()), within(most + 1, value));
            assert_eq!(json::decode(&json::encode(&fits).unwrap()).unwrap(), fits);
            assert_eq!(msgpack::decode(&msgpack::encode(&fits).unwrap()).unwrap(), fits);
            assert_eq!(json::encode(&deeper).unwrap_err().kind, "too_deep");
            assert_eq!(deeper.to_json().unwrap_err().kind, "too_deep");
            assert_eq!(msgpack::encode(&deeper).unwrap_err().kind, "too_deep");
        }
    });
}

#[test]
fn t15_depth_counts_inside_blobs() {
    let blob = |meta: &[u8]| {
        let payload = [&[0][..], &u32::try_from(meta.len()).unwrap().to_be_bytes(), meta].concat();
        [&[0xc9][..], &u32::try_from(payload.len()).unwrap().to_be_bytes(), &[1], &payload].concat()
    };
    let meta = |extra: Vec<u8>| [&b"\x83\xa5dtype\xa5uint8\xa5shape\x91\x00\xa1x"[..], &extra].concat();
    let plain = || blob(&meta(vec![0xc0]));
    let within = |depth: usize, body: Vec<u8>| [vec![0x91; depth], body].concat();
    on_a_worker(|| {
        // The meta is a map and its shape a list: two levels.
        assert!(msgpack::decode(&within(125, plain())).is_ok());
        assert_eq!(msgpack::decode(&within(126, plain())).unwrap_err().kind, "too_deep");
        let mut body = plain();
        for _ in 0..200 {
            body = blob(&meta(body));
        }
        assert_eq!(msgpack::decode(&body).unwrap_err().kind, "too_deep");
        assert_eq!(msgpack::decode(&blob(&meta(within(100_000, vec![0xc0])))).unwrap_err().kind, "too_deep");
    });
}

#[derive(Debug, Deserialize)]
struct Node {
    next: Option<Box<Node>>,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind")]
enum Tree {
    Leaf,
    Fork { kids: Vec<Tree> },
}

#[test]
fn t15_recursive_types_fit_the_stack() {
    on_a_worker(|| {
        let body = format!("{}null{}", r#"{"next":"#.repeat(127), "}".repeat(127));
        let mut node: Option<Node> = Some(from_value(json::decode(body.as_bytes()).unwrap()).unwrap());
        let mut depth = 0;
        while let Some(inner) = node {
            depth += 1;
            node = inner.next.map(|next| *next);
        }
        assert_eq!(depth, 127);
        let body = format!("{}{}{}", r#"{"kind":"Fork","kids":["#.repeat(60), r#"{"kind":"Leaf"}"#, "]}".repeat(60));
        let tree: Tree = from_value(json::decode(body.as_bytes()).unwrap()).unwrap();
        assert!(matches!(tree, Tree::Fork { kids } if kids.len() == 1));
        assert!(matches!(from_value(json::decode(br#"{"kind":"Leaf"}"#).unwrap()), Ok(Tree::Leaf)));
    });
}

#[test]
fn t16_msgpack_lengths_reserve_nothing() {
    for head in [0xdd, 0xdf, 0xc6, 0xdb, 0xc9, 0xdc, 0xde, 0xc5, 0xda, 0xc8] {
        let body = [&[head][..], &[0xff; 4], &[0x01]].concat();
        assert_eq!(msgpack::decode(&body).unwrap_err().kind, "malformed_body", "{head:x}");
    }
    // Nested claims that each pass alone.
    let body = [&[0xdd, 0, 0, 0, 60][..], &[0xdd, 0, 0, 0, 50].repeat(12)].concat();
    assert_eq!(msgpack::decode(&body).unwrap_err().kind, "malformed_body");
}

#[test]
fn t16_msgpack_breadth() {
    let list = |count: u32| [&[0xdd][..], &count.to_be_bytes(), &vec![0xc0; count as usize]].concat();
    assert!(msgpack::decode(&list(100_000)).is_ok());
    assert_eq!(msgpack::decode(&list(100_001)).unwrap_err().kind, "too_many_elements");
    // Eight bytes a value and more are never too many.
    let floats = [&[0xdd][..], &200_000_u32.to_be_bytes(), &[&[0xcb][..], &[0; 8]].concat().repeat(200_000)].concat();
    assert!(msgpack::decode(&floats).is_ok());
    let error = msgpack::decode(&list(1_000_000)).unwrap_err();
    assert!(error.detail.contains("array"), "{}", error.detail);
}

#[test]
fn t16_json_breadth() {
    let list = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
    assert!(json::decode(list(100_000).as_bytes()).is_ok());
    assert_eq!(json::decode(list(100_001).as_bytes()).unwrap_err().kind, "too_many_elements");
    let maps = format!("[{}0]", "{},".repeat(200_000));
    assert_eq!(json::decode(maps.as_bytes()).unwrap_err().kind, "too_many_elements");
}

#[test]
fn t16_hostile_heads_meet_every_target() {
    for head in [0xdd, 0xdf, 0xc6, 0xdb, 0xc9] {
        let body = [head, 0xff, 0xff, 0xff, 0xff];
        assert!(msgpack::decode(&body).and_then(from_value::<Vec<u8>>).is_err());
        assert!(msgpack::decode(&body).and_then(from_value::<String>).is_err());
        assert!(msgpack::decode(&body).and_then(from_value::<Bytes>).is_err());
        assert!(msgpack::decode(&body).and_then(from_value::<Tensor>).is_err());
        assert!(msgpack::decode(&body).and_then(from_value::<Image>).is_err());
        assert!(msgpack::decode(&body).and_then(from_value::<Value>).is_err());
    }
}

#[test]
fn many_keys_are_compared_in_no_more_than_their_number() {
    let keys: Vec<String> = (0..40_000).map(|key| format!(r#""k{key}":0"#)).collect();
    let started = std::time::Instant::now();
    let body = format!("{{{},\"k7\":1}}", keys.join(","));
    let error = json::decode(body.as_bytes()).unwrap_err();
    assert_eq!((error.kind, error.pointer.as_str()), ("duplicate_key", "/k7"));
    // Comparing every pair takes minutes in a debug build.
    assert!(started.elapsed().as_secs() < 10);
}
