//! `/health`, `/manifest`, `/contract` and `/call` in both regimes.

use std::collections::BTreeMap;

use nodecast::prelude::*;
use nodecast_tests::Answer;
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{HOST, tiny};

const MSGPACK: [(&str, &str); 1] = [("content-type", "application/msgpack")];

fn unpacked(answer: &Answer) -> Json {
    assert_eq!(answer.header("content-type"), "application/msgpack");
    rmp_serde::from_slice(&answer.body).unwrap()
}

#[tokio::test]
async fn both_regimes_and_both_forms_say_the_same() {
    let host = tiny(&[]).await;
    for body in [
        json!({ "inputs": { "text": "hi", "count": 2 }, "config": { "sep": "+" } }),
        json!({ "text": "hi", "count": 2, "sep": "+" }),
        json!({ "text": "hi", "count": 2, "config": { "sep": "+" } }),
        json!({ "text": "hi", "count": 2.0, "config": { "sep": "+" }, "_exec": { "execution_id": "e" } }),
    ] {
        let answer = host.post("/call/tiny__echo", &body).await;
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!((answer.status, answer.json()), (200, json!({ "outputs": { "result": "hi+hi" } })), "{body}");
        let packed = rmp_serde::to_vec_named(&body).unwrap();
        let answer = host.send(Method::POST, "/call/tiny__echo", &MSGPACK, packed).await;
        assert_eq!((answer.status, unpacked(&answer)), (200, json!({ "outputs": { "result": "hi+hi" } })), "{body}");
    }
    // The bytes of the specification, but for the names.
    let body = b"\x82\xa6inputs\x82\xa4text\xa2hi\xa5count\x02\xa6config\x81\xa3sep\xa1+";
    let answer = host.send(Method::POST, "/call/tiny__echo", &MSGPACK, body.to_vec()).await;
    assert_eq!(answer.body, b"\x81\xa7outputs\x81\xa6result\xa5hi+hi");
}

#[tokio::test]
async fn w3_a_default_and_an_empty_body() {
    let host = tiny(&[]).await;
    let answer = host.post("/call/tiny__echo", &json!({ "text": "a", "count": 2, "config": { "sep": null } })).await;
    assert_eq!(answer.json()["outputs"]["result"], "a-a");
    let answer = host.send(Method::POST, "/call/tiny__nothing", &[], Vec::new()).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "outputs": {} })));
}

#[tokio::test]
async fn w5_what_is_wrong_is_named() {
    let host = tiny(&[]).await;
    let cases = [
        (json!({ "txet": "hi" }), "unknown_field", "/txet"),
        (json!({}), "missing_field", "/text"),
        (json!({ "text": 5 }), "wrong_type", "/text"),
        (json!({ "inputs": { "text": "hi", "count": "x" } }), "wrong_type", "/inputs/count"),
        (json!({ "inputs": { "text": "hi", "count": 300 } }), "out_of_range", "/inputs/count"),
        (json!({ "inputs": { "text": "hi" }, "config": { "spe": "+" } }), "unknown_field", "/config/spe"),
        (json!({ "inputs": { "text": "hi" }, "sep": "+" }), "unknown_field", "/sep"),
        (json!({ "text": "hi", "config": { "sep": 5 } }), "wrong_type", "/config/sep"),
    ];
    for (body, kind, pointer) in cases {
        let answer = host.post("/call/tiny__echo", &body).await;
        let error = answer.json();
        assert_eq!(answer.status, 422, "{body}: {error}");
        assert_eq!(
            (error["type"].as_str(), error["stage"].as_str()),
            (Some(kind), Some("schema_validation")),
            "{error}"
        );
        assert_eq!(error["pointer"], pointer, "{error}");
        let packed = rmp_serde::to_vec_named(&body).unwrap();
        let answer = host.send(Method::POST, "/call/tiny__echo", &MSGPACK, packed).await;
        assert_eq!((answer.status, &unpacked(&answer)["type"]), (422, &error["type"]), "{body}");
    }
    let error = host.post("/call/tiny__echo", &json!({ "txet": "hi" })).await.json();
    assert_eq!((&error["nearest"], &error["known"]), (&json!("text"), &json!(["text", "count", "sep"])));
    let answer = host.post("/call/tiny__ehco", &json!({})).await;
    assert_eq!((answer.status, &answer.json()["nearest"]), (404, &json!("tiny__echo")));
}

#[tokio::test]
async fn b57_bodies_that_are_none() {
    let host = tiny(&[]).await;
    for (body, kind) in [
        (&b"nope"[..], "malformed_body"),
        (b"{\"text\":\"a\"} x", "trailing_bytes"),
        (b"{\"text\":\"a\",\"text\":\"b\"}", "duplicate_key"),
        (b"[]", "not_a_map"),
        (b"{\"inputs\":[]}", "not_a_map"),
        (b"{\"text\":\"a\",\"config\":5}", "not_a_map"),
    ] {
        let answer = host.send(Method::POST, "/call/tiny__echo", &[], body.to_vec()).await;
        let text = String::from_utf8_lossy(body);
        assert_eq!((answer.status, &answer.json()["type"]), (400, &json!(kind)), "{text}: {}", answer.json());
    }
    for (body, kind) in [
        (&b"\xc1"[..], "malformed_body"),
        (b"\x80\x00", "trailing_bytes"),
        (b"\xdf\xff\xff\xff\xff", "malformed_body"),
        (b"\x90", "not_a_map"),
    ] {
        let answer = host.send(Method::POST, "/call/tiny__echo", &MSGPACK, body.to_vec()).await;
        assert_eq!((answer.status, &unpacked(&answer)["type"]), (400, &json!(kind)), "{body:?}");
    }
    for depth in [128, 100_000] {
        let nested = [b"{\"text\":".to_vec(), vec![b'['; depth]].concat();
        assert_eq!(host.send(Method::POST, "/call/tiny__echo", &[], nested).await.status, 400, "{depth}");
        let nested = [b"\x81\xa4text".to_vec(), vec![0x91; depth]].concat();
        assert_eq!(host.send(Method::POST, "/call/tiny__echo", &MSGPACK, nested).await.status, 400, "{depth}");
    }
}

#[tokio::test]
async fn b62_b83_content_types() {
    let host = tiny(&[]).await;
    for media in ["text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded"] {
        let answer = host.send(Method::POST, "/call/tiny__nothing", &[("content-type", media)], b"{}".to_vec()).await;
        assert_eq!((answer.status, &answer.json()["type"]), (415, &json!("unsupported_media_type")), "{media}");
    }
    for media in ["application/vnd.x+json", "application/json; charset=UTF-8", "Application/JSON"] {
        let answer = host.send(Method::POST, "/call/tiny__nothing", &[("content-type", media)], b"{}".to_vec()).await;
        assert_eq!(answer.status, 200, "{media}");
    }
    for media in ["text/plain", "application/json; charset=utf-16", "application/msgpack"] {
        let message = nodecast_tests::request(1, "tools/list", &json!({})).to_string().into_bytes();
        let answer = host.send(Method::POST, "/mcp", &[("content-type", media)], message).await;
        assert_eq!((answer.status, &answer.json()["jsonrpc"]), (415, &json!("2.0")), "{media}");
    }
    let media = [("content-type", "Application/MsgPack")];
    let answer = host.send(Method::POST, "/call/tiny__nothing", &media, vec![0x80]).await;
    assert_eq!(unpacked(&answer), json!({ "outputs": {} }));
}

/// Gzip of so many times 258 zeros, in 13 bits each (RFC 1951, 3.2.6).
fn bomb(runs: usize) -> Vec<u8> {
    const RUN: [u8; 13] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
    // The last block, of fixed codes; a zero; runs of the zero before; the end.
    let bits = [&[1, 1, 0][..], &[0, 0, 1, 1, 0, 0, 0, 0], &RUN.repeat(runs), &[0; 7]].concat();
    let packed = bits.chunks(8).map(|bits| bits.iter().rev().fold(0_u8, |byte, bit| byte << 1 | bit));
    b"\x1f\x8b\x08\0\0\0\0\0\0\xff".iter().copied().chain(packed).collect()
}

/// T07: a body that says how it is packed is refused by its head, so nothing is ever unpacked.
#[tokio::test]
async fn t07_b62_packed_bodies_are_refused_unread() {
    let host = tiny(&[]).await;
    let bomb = bomb(600);
    assert!(bomb.len() < 1024);
    for path in ["/call/tiny__echo", "/mcp", "/containers/evict", "/nowhere"] {
        for encoding in ["gzip", "GZIP", "deflate", "br", "zstd", "identity", "gzip, gzip"] {
            let headers = [("content-type", "application/json"), ("content-encoding", encoding)];
            // One header is true, and the other is not.
            for body in [bomb.clone(), b"{\"text\":\"a\"}".to_vec()] {
                let answer = host.send(Method::POST, path, &headers, body).await;
                let media = answer.header("content-type");
                assert_eq!((answer.status, media), (415, "application/json"), "{path} {encoding}");
            }
        }
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", host.authority());
        let announced = format!("{head}Content-Encoding: gzip\r\nContent-Length: 1000000\r\n\r\n");
        assert!(host.raw(announced.as_bytes()).starts_with("HTTP/1.1 415"), "{path}");
    }
    // Without the header it is no JSON, and nobody guesses.
    let answer = host.send(Method::POST, "/call/tiny__echo", &[("content-type", "application/json")], bomb).await;
    assert_eq!((answer.status, &answer.json()["type"]), (400, &json!("malformed_body")));
}

#[tokio::test]
async fn b61_t04_body_caps() {
    let host = tiny(&["--max-body", "100", "--max-mcp-body", "200"]).await;
    let body = |length: usize| format!("{{\"text\":\"{}\"}}", "x".repeat(length - 11)).into_bytes();
    for (length, status) in [(99, 200), (100, 200), (101, 413), (100_000, 413)] {
        assert_eq!(body(length).len(), length);
        let answer = host.send(Method::POST, "/call/tiny__echo", &[], body(length)).await;
        assert_eq!(answer.status, status, "{length}");
    }
    let head = format!("POST /call/tiny__echo HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", host.authority());
    let chunk = format!("64\r\n{}\r\n", "x".repeat(100));
    let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunk}{chunk}0\r\n\r\n");
    assert!(host.raw(chunked.as_bytes()).starts_with("HTTP/1.1 413"));
    // A length that lies is refused on its word alone.
    let lying = format!("{head}Content-Length: 1000000\r\n\r\n{{}}");
    assert!(host.raw(lying.as_bytes()).starts_with("HTTP/1.1 413"));
    // Who asks first is not told to send what is not taken (RFC 9110, 10.1.1).
    for path in ["/call/tiny__echo", "/mcp"] {
        let head = format!("POST {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", host.authority());
        let asking = |length| {
            format!("{head}Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: {length}\r\n\r\n")
        };
        assert!(host.raw(asking(1_000_000).as_bytes()).starts_with("HTTP/1.1 413"), "{path}");
        assert!(host.raw(format!("{}{{}}", asking(2)).as_bytes()).starts_with("HTTP/1.1 100"), "{path}");
    }
    let answer = host.send(Method::POST, "/mcp", &[("content-type", "application/json")], vec![b'x'; 201]).await;
    assert_eq!((answer.status, &answer.json()["jsonrpc"]), (413, &json!("2.0")));
}

#[tokio::test]
async fn b39_w6_failures_look_like_failures() {
    let host = tiny(&[]).await;
    let cases =
        [("tiny__boom", 500, "internal_runtime", "panic"), ("tiny__fails", 500, "adapter_execution", "no_such_scene")];
    for (function, status, stage, kind) in cases {
        let path = format!("/call/{function}");
        let json = host.post(&path, &json!({})).await;
        let packed = host.send(Method::POST, &path, &MSGPACK, vec![0x80]).await;
        assert_eq!((json.status, packed.status), (status, status));
        assert_eq!(json.json(), unpacked(&packed));
        let error = json.json();
        assert_eq!((error["stage"].as_str(), error["type"].as_str()), (Some(stage), Some(kind)));
        let text = error.to_string();
        assert!(!text.contains("secret") && !text.contains("hunter2"), "{text}");
    }
    // msgpack can say what JSON cannot.
    let answer = host.post("/call/tiny__not_a_number", &json!({})).await;
    let error = answer.json();
    assert_eq!(
        (answer.status, &error["type"], &error["pointer"]),
        (500, &json!("non_finite"), &json!("/outputs/result"))
    );
    assert_eq!(error["stage"], "adapter_execution");
    let answer = host.send(Method::POST, "/call/tiny__not_a_number", &MSGPACK, vec![0x80]).await;
    let unpacked: BTreeMap<String, BTreeMap<String, f64>> = rmp_serde::from_slice(&answer.body).unwrap();
    assert!(unpacked["outputs"]["result"].is_nan());
}

#[tokio::test]
async fn b58_a_client_that_goes_away_cancels_its_call() {
    let host = tiny(&[]).await;
    let brief = std::time::Duration::from_millis(300);
    let body = json!({ "ms": 20_000 });
    assert!(tokio::time::timeout(brief, host.post("/call/tiny__slow", &body)).await.is_err());
    for _ in 0..50 {
        let counts = host.post("/call/tiny__counts", &json!({})).await.json();
        if counts["outputs"] == json!({ "started": 1, "ended": 0, "dropped": 1 }) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the call runs on for nobody");
}

#[tokio::test]
async fn documents_have_tags_and_never_change() {
    let host = tiny(&[]).await;
    for path in ["/manifest", "/contract"] {
        let first = host.get(path).await;
        assert_eq!((first.status, first.header("content-type")), (200, "application/json"));
        let etag = first.header("etag").to_owned();
        for sent in [etag.clone(), "*".to_owned(), format!("\"x\", W/{etag}")] {
            let answer = host.send(Method::GET, path, &[("if-none-match", &sent)], Vec::new()).await;
            assert_eq!((answer.status, answer.body.len(), answer.header("etag")), (304, 0, &*etag), "{sent}");
        }
        assert_eq!(tiny(&["--no-mcp"]).await.get(path).await.body, first.body);
    }
    let health = host.get("/health").await.json();
    assert_eq!((&health["status"], &health["name"], &health["version"]), (&json!("ok"), &json!("tiny"), &json!("1.0")));
    assert_eq!(health["nodecast"]["mcp"], json!({ "state": "up" }));
    assert_eq!(health["nodecast"]["contract"], host.get("/manifest").await.json()["nodecast"]["contract"]);
}

#[tokio::test]
async fn unknown_routes_and_wrong_methods() {
    let host = tiny(&[]).await;
    let answer = host.get("/manfest").await;
    assert_eq!((answer.status, &answer.json()["nearest"]), (404, &json!("/manifest")));
    let answer = host.send(Method::GET, "/call/tiny__echo", &[], Vec::new()).await;
    assert_eq!((answer.status, answer.header("allow")), (405, "POST"));
    assert_eq!(answer.json()["type"], "method_not_allowed");
    let answer = host.send(Method::POST, "/call/%ff", &[], Vec::new()).await;
    assert_eq!((answer.status, &answer.json()["type"]), (404, &json!("unknown_function")));
}

#[tokio::test]
async fn several_nodesets_in_one_process() {
    let host = nodecast_tests::Host::start(HOST, &["--name", "both", "--nodeset", "desk", "--nodeset", "tiny"]).await;
    let manifest = host.get("/manifest").await.json();
    let names: Vec<_> = manifest["functions"].as_array().unwrap().iter().map(|node| node["name"].clone()).collect();
    assert_eq!((&manifest["name"], &names[0], names.len()), (&json!("both"), &json!("desk__add"), 15));
    assert_eq!(host.get("/desk/manifest").await.json()["name"], "desk");
    assert_eq!(host.get("/tiny/health").await.json()["name"], "tiny");
    assert_eq!(host.get("/health").await.json()["nodecast"]["nodesets"]["desk"]["exclusive"], true);
    for path in ["/call/desk__add", "/desk/call/desk__add"] {
        assert_eq!(host.post(path, &json!({ "by": 1 })).await.status, 200, "{path}");
    }
    assert_eq!(host.post("/tiny/call/desk__add", &json!({ "by": 1 })).await.status, 404);
    let contract = host.get("/contract").await;
    assert_eq!((contract.status, &contract.json()["known"]), (404, &json!(["/desk/contract", "/tiny/contract"])));
}

/// A nodeset of the application itself.
#[nodeset(name = "mini", nodes(Twice))]
#[derive(Default)]
struct Mini;

#[node]
struct Twice {
    n: i32,
}

impl Node<Mini> for Twice {
    type Output = i32;
    type Error = Error;

    async fn run(self, _: &Mini, _: &Context) -> Result<i32, Error> {
        Ok(2 * self.n)
    }
}

/// Calls its functions as [`Mini`] does.
#[nodeset(name = "maxi", prefix = "mini", nodes(Twice))]
#[derive(Default)]
struct Maxi;

impl Node<Maxi> for Twice {
    type Output = i32;
    type Error = Error;

    async fn run(self, _: &Maxi, _: &Context) -> Result<i32, Error> {
        Ok(2 * self.n)
    }
}

/// Fault B21: of two functions of one name nobody could say which is meant, so nothing is served.
#[tokio::test]
async fn b21_two_functions_of_one_full_name_do_not_start() {
    let both = nodecast::Host::new().nodeset::<Mini>(()).nodeset::<Maxi>(()).into_router().await.unwrap_err();
    let way_out = "serve one with --nodeset, or give one another `prefix`";
    assert_eq!(both.to_string(), format!("both `mini` and `maxi` have a function `mini__twice`; {way_out}"));
    assert_eq!(both.exit_code(), 2);
    // By itself either is served.
    assert!(nodecast::Host::new().nodeset::<Maxi>(()).into_router().await.is_ok());
}

#[tokio::test]
async fn mounted_into_another_application() {
    let nodes = nodecast::Host::new().nodeset::<Mini>(()).into_router().await.unwrap();
    let app = axum::Router::new().route("/", axum::routing::get(async || "home")).nest("/nodes", nodes);
    let url = nodecast_tests::serve(app).await;
    let home = reqwest::get(&url).await.unwrap().text().await.unwrap();
    assert_eq!(home, "home");
    let call = nodecast_tests::http().build().unwrap().post(format!("{url}/nodes/call/mini__twice")).body("{\"n\":21}");
    let reply: Json = serde_json::from_slice(&call.send().await.unwrap().bytes().await.unwrap()).unwrap();
    assert_eq!(reply, json!({ "outputs": { "result": 42 } }));
    let empty = nodecast::Host::new().into_router().await.unwrap_err();
    assert_eq!(empty.exit_code(), 1);
}
