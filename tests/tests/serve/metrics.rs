//! `/metrics`: every call counted once by what it was, on every face, and nothing of what was sent.

use std::collections::BTreeMap;

use nodecast::prelude::*;
use nodecast_tests::{Host, call, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::offers::{ask, prompt, read, shelf};
use crate::{desk, odd, tiny};

/// The samples of a scrape that are whole numbers, by name and labels as they are written.
async fn scrape(host: &Host) -> BTreeMap<String, u64> {
    let answer = host.get("/metrics").await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.headers["content-type"].to_str().unwrap(),
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    let text = String::from_utf8(answer.body).unwrap();
    // OpenMetrics: the last line says that nothing was cut off.
    assert!(text.ends_with("# EOF\n"), "{text}");
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples
        .filter_map(|line| {
            let (name, value) = line.rsplit_once(' ')?;
            Some((name.to_owned(), value.parse().ok()?))
        })
        .collect()
}

fn calls(samples: &BTreeMap<String, u64>) -> Vec<(&str, u64)> {
    let calls = samples.iter().filter(|(name, _)| name.starts_with("nodecast_calls_total"));
    calls.map(|(name, value)| (name.as_str(), *value)).collect()
}

#[tokio::test]
async fn calls_are_counted_by_node_face_and_outcome() {
    let host = odd(&[]).await;
    for _ in 0..3 {
        host.post("/call/odd__touched", &json!({})).await;
    }
    host.post("/call/odd__touch", &json!({ "n": "x" })).await;
    host.post("/call/odd__echoes", &json!({ "text": "boom", "how": "panic" })).await;
    host.mcp("/mcp", &[], &call(1, "odd__touched", &json!({}))).await;
    host.mcp("/mcp", &[], &call(1, "odd__wrecked", &json!({}))).await;
    host.mcp("/mcp", &[], &call(1, "odd__foreign", &json!({}))).await;
    // Names that are none, and messages that are no calls, count nothing.
    host.post("/call/odd__toched", &json!({})).await;
    host.mcp("/mcp", &[], &call(1, "odd__toched", &json!({}))).await;

    let samples = scrape(&host).await;
    assert_eq!(
        calls(&samples),
        [
            (r#"nodecast_calls_total{function="odd__echoes",part="node",face="http",outcome="internal_runtime"}"#, 1),
            (r#"nodecast_calls_total{function="odd__foreign",part="node",face="mcp",outcome="adapter_execution"}"#, 1),
            (r#"nodecast_calls_total{function="odd__touch",part="node",face="http",outcome="schema_validation"}"#, 1),
            (r#"nodecast_calls_total{function="odd__touched",part="node",face="http",outcome="ok"}"#, 3),
            (r#"nodecast_calls_total{function="odd__touched",part="node",face="mcp",outcome="ok"}"#, 1),
            (r#"nodecast_calls_total{function="odd__wrecked",part="node",face="mcp",outcome="external_service"}"#, 1),
        ]
    );
    assert_eq!(samples[r#"nodecast_call_duration_seconds_count{function="odd__touched",part="node",face="http"}"#], 3);
    assert_eq!(
        samples[r#"nodecast_call_duration_seconds_bucket{le="+Inf",function="odd__touched",part="node",face="http"}"#],
        3
    );
    assert_eq!(samples[r#"nodecast_phase{phase="ok"}"#], 1);
    // A connection a request, and the last is open; the end of those before may be seen a little later.
    let mut open = samples["nodecast_connections"];
    for _ in 0..250 {
        if open == 1 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        open = scrape(&host).await["nodecast_connections"];
    }
    assert_eq!(open, 1);
    assert!(samples["nodecast_connections_accepted_total"] >= 11);
    assert!(samples["nodecast_received_bytes_total"] > 1000 && samples["nodecast_sent_bytes_total"] > 1000);
}

#[tokio::test]
async fn calls_in_flight_and_those_whose_caller_went_away() {
    let host = tiny(&[]).await;
    assert_eq!(scrape(&host).await[r#"nodecast_calls_in_flight{function="tiny__slow",part="node"}"#], 0);
    let body = json!({ "ms": 60_000 }).to_string();
    let head = format!(
        "POST /call/tiny__slow HTTP/1.1\r\nhost: {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        host.authority(),
        body.len()
    );
    let mut stream = std::net::TcpStream::connect(host.authority()).unwrap();
    std::io::Write::write_all(&mut stream, head.as_bytes()).unwrap();
    until(&host, r#"nodecast_calls_in_flight{function="tiny__slow",part="node"}"#, 1).await;
    drop(stream);
    until(&host, r#"nodecast_calls_in_flight{function="tiny__slow",part="node"}"#, 0).await;
    let samples = scrape(&host).await;
    let abandoned = r#"nodecast_calls_total{function="tiny__slow",part="node",face="http",outcome="cancelled"}"#;
    assert_eq!(calls(&samples), [(abandoned, 1)]);
}

async fn until(host: &Host, name: &str, value: u64) {
    let begun = std::time::Instant::now();
    while scrape(host).await[name] != value {
        assert!(begun.elapsed().as_secs() < 10, "{name} does not become {value}");
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
}

#[tokio::test]
async fn the_lease_of_an_exclusive_nodeset_is_seen() {
    let host = desk(&[]).await;
    let state =
        async |state: &str| scrape(&host).await[&format!(r#"nodecast_lease{{nodeset="desk",state="{state}"}}"#)];
    assert_eq!((state("free").await, state("held").await), (1, 0));
    let answer = host.mcp("/mcp", &[], &nodecast_tests::initialize(1, "test")).await;
    let session = answer.headers["mcp-session-id"].to_str().unwrap();
    assert_eq!((state("free").await, state("held").await), (0, 1));
    host.send(Method::DELETE, "/mcp", &[("mcp-session-id", session)], Vec::new()).await;
    assert_eq!(state("free").await, 1);
}

#[tokio::test]
async fn a_call_that_cannot_begin_is_counted_too() {
    let host = tiny(&["--max-in-flight", "1"]).await;
    let long = json!({ "ms": 1_000 });
    let slow = host.post("/call/tiny__slow", &long);
    let refused = async {
        until(&host, r#"nodecast_calls_in_flight{function="tiny__slow",part="node"}"#, 1).await;
        host.post("/call/tiny__echo", &json!({ "text": "x" })).await.status
    };
    let (_, status) = tokio::join!(slow, refused);
    assert_eq!(status, 503);
    let samples = scrape(&host).await;
    assert_eq!(samples[r#"nodecast_calls_total{function="tiny__echo",part="node",face="http",outcome="busy"}"#], 1);
}

#[tokio::test]
async fn reads_and_prompts_are_counted_by_their_names() {
    let host = shelf(&["--max-in-flight", "1", "--call-timeout", "1"]).await;
    assert_eq!(scrape(&host).await[r#"nodecast_calls_in_flight{function="shelf__review",part="prompt"}"#], 0);
    for uri in ["shelf://books/Emma/3", "shelf://books/Grüne/1", "shelf://books/Emma/256", "shelf://nothing"] {
        read(&host, uri).await;
    }
    prompt(&host, "shelf__review", json!({ "title": "Emma" })).await;
    prompt(&host, "shelf__nothing", json!({})).await;
    // No call, and so in the log alone.
    let argument = json!({ "name": "title", "value": "book 14" });
    let reference = json!({ "type": "ref/prompt", "name": "shelf__review" });
    ask(&host, "completion/complete", json!({ "ref": reference, "argument": argument })).await;
    let late = read(&host, "shelf://lost");
    let refused = async {
        until(&host, r#"nodecast_calls_in_flight{function="shelf__lost",part="resource"}"#, 1).await;
        read(&host, "shelf://index/beta").await
    };
    let (_, refused) = tokio::join!(late, refused);
    assert_eq!(refused["data"]["stage"], "busy", "{refused}");
    let samples = scrape(&host).await;
    assert_eq!(
        calls(&samples),
        [
            (r#"nodecast_calls_total{function="shelf__book",part="resource",face="mcp",outcome="ok"}"#, 2),
            (
                r#"nodecast_calls_total{function="shelf__book",part="resource",face="mcp",outcome="schema_validation"}"#,
                1
            ),
            (r#"nodecast_calls_total{function="shelf__lost",part="resource",face="mcp",outcome="timeout"}"#, 1),
            (r#"nodecast_calls_total{function="shelf__page",part="resource",face="mcp",outcome="busy"}"#, 1),
            (r#"nodecast_calls_total{function="shelf__review",part="prompt",face="mcp",outcome="ok"}"#, 1),
        ]
    );
}

/// Has a node and a prompt of one name.
#[nodeset(name = "pair", nodes(Plan), prompts(PlanOfWords))]
#[derive(Default)]
struct Pair;

/// Plans.
#[node(read_only)]
struct Plan;

impl Node<Pair> for Plan {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Pair, _: &Context) -> Result<(), Error> {
        Ok(())
    }
}

/// Plans in words.
#[prompt(name = "plan")]
struct PlanOfWords;

impl Prompt<Pair> for PlanOfWords {
    type Error = Error;

    async fn get(self, _: &Pair, _: &Context) -> Result<Messages, Error> {
        Ok(Messages::new().user("Plan."))
    }
}

/// A nodeset may have a node, a resource and a prompt of one name; each is counted for itself.
#[tokio::test]
async fn what_has_one_name_is_counted_apart() {
    let routes = nodecast::Host::new().nodeset::<Pair>(()).into_router().await.unwrap();
    let url = nodecast_tests::serve(routes).await;
    let http = nodecast_tests::http().build().unwrap();
    let ask = async |message: Json| {
        let sent = http.post(format!("{url}/mcp")).header("content-type", "application/json");
        assert_eq!(sent.body(message.to_string()).send().await.unwrap().status(), 200);
    };
    ask(call(1, "pair__plan", &json!({}))).await;
    ask(call(2, "pair__plan", &json!({}))).await;
    ask(request(3, "prompts/get", &json!({ "name": "pair__plan" }))).await;
    let text = http.get(format!("{url}/metrics")).send().await.unwrap().text().await.unwrap();
    for (part, count) in [("node", 2), ("prompt", 1)] {
        let labels = format!(r#"function="pair__plan",part="{part}",face="mcp""#);
        assert!(text.contains(&format!("nodecast_calls_total{{{labels},outcome=\"ok\"}} {count}\n")), "{text}");
        assert!(text.contains(&format!("nodecast_call_duration_seconds_count{{{labels}}} {count}\n")), "{text}");
        assert!(text.contains(&format!("nodecast_calls_in_flight{{function=\"pair__plan\",part=\"{part}\"}} 0\n")));
    }
}

/// Fault T25, and the growth that labels from outside would bring.
#[tokio::test]
async fn t25_nothing_of_a_call_reaches_the_metrics() {
    let host = odd(&[]).await;
    let before = scrape(&host).await.len();
    for n in 0..20 {
        let canary = format!("CANARY-{n}");
        host.post(&format!("/call/{canary}"), &json!({})).await;
        host.post("/call/odd__echoes", &json!({ "text": canary, "how": canary })).await;
        host.mcp("/mcp", &[("mcp-session-id", &canary)], &call(1, &canary, &json!({ &canary: canary }))).await;
        host.get(&format!("/{canary}")).await;
    }
    let answer = host.get("/metrics").await;
    assert!(!String::from_utf8(answer.body).unwrap().contains("CANARY"));
    // One outcome and one duration of one node are new.
    let new = scrape(&host).await.len() - before;
    assert!(new < 25, "{new} new series");
}
