//! One client at a time on an exclusive nodeset.

use std::time::{Duration, Instant};

use nodecast_tests::{Answer, Host, call, initialize, request};
use reqwest::Method;
use serde_json::json;

use crate::{desk, gridworld};

pub(crate) async fn shake(host: &Host, id: i64, client: &str) -> Answer {
    host.mcp("/mcp", &[], &initialize(id, client)).await
}

pub(crate) async fn session(host: &Host, client: &str) -> String {
    let answer = shake(host, 1, client).await;
    assert_eq!(answer.status, 200, "{}", answer.message());
    answer.header("mcp-session-id").to_owned()
}

pub(crate) async fn end(host: &Host, session: &str) -> u16 {
    host.send(Method::DELETE, "/mcp", &[("mcp-session-id", session)], Vec::new()).await.status
}

pub(crate) async fn lease(host: &Host) -> String {
    host.get("/health").await.json()["nodecast"]["lease"].as_str().unwrap().to_owned()
}

/// Whatever is no message; none of it takes the lease or needs it.
pub(crate) async fn malformed(host: &Host) {
    let headers = [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    for body in [&b"nope"[..], b"[]", b"{}", br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#] {
        assert_eq!(host.send(Method::POST, "/mcp", &headers, body.to_vec()).await.status, 400);
    }
    let batch = format!("[{}]", initialize(1, "batch"));
    assert_eq!(host.send(Method::POST, "/mcp", &headers, batch.into_bytes()).await.status, 400);
    assert_eq!(host.send(Method::OPTIONS, "/mcp", &[], Vec::new()).await.status, 405);
}

/// The same, and what is harmless.
pub(crate) async fn junk(host: &Host) {
    malformed(host).await;
    for method in [Method::GET, Method::DELETE] {
        let answer = host.send(method, "/mcp", &[("accept", "text/event-stream")], Vec::new()).await;
        assert_eq!((answer.status, answer.header("content-type")), (400, "application/json"));
    }
    let list = host.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await;
    assert_eq!(list.json()["result"]["tools"].as_array().unwrap().len(), 5);
}

#[tokio::test]
async fn w1_b66_fifty_at_once_and_one_winner() {
    let host = gridworld(&[]).await;
    junk(&host).await;
    assert_eq!(lease(&host).await, "free");
    let began = Instant::now();
    for round in 0..100 {
        let shakes = (0..50).map(|id| shake(&host, id, "one of fifty"));
        let answers = futures_util::future::join_all(shakes).await;
        let won: Vec<_> = answers.iter().filter(|answer| answer.status == 200).collect();
        assert_eq!(won.len(), 1, "round {round}");
        for (id, answer) in answers.iter().enumerate().filter(|(_, answer)| answer.status != 200) {
            let refused = answer.json();
            assert_eq!(answer.status, 409);
            assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(id), &json!(409)));
            let data = &refused["error"]["data"];
            assert_eq!((&data["reason"], &data["heldBy"]), (&json!("mcp_exclusive"), &json!("one of fifty 1.0")));
            assert!(data["heldForMs"].is_u64() && data["freesInMsIfIdle"].as_u64() <= Some(600_000));
            assert!(answer.header("retry-after").parse::<u64>().unwrap() > 0);
            let message = refused["error"]["message"].as_str().unwrap();
            assert!(message.contains("mcp_exclusive") && message.contains("gridworld"));
        }
        if round == 0 {
            // Junk is junk while the lease is held, too.
            junk(&host).await;
        }
        assert_eq!(lease(&host).await, "held");
        end(&host, won[0].header("mcp-session-id")).await;
        assert_eq!(lease(&host).await, "free");
    }
    println!("100 rounds of 50: {:?}", began.elapsed());
}

#[tokio::test]
async fn calls_need_the_session() {
    let host = desk(&["--set", "total=40"]).await;
    let add = call(2, "desk__add", &json!({ "by": 2 }));
    let answer = host.mcp("/mcp", &[], &add).await;
    assert_eq!((answer.status, &answer.json()["id"]), (400, &json!(2)));
    assert!(answer.json()["error"]["message"].as_str().unwrap().contains("initialize"));
    let own = session(&host, "a").await;
    let answer = host.mcp("/mcp", &[("mcp-session-id", &own)], &add).await;
    assert_eq!(answer.message()["result"]["structuredContent"], json!({ "result": 42 }));
    let answer = host.mcp("/mcp", &[("mcp-session-id", &own), ("accept", "application/json")], &add).await;
    assert_eq!(answer.message()["result"]["structuredContent"], json!({ "result": 44 }));
    let answer = host.mcp("/mcp", &[("mcp-session-id", "guessed")], &add).await;
    assert_eq!((answer.status, &answer.json()["id"]), (404, &json!(2)));
    // A second handshake on the own session makes no second holder.
    host.mcp("/mcp", &[("mcp-session-id", &own)], &initialize(3, "a")).await;
    assert_eq!(shake(&host, 4, "b").await.status, 409);
    assert!(end(&host, &own).await < 300);
    assert_eq!(host.mcp("/mcp", &[("mcp-session-id", &own)], &add).await.status, 404);
    // `/call` is not gated.
    assert_eq!(host.post("/call/desk__add", &json!({ "by": 0 })).await.json()["outputs"]["result"], 44);
}

#[tokio::test]
async fn w2_delete_during_a_call_hands_over_after_it() {
    let host = desk(&[]).await;
    let own = session(&host, "a").await;
    let began = Instant::now();
    let headers = [("mcp-session-id", own.as_str())];
    let wait = call(2, "desk__wait", &json!({ "ms": 700 }));
    let running = host.mcp("/mcp", &headers, &wait);
    let taken_over = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        end(&host, &own).await;
        assert_eq!(lease(&host).await, "draining");
        let refused = shake(&host, 5, "b").await;
        assert_eq!((refused.status, refused.header("retry-after")), (409, "1"));
        while shake(&host, 6, "b").await.status != 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        began.elapsed()
    };
    let (answer, taken_over) = tokio::join!(running, taken_over);
    assert_eq!(answer.message()["result"]["structuredContent"], json!({}), "the running call still answers");
    assert!(taken_over >= Duration::from_millis(700), "{taken_over:?}");
}

#[tokio::test]
async fn t13_w2_the_reaper_frees_the_idle_and_never_the_busy() {
    let host = desk(&["--idle-timeout", "400ms"]).await;
    let own = session(&host, "a").await;
    let headers = [("mcp-session-id", own.as_str())];
    // Longer than the limit, and it finishes.
    let wait = host.mcp("/mcp", &headers, &call(2, "desk__wait", &json!({ "ms": 1200 }))).await;
    assert_eq!(wait.message()["result"]["structuredContent"], json!({}));
    assert_eq!(lease(&host).await, "held");
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(lease(&host).await, "free");
    assert_eq!(host.mcp("/mcp", &headers, &call(3, "desk__add", &json!({ "by": 1 }))).await.status, 404);
    session(&host, "b").await;
}

#[tokio::test]
async fn b39_a_panic_keeps_the_lease_and_the_host() {
    let host = desk(&[]).await;
    let own = session(&host, "a").await;
    let headers = [("mcp-session-id", own.as_str())];
    let crash = host.mcp("/mcp", &headers, &call(2, "desk__crash", &json!({}))).await.message();
    assert_eq!(crash["result"]["isError"], true);
    let add = host.mcp("/mcp", &headers, &call(3, "desk__add", &json!({ "by": 1 }))).await.message();
    assert_eq!(add["result"]["structuredContent"], json!({ "result": 1 }));
    end(&host, &own).await;
    assert_eq!(lease(&host).await, "free");
}

#[tokio::test]
async fn t13_a_client_that_hangs_up_in_its_handshake_leaves_no_trace() {
    let host = desk(&["--idle-timeout", "1s"]).await;
    for _ in 0..50 {
        let brief = Duration::from_micros(300);
        let _ = tokio::time::timeout(brief, shake(&host, 1, "gone")).await;
    }
    // Whichever got as far as a session without reading it is gone with the idle limit.
    let began = Instant::now();
    while shake(&host, 2, "stays").await.status != 200 {
        assert!(began.elapsed() < Duration::from_secs(5), "the lease stays held by nobody");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
