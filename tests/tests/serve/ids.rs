//! An id in flight names one request of its client (T10, B59): in a session, and on stdio.

use std::time::{Duration, Instant};

use nodecast_tests::{Host, Stdio, call, initialize, request};
use serde_json::{Value as Json, json};

use crate::exclusive::{end, lease, session};
use crate::{HOST, desk, room};

fn cancelled(id: &Json) -> Json {
    json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } })
}

#[tokio::test]
async fn t10_a_second_request_under_an_id_in_flight_is_refused_and_the_first_is_answered() {
    for (host, wait, echo) in [
        (desk(&[]).await, call(7, "desk__wait", &json!({ "ms": 1_500 })), call(7, "desk__add", &json!({ "by": 1 }))),
        (
            room("lounge", &[]).await,
            call(7, "lounge__rest", &json!({ "ms": 1_500 })),
            request(7, "tools/list", &json!({})),
        ),
    ] {
        let own = session(&host, "a").await;
        let headers = [("mcp-session-id", own.as_str())];
        let second = async {
            while host.get("/health").await.json()["nodecast"]["in_flight"] != 1 {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let second = host.mcp("/mcp", &headers, &echo).await;
            let mut other = echo.clone();
            other["id"] = json!("7");
            assert_eq!(host.mcp("/mcp", &headers, &other).await.status, 200, "the text 7 is another id");
            second
        };
        let (first, second) = tokio::join!(host.mcp("/mcp", &headers, &wait), second);
        let refused = second.json();
        assert_eq!((second.status, &refused["id"], &refused["error"]["code"]), (400, &json!(7), &json!(-32600)));
        assert!(refused["error"]["message"].as_str().unwrap().contains("request 7"), "{refused}");
        assert_eq!(first.message()["result"]["structuredContent"], json!({}), "{}", first.message());
        // Once answered, the id is free, and so is the lease after the session.
        assert_eq!(host.mcp("/mcp", &headers, &echo).await.status, 200);
        assert!(end(&host, &own).await < 300);
        if wait["params"]["name"] == "desk__wait" {
            assert_eq!(lease(&host).await, "free");
        }
    }
}

#[tokio::test]
async fn a_request_that_is_refused_on_its_way_leaves_its_id_free() {
    let host = room("lounge", &[]).await;
    let own = session(&host, "a").await;
    let list = request(7, "tools/list", &json!({}));
    for _ in 0..2 {
        let headers = [("mcp-session-id", own.as_str()), ("mcp-protocol-version", "2099-01-01")];
        assert_eq!(host.mcp("/mcp", &headers, &list).await.status, 400);
    }
    // rmcp refuses a header of the newer era that contradicts the body.
    let headers = [("mcp-session-id", own.as_str()), ("mcp-protocol-version", "2025-11-25")];
    assert_eq!(host.mcp("/mcp", &headers, &list).await.status, 200);
    // Sessions are apart.
    let other = session(&host, "b").await;
    let rest = call(7, "lounge__rest", &json!({ "ms": 300 }));
    let (own, other) = ([("mcp-session-id", own.as_str())], [("mcp-session-id", other.as_str())]);
    let (a, b) = tokio::join!(host.mcp("/mcp", &own, &rest), host.mcp("/mcp", &other, &rest));
    assert_eq!((a.status, b.status), (200, 200));
}

#[tokio::test]
async fn b59_a_cancelled_call_gives_its_id_back_when_it_has_ended() {
    let host = room("lounge", &[]).await;
    let own = session(&host, "a").await;
    let headers = [("mcp-session-id", own.as_str())];
    let rest = call(7, "lounge__rest", &json!({ "ms": 60_000 }));
    let running = tokio::time::timeout(Duration::from_millis(300), host.mcp("/mcp", &headers, &rest));
    let cancel = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(host.mcp("/mcp", &headers, &cancelled(&json!(7))).await.status, 202);
    };
    let _ = tokio::join!(running, cancel);
    let echo = call(7, "lounge__echo", &json!({ "text": "again" }));
    let began = Instant::now();
    loop {
        let answer = host.mcp("/mcp", &headers, &echo).await;
        if answer.status == 200 {
            assert_eq!(answer.message()["result"]["structuredContent"]["result"], "again");
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(2), "the id stays taken: {}", answer.json());
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[test]
fn t10_on_stdio_too() {
    let mut host = Stdio::start(HOST, &["--nodeset", "desk"]);
    assert_eq!(host.ask(&initialize(1, "stdio"))["id"], 1);
    host.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    let wait = call(7, "desk__wait", &json!({ "ms": 300 }));
    host.send(&wait);
    let refused = host.ask(&wait);
    assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(7), &json!(-32600)), "{refused}");
    assert_eq!(host.receive()["result"]["structuredContent"], json!({}));
    assert_eq!(host.ask(&wait)["result"]["structuredContent"], json!({}), "answered, the id is free again");
    // A method of the newer era alone is unknown to a client of the older one.
    assert_eq!(host.ask(&request(8, "tasks/get", &json!({ "taskId": "x" })))["error"]["code"], -32601);
    assert_eq!(host.end().code, Some(0));
}

/// T10: which of many requests under one id is first is anybody's guess, and there is one of them.
#[tokio::test]
async fn t10_of_many_at_once_one_runs() {
    let host: Host = room("lounge", &[]).await;
    let own = session(&host, "a").await;
    let headers = [("mcp-session-id", own.as_str())];
    let rest = call(7, "lounge__rest", &json!({ "ms": 500 }));
    let answers = futures_util::future::join_all((0..20).map(|_| host.mcp("/mcp", &headers, &rest))).await;
    let right: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
    assert_eq!(right.len(), 1);
    assert_eq!(right[0].message()["result"]["structuredContent"], json!({}));
    assert!(answers.iter().all(|answer| matches!(answer.status, 200 | 400)));
}
