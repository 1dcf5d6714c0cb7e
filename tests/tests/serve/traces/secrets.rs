//! What must never reach a collector.

use nodecast_tests::call;
use reqwest::Method;
use serde_json::json;

use super::collector::Collector;
use super::{end, host};

/// Fault T25 for traces: what a caller sends, what a node returns and what it lets slip stay here.
#[tokio::test]
async fn t25_secrets_reach_no_collector() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced,odd", &[], &[]).await;
    let headers = [
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
        ("authorization", "Bearer CANARY-authorization"),
        ("cookie", "session=CANARY-cookie"),
        ("x-api-key", "CANARY-key"),
        ("tracestate", "vendor=CANARY-state"),
        ("baggage", "user=CANARY-baggage"),
        ("user-agent", "CANARY-agent"),
    ];
    let mut arguments = vec![
        // Returned as it is, and logged by the node.
        ("traced__look", json!({ "text": "CANARY-argument" })),
        // As a wrong value, under a wrong name, as the name of a node.
        ("traced__look", json!({ "text": { "CANARY-member": ["CANARY-item"] } })),
        ("traced__look", json!({ "text": "x", "CANARY-name": "CANARY-value" })),
        ("traced__CANARY-node", json!({})),
        ("CANARY-nodeset__look", json!({ "text": "CANARY-argument" })),
        ("odd__echoes", json!({ "text": "CANARY-output" })),
        ("odd__fires", json!({ "name": "CANARY-function" })),
        ("odd__foreign", json!({})),
    ];
    let ways = ["kind", "message", "cause", "foreign", "panic", "service", "content", "CANARY-option"];
    arguments.extend(ways.map(|how| ("traced__fail", json!({ "text": "CANARY-failure", "how": how }))));
    for (node, arguments) in &arguments {
        let body = arguments.to_string().into_bytes();
        host.send(Method::POST, &format!("/call/{node}?CANARY-query=1"), &headers, body).await;
        host.mcp("/mcp", &headers[2..], &call(1, node, arguments)).await;
    }
    let (log, _) = end(host).await;
    // The calls were told of, all but those of no node.
    let spans = collector.received.spans();
    let calls: Vec<_> = spans.iter().filter(|span| span.attributes.contains_key("nodecast.function")).collect();
    assert_eq!(calls.len(), 2 * (arguments.len() - 2), "{calls:#?}");
    assert!(log.contains("CANARY-failure") && log.contains("hunter2"), "whoever runs the host learns why: {log}");
    let raw = collector.received.raw();
    assert!(raw.contains("traced__fail") && raw.contains("look_around"));
    for secret in ["CANARY", "hunter2", env!("CARGO_MANIFEST_DIR")] {
        assert!(!raw.contains(secret), "{secret}: {raw}");
    }
}
