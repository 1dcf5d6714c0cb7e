//! What the log says of a call, and what it must never say.

use nodecast_tests::{Host, call, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::odd;

const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";

fn lines(log: &str) -> Vec<Json> {
    log.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_calls(lines: &[Json]) -> Vec<(&str, &str, &Json)> {
    let calls = lines.iter().filter(|line| line["fields"].get("outcome").is_some());
    let text = |value: &Json| value.as_str().map(str::to_owned).unwrap_or_default();
    calls
        .map(|line| {
            assert_eq!(text(&line["span"]["name"]), "call");
            (line["span"]["function"].as_str().unwrap(), line["span"]["face"].as_str().unwrap(), line)
        })
        .collect()
}

#[tokio::test]
async fn one_json_line_a_call_with_its_trace() {
    let host = odd(&["--log", "json"]).await;
    let traced = [("content-type", "application/json"), ("traceparent", TRACE)];
    host.send(Method::POST, "/call/odd__touched", &traced, b"{}".to_vec()).await;
    host.post("/call/odd__touch", &json!({ "n": "x" })).await;
    host.post("/call/odd__echoes", &json!({ "text": "boom", "how": "panic" })).await;
    host.send(Method::POST, "/call/odd__touch", &[], b"{".to_vec()).await;
    let too_large = json!({ "n": 1, "items": [9_007_199_254_740_993_u64] });
    host.mcp("/mcp", &[], &call(1, "odd__touch", &too_large)).await;
    let said = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    let params = json!({ "name": "odd__foreign", "arguments": {}, "_meta": { "traceparent": said } });
    host.mcp("/mcp", &[("traceparent", TRACE)], &request(1, "tools/call", &params)).await;
    host.mcp("/mcp", &[("traceparent", TRACE)], &call(1, "odd__wrecked", &json!({}))).await;
    host.mcp("/mcp", &[("traceparent", "junk")], &call(1, "odd__fires", &json!({ "name": "odd__touch" }))).await;

    let log = host.stop().await;
    let lines = lines(&log);
    let calls = of_calls(&lines);
    let facts: Vec<_> = calls
        .iter()
        .map(|(function, face, line)| {
            let fields = &line["fields"];
            (*function, *face, &fields["outcome"], &fields["stage"], &fields["kind"], &line["span"]["trace_id"])
        })
        .collect();
    let (ok, error, none) = (json!("ok"), json!("error"), Json::Null);
    let [checked, ran, internal, outside] =
        ["schema_validation", "adapter_execution", "internal_runtime", "external_service"].map(Json::from);
    let (malformed, range) = (json!("malformed_body"), json!("out_of_range"));
    let kinds = ["wrong_type", "panic", "node_failed", "tool_error", "fire_list"].map(Json::from);
    let header = json!("0af7651916cd43dd8448eb211c80319c");
    let meta = json!("4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(
        facts,
        [
            ("odd__touched", "http", &ok, &none, &none, &header),
            ("odd__touch", "http", &error, &checked, &kinds[0], &none),
            ("odd__echoes", "http", &error, &internal, &kinds[1], &none),
            ("odd__touch", "http", &error, &checked, &malformed, &none),
            ("odd__touch", "mcp", &error, &checked, &range, &none),
            ("odd__foreign", "mcp", &error, &ran, &kinds[2], &meta),
            ("odd__wrecked", "mcp", &error, &outside, &kinds[3], &header),
            ("odd__fires", "mcp", &error, &ran, &kinds[4], &none),
        ]
    );
    assert_eq!(calls[0].2["span"]["parent_id"], "00f067aa0ba902b7");
    // What stays from the caller is in the log.
    assert_eq!(calls[2].2["fields"]["cause"], "boom");
    assert_eq!(calls[5].2["fields"]["cause"], "db password=hunter2");
}

/// Fault T25: what a caller sends is in no log, and what a node lets slip is in no body.
#[tokio::test]
async fn t25_secrets_reach_no_sink() {
    for form in ["text", "json"] {
        let token = std::env::temp_dir().join(format!("nodecast-t25-{form}-{}", std::process::id()));
        std::fs::write(&token, "CANARY-token").unwrap();
        let host =
            Host::spawn(crate::HOST, &["--nodeset", "odd", "--log", form, "--token-file", token.to_str().unwrap()]);
        while host.get("/health").await.status != 200 {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        let headers = [
            ("content-type", "application/json"),
            ("authorization", "Bearer CANARY-token"),
            ("cookie", "session=CANARY-cookie"),
            ("x-api-key", "CANARY-key"),
        ];
        let mut bodies = Vec::new();
        let arguments = [
            ("odd__echoes", json!({ "text": "CANARY-output" })),
            ("odd__echoes", json!({ "text": "SLIP-panic", "how": "panic" })),
            ("odd__echoes", json!({ "text": "CANARY-argument", "how": "CANARY-option" })),
            ("odd__touch", json!({ "n": "CANARY-number", "text": "CANARY-text" })),
            ("odd__touch", json!({ "n": 1, "image": "CANARY-image" })),
            ("odd__touch", json!({ "n": 1, "CANARY-name": 1 })),
            ("odd__touch", json!({ "n": 1, "place": { "x": 1, "y": 1, "CANARY-member": 1 } })),
            ("odd__foreign", json!({})),
        ];
        for (node, arguments) in &arguments {
            let body = arguments.to_string().into_bytes();
            bodies.push(host.send(Method::POST, &format!("/call/{node}"), &headers, body).await.body);
            bodies.push(host.mcp("/mcp", &headers[1..], &call(1, node, arguments)).await.body);
        }
        let wrong = [("authorization", "Bearer CANARY-wrong")];
        bodies.push(host.send(Method::POST, "/call/odd__touched", &wrong, Vec::new()).await.body);
        std::fs::remove_file(&token).unwrap();
        let log = host.stop().await;
        assert!(!log.contains("CANARY"), "{form}: {log}");
        assert!(
            log.contains("SLIP-panic") && log.contains("hunter2"),
            "{form}: whoever runs the host learns why: {log}"
        );
        for body in bodies {
            let body = String::from_utf8_lossy(&body).into_owned();
            for secret in ["SLIP", "hunter2", "CANARY-token", "CANARY-cookie", "CANARY-key", "CANARY-wrong"] {
                assert!(!body.contains(secret), "{form}: {body}");
            }
        }
    }
}

/// Lines of a log that nobody reads fill its pipe (64 KiB) within some hundred calls.
#[tokio::test]
async fn a_log_that_nobody_reads_stops_nobody() {
    let host = odd(&[]).await;
    for _ in 0..1500 {
        assert_eq!(host.post("/call/odd__touch", &json!({ "n": "x" })).await.status, 422);
    }
    let log = host.stop().await;
    assert!((30_000..100_000).contains(&log.len()), "{} bytes", log.len());
}
