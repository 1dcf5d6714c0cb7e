//! Requests that are refused by their head, and bodies that are not what their head says.

use reqwest::Method;
use serde_json::json;

use crate::{HOST, tiny};

/// The head of a POST of JSON.
fn head(path: &str, rest: &str) -> Vec<u8> {
    format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\n{rest}\r\n"
    )
    .into_bytes()
}

/// A client that sends all before it reads gets to the answer.
#[tokio::test]
async fn a_refusal_waits_for_a_body_that_is_still_sent() {
    let host = tiny(&[]).await;
    let body = vec![b' '; 16 << 20];
    let length = format!("Content-Length: {}\r\n", body.len());
    let foreign = format!("{length}Origin: http://evil.test\r\n");
    let packed = format!("{length}Content-Encoding: gzip\r\n");
    for (path, rest, status) in [
        ("/call/tiny__nowhere", &length, 404),
        ("/nowhere", &length, 404),
        ("/health", &length, 405),
        ("/call/tiny__echo", &foreign, 403),
        ("/manifest", &foreign, 403),
        ("/call/tiny__echo", &packed, 415),
    ] {
        let answer = host.raw(&[head(path, rest), body.clone()].concat());
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {:?}", answer.lines().next());
    }
}

#[tokio::test]
async fn what_announces_a_body_in_two_ways_is_refused() {
    let host = tiny(&[]).await;
    let send = async |types: &[&'static str]| {
        let headers: Vec<_> = types.iter().map(|media| ("content-type", *media)).collect();
        host.send(Method::POST, "/call/tiny__nothing", &headers, b"{}".to_vec()).await
    };
    let refused = send(&["application/json", "application/msgpack"]).await;
    assert_eq!((refused.status, &refused.json()["type"]), (400, &json!("bad_content_type")));
    assert_eq!(send(&["application/json", "application/json"]).await.status, 200);
    let coded = host.raw(&[head("/call/tiny__nothing", "Transfer-Encoding: gzip, chunked\r\n"), chunks("2")].concat());
    assert!(coded.starts_with("HTTP/1.1 501 ") && coded.contains("unsupported_transfer_coding"), "{coded}");
}

#[tokio::test]
async fn broken_chunks_are_told_from_a_body_that_ends_early() {
    let host = tiny(&[]).await;
    let chunked = |chunk: &str| {
        host.raw(&[head("/call/tiny__nothing", "Transfer-Encoding: chunked\r\n"), chunks(chunk)].concat())
    };
    assert!(chunked("2").starts_with("HTTP/1.1 200 "));
    let broken = chunked("zz");
    assert!(broken.starts_with("HTTP/1.1 400 ") && broken.contains("the chunked encoding"), "{broken}");
}

/// An empty object, whose chunk begins so.
fn chunks(size: &str) -> Vec<u8> {
    format!("{size}\r\n{{}}\r\n0\r\n\r\n").into_bytes()
}

/// A base URL may end in a slash, and what follows it may be the path of a nodeset.
#[tokio::test]
async fn a_slash_before_a_nodeset_is_ignored() {
    let host = nodecast_tests::Host::start(HOST, &["--nodeset", "desk", "--nodeset", "tiny"]).await;
    for path in ["/tiny/health", "//tiny/health", "/tiny//health", "//tiny//health/"] {
        assert_eq!(host.get(path).await.status, 200, "{path}");
    }
    let called = host.post("//tiny/call/tiny__echo", &json!({ "text": "hi" })).await;
    assert_eq!((called.status, called.json()), (200, json!({ "outputs": { "result": "hi" } })));
    assert_eq!(host.post("//tiny/mcp", &json!({})).await.status, 404);
}
