//! Depth, breadth and lies of a body as `/call` meets them, on the stack of a worker in a debug build.

use std::collections::BTreeMap;

use nodecast::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::{Host, JSON, MSGPACK};

/// Takes what is deep.
#[nodeset(name = "deep", nodes(Anything, Foreign, Recursive, Tagged, Untagged, Array, Picture))]
#[derive(Default)]
struct Deep;

#[derive(Serialize, Deserialize, JsonSchema)]
struct Chain {
    next: Option<Box<Chain>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
enum Tree {
    Leaf,
    Fork { kid: Box<Tree> },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    Number(f64),
    Map(BTreeMap<String, Either>),
    List(Vec<Either>),
}

macro_rules! takes {
    ($($node:ident: $ty:ty;)*) => {$(
        #[node]
        struct $node {
            value: $ty,
        }

        impl Node<Deep> for $node {
            type Output = bool;
            type Error = Error;

            async fn run(self, _: &Deep, _: &Context) -> Result<bool, Error> {
                let _ = self.value;
                Ok(true)
            }
        }
    )*};
}
takes! {
    Anything: Value;
    Foreign: Json;
    Recursive: Chain;
    Tagged: Tree;
    Untagged: Either;
    Array: Tensor;
    Picture: Image;
}

/// Status and `type` of the answer.
async fn call(host: &Host, node: &str, media: &str, body: Vec<u8>) -> (u16, String) {
    let (status, answer) = host.call(&format!("deep__{node}"), media, body).await;
    (status, answer["type"].as_str().unwrap_or_default().to_owned())
}

fn accepted() -> (u16, String) {
    (200, String::new())
}

fn refused(status: u16, kind: &str) -> (u16, String) {
    (status, kind.to_owned())
}

/// A body of so many containers, the envelope's one counted, in JSON.
fn json_body(levels: usize, open: &str, innermost: &str, close: &str) -> Vec<u8> {
    let within = levels - 1;
    format!(r#"{{"value":{}{innermost}{}}}"#, open.repeat(within), close.repeat(within)).into_bytes()
}

/// The same in msgpack.
fn msgpack_body(levels: usize, open: &[u8], innermost: &[u8]) -> Vec<u8> {
    [&b"\x81\xa5value"[..], &open.repeat(levels - 1), innermost].concat()
}

const DEEP: [usize; 5] = [128, 129, 1_023, 1_024, 100_000];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b77_t14_depth_of_json_on_call() {
    let host = Host::start::<Deep>().await;
    for node in ["anything", "foreign"] {
        for (open, innermost, close) in [("[", "", "]"), (r#"{"a":"#, "1", "}")] {
            assert_eq!(
                call(&host, node, JSON, json_body(127, open, innermost, close)).await,
                accepted(),
                "{node} {open}"
            );
            for levels in DEEP {
                let answer = call(&host, node, JSON, json_body(levels, open, innermost, close)).await;
                assert_eq!(answer, refused(400, "too_deep"), "{node} {open} {levels}");
            }
        }
    }
    for (node, open, innermost, close) in [
        ("recursive", r#"{"next":"#, "null", "}"),
        ("tagged", r#"{"kind":"Fork","kid":"#, r#"{"kind":"Leaf"}"#, "}"),
        ("untagged", r#"{"a":"#, "1", "}"),
        ("untagged", "[", "1", "]"),
    ] {
        let leaf = usize::from(innermost.starts_with('{'));
        let answer = call(&host, node, JSON, json_body(127 - leaf, open, innermost, close)).await;
        assert_eq!(answer, accepted(), "{node}");
        let answer = call(&host, node, JSON, json_body(128 - leaf, open, innermost, close)).await;
        assert_eq!(answer, refused(400, "too_deep"), "{node}");
    }
    assert_eq!(call(&host, "anything", JSON, json_body(2, "[", "", "]")).await, accepted(), "it lives");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b77_t15_msgpack_depth_on_call() {
    let host = Host::start::<Deep>().await;
    for open in [&[0x91][..], &[0x81, 0xa1, b'a']] {
        assert_eq!(call(&host, "anything", MSGPACK, msgpack_body(127, open, &[0xc0])).await, accepted(), "{open:x?}");
        for levels in [128, 129, 1_023, 1_024, 100_000] {
            let answer = call(&host, "anything", MSGPACK, msgpack_body(levels, open, &[0xc0])).await;
            assert_eq!(answer, refused(400, "too_deep"), "{open:x?} {levels}");
        }
    }
    for (node, open, innermost) in [
        ("recursive", &b"\x81\xa4next"[..], &[0xc0][..]),
        ("tagged", b"\x82\xa4kind\xa4Fork\xa3kid", b"\x81\xa4kind\xa4Leaf"),
        ("untagged", b"\x81\xa1a", &[0x01]),
        ("untagged", &[0x91], &[0x01]),
    ] {
        let leaf = usize::from(innermost.len() > 1);
        let answer = call(&host, node, MSGPACK, msgpack_body(127 - leaf, open, innermost)).await;
        assert_eq!(answer, accepted(), "{node}");
        let answer = call(&host, node, MSGPACK, msgpack_body(128 - leaf, open, innermost)).await;
        assert_eq!(answer, refused(400, "too_deep"), "{node}");
    }
    assert_eq!(call(&host, "anything", MSGPACK, msgpack_body(2, &[0x91], &[0xc0])).await, accepted(), "it lives");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b78_t16_lengths_and_breadth_on_call() {
    let host = Host::start::<Deep>().await;
    for node in ["anything", "foreign", "recursive", "tagged", "untagged", "array", "picture"] {
        for head in [0xdd, 0xdf, 0xc6, 0xdb, 0xc9] {
            let body = msgpack_body(1, &[], &[head, 0xff, 0xff, 0xff, 0xff]);
            assert_eq!(call(&host, node, MSGPACK, body).await, refused(400, "malformed_body"), "{node} {head:x}");
        }
        let answer = call(&host, node, MSGPACK, msgpack_body(1, &[], &[0xc0, 0x00])).await;
        assert_eq!(answer, refused(400, "trailing_bytes"), "{node}");
        assert_eq!(call(&host, node, MSGPACK, msgpack_body(1, &[], &[0xc1])).await, refused(400, "malformed_body"));
    }
    let wide = [&[0xdd][..], &1_000_000_u32.to_be_bytes(), &vec![0x01; 1_000_000]].concat();
    assert_eq!(call(&host, "anything", MSGPACK, msgpack_body(1, &[], &wide)).await, refused(400, "too_many_elements"));
    let wide = format!(r#"{{"value":[{}1]}}"#, "1,".repeat(1_000_000)).into_bytes();
    assert_eq!(call(&host, "anything", JSON, wide).await, refused(400, "too_many_elements"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn b79_t17_lies_of_arrays_on_call() {
    let host = Host::start::<Deep>().await;
    let lies = [
        (json!({"__ndarray__": "AA==", "dtype": "uint8", "shape": [2]}), "bad_array"),
        (json!({"__ndarray__": "", "dtype": "uint8", "shape": [4_294_967_296_u64, 4_294_967_296_u64]}), "bad_array"),
        (json!({"__ndarray__": "AA==", "dtype": "uint8", "shape": [-1]}), "bad_array"),
        (json!({"__ndarray__": "AA==", "dtype": "O", "shape": [1]}), "dtype_not_allowed"),
        (json!({"__ndarray__": "AA==", "dtype": "<U9999", "shape": [1]}), "dtype_not_allowed"),
        (json!({"__ndarray__": "AA==", "dtype": "uint8"}), "bad_array"),
    ];
    for (marker, kind) in lies {
        for node in ["array", "picture", "anything"] {
            let body = json!({"value": marker}).to_string().into_bytes();
            let (status, found) = call(&host, node, JSON, body).await;
            assert!(matches!(status, 400 | 422) && found == kind, "{node} {marker}: {status} {found}");
        }
    }
    let blob = |payload: &[u8]| {
        let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
        msgpack_body(1, &[], &[&[0xc9][..], &length, &[1], payload].concat())
    };
    for payload in [&[][..], &[0], &[0, 0xff, 0xff, 0xff, 0xff], &[9, 0, 0, 0, 0], &[0, 0, 0, 0, 1, 0x80]] {
        for node in ["array", "picture", "anything"] {
            let (status, found) = call(&host, node, MSGPACK, blob(payload)).await;
            assert!(matches!(status, 400 | 422) && found == "bad_array", "{node} {payload:x?}: {status} {found}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t18_lies_of_pictures_on_call() {
    let host = Host::start::<Deep>().await;
    for text in ["data:image/png;base64,AAAA", "AAA", "AA-_", "AA\nAA", "AAAA", "", "hello"] {
        let answer = call(&host, "picture", JSON, json!({"value": text}).to_string().into_bytes()).await;
        assert_eq!(answer, refused(422, "bad_image"), "{text:?}");
    }
}

/// A reference is followed inside the document alone, and a pattern takes linear time.
#[test]
fn t19_schemas_are_no_bombs() {
    use nodecast::call::Validator;
    for reference in ["http://127.0.0.1:9/x.json", "file:///etc/passwd", "https://example.com/schema#/a"] {
        assert!(Validator::new(&json!({"$ref": reference})).is_err(), "{reference}");
    }
    let started = std::time::Instant::now();
    let pattern = Validator::new(&json!({"type": "string", "pattern": "^(a+)+$"})).unwrap();
    assert!(!pattern.accepts(&format!("{}!", "a".repeat(50_000)).into()));
    assert!(started.elapsed().as_secs() < 10);
}
