//! Documents and subscriptions of both eras on one endpoint (`live.md` 5).

use nodecast_tests::{Host, initialize, modern, request};
use serde_json::{Value as Json, json};

use super::{app, refused, text, two};
use crate::changes::Stream;

/// A session of the older era, and the stream of its notes.
async fn session(host: &Host) -> (String, Stream) {
    let opened = host.mcp("/mcp", &[], &initialize(1, "older")).await;
    assert_eq!(opened.status, 200);
    let session = opened.header("mcp-session-id").to_owned();
    let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(host.mcp("/mcp", &headers, &initialized).await.status, 202);
    let stream = Stream::open(host, &headers).await;
    (session, stream)
}

async fn older(host: &Host, session: &str, method: &str, uri: &str) -> Json {
    let headers = [("mcp-session-id", session), ("mcp-protocol-version", "2025-11-25")];
    host.mcp("/mcp", &headers, &request(2, method, &json!({ "uri": uri }))).await.message()
}

async fn newer(host: &Host, uri: &str) -> Json {
    host.ask(&modern(3, "resources/read", Some(uri), json!({ "uri": uri }))).await.message()
}

#[tokio::test]
async fn the_state_and_each_value_are_documents() {
    let host = app("cart").await;
    let listed = host.mcp("/mcp", &[], &request(1, "resources/list", &json!({}))).await.message();
    let uris: Vec<_> =
        listed["result"]["resources"].as_array().unwrap().iter().map(|one| one["uri"].as_str().unwrap()).collect();
    let expected = ["live://state", "live://state/subtotal", "live://state/discount", "live://state/total"];
    assert_eq!(uris, expected);
    let templates = host.mcp("/mcp", &[], &request(1, "resources/templates/list", &json!({}))).await.message();
    assert_eq!(templates["result"]["resourceTemplates"][0]["uriTemplate"], "live://state/{name}");
    text(&host, "dispatch", json!({ "messages": two() })).await;
    let read = newer(&host, "live://state").await;
    let content = &read["result"]["contents"][0];
    let state = r#"{"version":3,"values":{"subtotal":500,"discount":50,"total":450}}"#;
    assert_eq!((&content["text"], &content["mimeType"]), (&json!(state), &json!("application/json")));
    assert_eq!((&read["result"]["ttlMs"], &read["result"]["cacheScope"]), (&json!(0), &json!("private")));
    let read = newer(&host, "live://state/total").await;
    assert_eq!(read["result"]["contents"][0]["text"], r#"{"version":3,"value":450}"#);
}

#[tokio::test]
async fn r09_an_unknown_value_is_no_document() {
    let host = app("cart").await;
    let uri = "live://state/nope";
    let answer = newer(&host, uri).await;
    assert_eq!((&answer["error"]["code"], &answer["error"]["data"]["uri"]), (&json!(-32602), &json!(uri)));
    let (session, _stream) = session(&host).await;
    for method in ["resources/read", "resources/subscribe"] {
        let answer = older(&host, &session, method, uri).await;
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
    }
    // So much of the name as is worth reading.
    let answer = newer(&host, &format!("{uri}{}", "e".repeat(2_000))).await;
    let told = answer["error"]["message"].as_str().unwrap();
    assert!(told.contains("e…`; there are `") && told.len() < 400, "{told}");
}

#[tokio::test]
async fn r10_both_eras_learn_of_one_dispatch_on_one_endpoint() {
    let host = app("cart").await;
    let (session, mut notes) = session(&host).await;
    for uri in ["live://state", "live://state/total", "live://state/discount"] {
        let subscribed = older(&host, &session, "resources/subscribe", uri).await;
        assert!(subscribed.get("result").is_some(), "{subscribed}");
    }
    let gone = older(&host, &session, "resources/unsubscribe", "live://state/discount").await;
    assert!(gone.get("result").is_some(), "{gone}");
    let watched = json!(["live://state", "live://state/subtotal", "live://state/discount", "live://state/nope"]);
    let mut listened = Stream::listen(&host, json!({ "resourceSubscriptions": watched })).await;
    let acknowledged = listened.next().await.unwrap();
    let known = json!(["live://state", "live://state/subtotal", "live://state/discount"]);
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(acknowledged["params"]["notifications"]["resourceSubscriptions"], known, "{acknowledged}");
    let one = json!({ "message": "add_item", "args": { "sku": "a", "unit_price": 5, "quantity": 1 } });
    text(&host, "dispatch", one).await;
    for uri in ["live://state", "live://state/total"] {
        let note = notes.next().await.unwrap();
        assert_eq!((&note["method"], &note["params"]["uri"]), (&json!("notifications/resources/updated"), &json!(uri)));
        assert!(note["params"].get("_meta").is_none(), "{note}");
    }
    for uri in ["live://state", "live://state/subtotal"] {
        let note = listened.next().await.unwrap();
        assert_eq!((&note["method"], &note["params"]["uri"]), (&json!("notifications/resources/updated"), &json!(uri)));
        assert_eq!(note["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], 9, "{note}");
    }
    assert_eq!((notes.next().await, listened.next().await), (None, None));
}

/// B67: two streams of one session are open side by side, and no note is on both.
#[tokio::test]
async fn b67_no_note_is_on_two_streams() {
    let host = app("cart").await;
    let (session, mut first) = session(&host).await;
    let headers = [("mcp-session-id", session.as_str()), ("mcp-protocol-version", "2025-11-25")];
    let mut second = Stream::open(&host, &headers).await;
    let subscribed = older(&host, &session, "resources/subscribe", "live://state").await;
    assert!(subscribed.get("result").is_some(), "{subscribed}");
    let one = json!({ "message": "add_item", "args": { "sku": "a", "unit_price": 5, "quantity": 1 } });
    text(&host, "dispatch", one).await;
    let notes = [first.next().await, second.next().await];
    let of_state = notes.iter().flatten().filter(|note| note["params"]["uri"] == "live://state").count();
    assert_eq!(of_state, 1, "{notes:?}");
}

/// `live.md` 5: a stream of the newer era has a result when the application closes, and several streams are apart.
#[tokio::test]
async fn streams_end_in_order_when_the_application_closes() {
    let host = app("closing").await;
    let mut both =
        Stream::listen(&host, json!({ "resourceSubscriptions": ["live://state", "live://state/total"] })).await;
    let mut other = Stream::listen(&host, json!({ "resourceSubscriptions": ["live://state/discount"] })).await;
    for stream in [&mut both, &mut other] {
        assert_eq!(stream.next().await.unwrap()["method"], "notifications/subscriptions/acknowledged");
    }
    let one = json!({ "message": "add_item", "args": { "sku": "a", "unit_price": 5, "quantity": 1 } });
    text(&host, "dispatch", one.clone()).await;
    for uri in ["live://state", "live://state/total"] {
        assert_eq!(both.next().await.unwrap()["params"]["uri"], uri);
    }
    for stream in [&mut both, &mut other] {
        let end = stream.next().await.unwrap();
        assert_eq!((&end["id"], &end["result"]["resultType"]), (&json!(9), &json!("complete")), "{end}");
    }
    let wait = json!({ "version": 9, "timeoutMs": 60_000 });
    for (tool, asked) in [("dispatch", one), ("wait_version", wait)] {
        let (said, stage) = refused(&host, tool, asked).await;
        assert_eq!((&*said, &*stage), ("the application has ended", "busy"), "{tool}");
    }
}
