//! An application with a subscriber of its own: it is left alone, and may add the layer.

use nodecast_tests::Host;
use reqwest::Method;
use serde_json::json;

use super::collector::Collector;
use super::{CALLER, JSON, PARENT, TRACE, command, end};

#[tokio::test]
async fn a_call_stands_below_the_applications_own_span() {
    let collector = Collector::start().await;
    let host = Host::of(&mut command(&["application"], &[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)]));
    let body = json!({ "text": "x" }).to_string().into_bytes();
    let headers = [JSON, ("traceparent", CALLER)];
    assert_eq!(host.send(Method::POST, "/nodes/call/traced__look", &headers, body).await.status, 200);
    let (log, _) = end(host).await;
    assert_eq!(log, "", "it has no log, and none is made for it");
    let (request, call) = (collector.received.one("request"), collector.received.one("traced__look"));
    assert_eq!((request.trace.as_str(), request.parent.as_str()), (TRACE, PARENT));
    // Both have read the header, and the call is the inner one.
    assert_eq!((&call.trace, &call.parent, call.service.as_str()), (&request.trace, &request.id, "application"));
    assert_eq!(collector.received.one("look_around").parent, call.id);
}

#[tokio::test]
async fn without_a_collector_it_serves_as_ever() {
    let host = Host::of(&mut command(&["application"], &[]));
    let answer = host.post("/nodes/call/traced__dig", &json!({})).await;
    assert_eq!((answer.status, answer.json()["outputs"]["result"].as_str()), (200, Some("")));
    end(host).await;
}
