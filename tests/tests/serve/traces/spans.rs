//! Which spans a call leaves, below which, and what they say.

use std::collections::BTreeMap;

use nodecast_tests::{Stdio, call, initialize, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use super::collector::{Collector, Span};
use super::{CALLER, JSON, PARENT, TRACE, command, end, host};
use crate::mcp::LEGACY;

/// What the protocol calls the kinds of spans and an error.
const INTERNAL: i32 = 1;
const SERVER: i32 = 2;
const ERROR: i32 = 2;

fn said(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// The `traceparent` that names this span.
fn naming(span: &Span) -> String {
    format!("00-{}-{}-01", span.trace, span.id)
}

#[tokio::test]
async fn a_call_stands_below_its_caller_and_hands_on_its_own_place() {
    let body = json!({ "text": "x" });
    let meta = json!({ "name": "traced__look", "arguments": body, "_meta": { "traceparent": CALLER } });
    let other = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    // Over HTTP by the header; over MCP by `_meta`, which is nearer to the caller than a header; on either lane.
    for (face, arguments) in [("http", &[][..]), ("mcp", &[]), ("mcp", &["--no-direct-lane"])] {
        let collector = Collector::start().await;
        let host = host(&collector, "traced", arguments, &[]).await;
        let told = if face == "http" {
            let sent = host.send(
                Method::POST,
                "/call/traced__look",
                &[JSON, ("traceparent", CALLER)],
                body.to_string().into(),
            );
            sent.await.json()["outputs"]["result"].clone()
        } else {
            let headers = [LEGACY[0], ("traceparent", other)];
            let answer = host.mcp("/mcp", &headers, &request(1, "tools/call", &meta)).await;
            answer.json()["result"]["structuredContent"]["result"].clone()
        };
        end(host).await;
        let span = collector.received.one("traced__look");
        assert_eq!((span.trace.as_str(), span.parent.as_str(), span.kind), (TRACE, PARENT, SERVER), "{face}");
        let attributes = [("nodecast.function", "traced__look"), ("nodecast.face", face), ("nodecast.outcome", "ok")];
        assert_eq!((&span.attributes, &span.status), (&said(&attributes), &(0, String::new())));
        assert_eq!(told, naming(&span), "what the node hands on");
        // What the node does stands below, with its fields; what it logs does not leave, but that it was an error.
        let around = collector.received.one("look_around");
        assert_eq!((&around.trace, &around.parent, around.kind), (&span.trace, &span.id, INTERNAL));
        assert_eq!((around.attributes.contains_key("depth"), around.status.0, around.events), (true, 0, 0));
        let stumble = collector.received.one("stumble");
        assert_eq!((&stumble.parent, &stumble.status, stumble.events), (&around.id, &(ERROR, String::new()), 0));
        let names: Vec<_> = collector.received.spans().into_iter().map(|span| span.name).collect();
        assert_eq!(names.len(), 3, "nothing below `info`, and nothing of what carries calls: {names:?}");
    }
}

#[tokio::test]
async fn over_stdio_too() {
    let collector = Collector::start().await;
    let mut command = command(&["--nodeset", "traced"], &[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)]);
    let mut host = Stdio::of(&mut command);
    let meta = json!({ "name": "traced__dig", "arguments": {}, "_meta": { "traceparent": CALLER } });
    let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    for message in [initialize(1, "stdio"), initialized, request(2, "tools/call", &meta)] {
        host.send(&message);
    }
    // Its end is the host's, once the call is answered.
    let answer = tokio::task::spawn_blocking(move || host.end()).await.unwrap().answer(2);
    let span = collector.received.one("traced__dig");
    assert_eq!((span.trace.as_str(), span.parent.as_str()), (TRACE, PARENT));
    assert_eq!(span.attributes["nodecast.face"], "stdio");
    assert_eq!(answer["result"]["structuredContent"]["result"], naming(&span));
    // A thread of its own is no way out of the trace.
    assert_eq!(collector.received.one("dig_deep").parent, span.id);
}

#[tokio::test]
async fn a_call_of_nobody_begins_a_trace_that_the_log_names() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced", &[], &[]).await;
    let told = host.post("/call/traced__look", &json!({ "text": "x" })).await.json()["outputs"]["result"].clone();
    let (log, _) = end(host).await;
    let span = collector.received.one("traced__look");
    assert_eq!((span.parent.as_str(), span.trace.len(), span.service.as_str()), ("", 32, "traced"));
    assert_eq!(told, naming(&span));
    let lines: Vec<Json> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_call = lines.iter().find(|line| line["fields"]["outcome"] == "ok").unwrap();
    let place = (&of_call["span"]["trace_id"], &of_call["span"]["span_id"], &of_call["span"]["parent_id"]);
    assert_eq!(place, (&json!(span.trace), &json!(span.id), &Json::Null));
    let within = lines.iter().find(|line| line["fields"]["message"] == "looked around").unwrap();
    assert_eq!(within["spans"][0]["trace_id"], json!(span.trace), "what a node logs is found by its trace");
}

#[tokio::test]
async fn a_caller_that_keeps_no_trace_gets_none_kept() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced", &[], &[]).await;
    let unsampled = format!("00-{TRACE}-{PARENT}-00");
    let sent = host.send(Method::POST, "/call/traced__dig", &[JSON, ("traceparent", &unsampled)], b"{}".to_vec()).await;
    let told = sent.json()["outputs"]["result"].as_str().unwrap().to_owned();
    // Still its trace, for what the node asks.
    assert!(told.starts_with(&format!("00-{TRACE}-")) && told.ends_with("-00"), "{told}");
    assert!(!told.contains(PARENT), "{told}");
    // A malformed one is none, and begins a trace of its own.
    let headers = [JSON, ("traceparent", "00-junk")];
    host.send(Method::POST, "/call/traced__rest", &headers, b"{\"ms\":0}".to_vec()).await;
    end(host).await;
    let spans = collector.received.spans();
    assert_eq!((spans.len(), spans[0].name.as_str(), spans[0].parent.as_str()), (1, "traced__rest", ""));
}

#[tokio::test]
async fn failures_have_their_stage_and_their_kind() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced", &["--call-timeout", "1s"], &[]).await;
    let calls = [
        ("fail", json!({ "text": "x", "how": "message" }), "adapter_execution", "no_such_scene"),
        // A kind is a word of the program, or none.
        ("fail", json!({ "text": "x", "how": "kind" }), "adapter_execution", "_OTHER"),
        ("fail", json!({ "text": "x", "how": "foreign" }), "adapter_execution", "node_failed"),
        ("fail", json!({ "text": "x", "how": "panic" }), "internal_runtime", "panic"),
        ("fail", json!({ "text": "x", "how": "service" }), "external_service", "no_answer"),
        ("fail", json!({ "text": "x", "how": "content" }), "external_service", "tool_error"),
        ("fail", json!({ "text": 1 }), "schema_validation", "wrong_type"),
        ("fail", json!({}), "schema_validation", "missing_field"),
        ("rest", json!({ "ms": 60_000 }), "timeout", "timeout"),
    ];
    for (node, arguments, ..) in &calls {
        let sent = call(1, &format!("traced__{node}"), arguments);
        host.mcp("/mcp", &LEGACY, &sent).await;
    }
    end(host).await;
    let spans = collector.received.spans();
    let found: Vec<_> = spans.iter().map(|span| (span.name.as_str(), &span.status, &span.attributes)).collect();
    let expected: Vec<_> = calls
        .iter()
        .map(|(node, _, stage, kind)| {
            let name = format!("traced__{node}");
            let attributes = [
                ("nodecast.function", name.as_str()),
                ("nodecast.face", "mcp"),
                ("nodecast.outcome", stage),
                ("error.type", kind),
            ];
            (name.clone(), (ERROR, format!("{stage}: {kind}")), said(&attributes))
        })
        .collect();
    let expected: Vec<_> =
        expected.iter().map(|(name, status, attributes)| (name.as_str(), status, attributes)).collect();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_caller_that_goes_away_leaves_a_cancelled_span() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced", &[], &[("OTEL_BSP_SCHEDULE_DELAY", "50")]).await;
    let client = nodecast_tests::http().build().unwrap();
    let gone = client.post(format!("{}/call/traced__rest", host.url)).body("{\"ms\":60000}");
    let gone = gone.timeout(std::time::Duration::from_millis(300)).send().await;
    assert!(gone.is_err());
    collector.wait_for(1).await;
    let span = collector.received.one("traced__rest");
    assert_eq!((span.attributes["nodecast.outcome"].as_str(), span.status.0), ("cancelled", ERROR));
    end(host).await;
}

#[tokio::test]
async fn a_batch_is_linked_with_its_calls() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced", &[], &[]).await;
    let empty = json!({});
    let (one, other) = tokio::join!(host.post("/call/traced__pack", &empty), host.post("/call/traced__pack", &empty));
    end(host).await;
    let spans = collector.received.spans();
    let mut calls: Vec<_> =
        spans.iter().filter(|span| span.name == "traced__pack").map(|span| span.id.clone()).collect();
    let batch = collector.received.one("batch");
    let mut links = batch.links.clone();
    calls.sort();
    links.sort();
    assert_eq!((calls.len(), &links), (2, &calls));
    // Below the call that opened it.
    assert!(calls.contains(&batch.parent), "{batch:#?}");
    assert_eq!((&batch.attributes, batch.kind), (&said(&[("nodecast.node", "pack")]), INTERNAL));
    assert_eq!(collector.received.one("pack_all").parent, batch.id);
    for answer in [one, other] {
        assert_eq!(answer.json()["outputs"]["result"], naming(&batch));
    }
}

#[tokio::test]
async fn reads_prompts_and_completions_are_named_as_such() {
    let collector = Collector::start().await;
    let host = host(&collector, "shelf", &[], &[]).await;
    let asked = [
        ("resources/read", json!({ "uri": "shelf://books/dune/2" })),
        ("prompts/get", json!({ "name": "shelf__review", "arguments": { "title": "dune" } })),
        (
            "completion/complete",
            json!({ "ref": { "type": "ref/prompt", "name": "shelf__review" }, "argument": { "name": "title", "value": "d" } }),
        ),
    ];
    for (method, params) in &asked {
        let answer = host.mcp("/mcp", &LEGACY, &request(1, method, params)).await.json();
        assert_eq!(answer.get("error"), None, "{method}: {answer}");
    }
    end(host).await;
    let spans = collector.received.spans();
    let names: Vec<_> =
        spans.iter().map(|span| (span.name.as_str(), span.attributes["nodecast.part"].as_str())).collect();
    let expected = [
        ("resource shelf__book", "resource"),
        ("prompt shelf__review", "prompt"),
        ("completion shelf__review", "completion"),
    ];
    assert_eq!(names, expected);
    assert!(!collector.received.raw().contains("dune"), "a variable of an address is an argument");
}
