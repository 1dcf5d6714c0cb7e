//! The executor: containers that it lends to calls, and what goes wrong told to it (`wire.md` 6).

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::routing::post;
use futures_util::StreamExt as _;
use serde_json::{Value as Json, json};
use tokio::sync::RwLock;

use crate::{HOST, host, packed};

/// What an executor was told and asked.
#[derive(Default)]
struct Seen {
    events: Vec<Json>,
    asked: Vec<(String, Json)>,
    kept: BTreeMap<String, Json>,
}

/// An executor in this process.
struct Executor {
    url: String,
    seen: Arc<Mutex<Seen>>,
}

impl Executor {
    async fn start() -> Self {
        let seen = Arc::<Mutex<Seen>>::default();
        let router = Router::new()
            .route("/base/api/internal/events", post(told))
            .route("/base/api/internal/containers/{execution}/{container}/{verb}", post(asked))
            .with_state(seen.clone());
        Self { url: nodecast_tests::serve(router).await + "/base/", seen }
    }

    /// The events of this code, once there are so many.
    async fn events(&self, code: &str, count: usize) -> Vec<Json> {
        let deadline = Instant::now() + Duration::from_secs(10);
        loop {
            let found: Vec<Json> =
                self.seen.lock().unwrap().events.iter().filter(|event| event["code"] == code).cloned().collect();
            if found.len() >= count {
                return found;
            }
            assert!(Instant::now() < deadline, "{code}: {found:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}

async fn told(State(seen): State<Arc<Mutex<Seen>>>, body: Bytes) {
    let body: Json = serde_json::from_slice(&body).unwrap();
    seen.lock().unwrap().events.extend(body["events"].as_array().unwrap().iter().cloned());
}

/// Takes events, and does not stop answering.
async fn told_at_length(state: State<Arc<Mutex<Seen>>>, body: Bytes) -> Body {
    told(state, body).await;
    Body::from_stream(futures_util::stream::repeat(Ok::<_, Infallible>(Bytes::from_static(&[b'x'; 4096]))))
}

/// Keeps what is written; `gone`, `busy`, `odd` and `idle` are containers that fail in their way.
async fn asked(
    State(seen): State<Arc<Mutex<Seen>>>,
    Path((execution, container, verb)): Path<(String, String, String)>,
    body: Bytes,
) -> (StatusCode, Vec<u8>) {
    let body: Json = rmp_serde::from_slice(&body).unwrap();
    let mut seen = seen.lock().unwrap();
    seen.asked.push((format!("{execution}/{container}/{verb}"), body.clone()));
    let status = match container.as_str() {
        "gone" => StatusCode::NOT_FOUND,
        "busy" => StatusCode::CONFLICT,
        "odd" => StatusCode::IM_A_TEAPOT,
        _ => StatusCode::OK,
    };
    let at = format!("{container}/{}/{}", body["name"], body["key"]);
    if container == "idle" {
        return (status, rmp_serde::to_vec_named(&json!({ "ok": false })).unwrap());
    }
    let answer = match verb.as_str() {
        "read" => json!({ "value": seen.kept.get(&at) }),
        "write" => {
            seen.kept.insert(at, body["data"].clone());
            json!({ "ok": true })
        }
        _ => json!({ "ok": true }),
    };
    (status, rmp_serde::to_vec_named(&answer).unwrap())
}

fn borrow(container: &str, grants: &[&str]) -> Json {
    json!({
        "inputs": { "container": container, "state": "mood", "data": "glad", "key": "k" },
        "_exec": { "execution_id": "run 1", "grants": grants },
    })
}

#[tokio::test]
async fn a_granted_container_is_used_where_it_is() {
    let executor = Executor::start().await;
    let robot = host("robot", &["--executor-url", &executor.url]).await;
    let answer = packed(&robot, "/call/robot__borrow", &borrow("theirs", &["theirs"])).await;
    assert_eq!(answer.status, 200);
    let asked = std::mem::take(&mut executor.seen.lock().unwrap().asked);
    let (name, key, execution) = ("mood", "k", "run 1");
    assert_eq!(
        asked,
        [
            (
                "run 1/theirs/write".to_owned(),
                json!({ "name": name, "key": key, "data": "glad", "execution_id": execution })
            ),
            ("run 1/theirs/read".to_owned(), json!({ "name": name, "key": key, "execution_id": execution })),
        ]
    );
    // A grant is of its own call alone.
    let refused = robot.post("/call/robot__borrow", &borrow("theirs", &["others"])).await;
    assert_eq!((refused.status, &refused.json()["type"]), (500, &json!("not_found")));
    for (container, kind, retryable) in [
        ("gone", "container_not_found", false),
        ("busy", "container_conflict", true),
        ("odd", "executor_failed", false),
        // What was not done is no success, whatever the status.
        ("idle", "executor_answer", false),
    ] {
        let refused = robot.post("/call/robot__borrow", &borrow(container, &[container])).await;
        let said = refused.json();
        assert_eq!((refused.status, &said["stage"], &said["type"]), (502, &json!("external_service"), &json!(kind)));
        assert_eq!(said["retryable"], retryable, "{said}");
    }
}

#[tokio::test]
async fn grants_without_an_executor_fail_the_call() {
    let robot = host("robot", &[]).await;
    let refused = robot.post("/call/robot__borrow", &borrow("theirs", &["theirs"])).await;
    let said = refused.json();
    assert_eq!(
        (refused.status, &said["stage"], &said["type"]),
        (500, &json!("internal_runtime"), &json!("grants_unavailable"))
    );
    let batched = json!({ "inputs": { "x": 2 }, "_exec": { "execution_id": "e", "grants": ["theirs"] } });
    let refused = robot.post("/call/robot__square", &batched).await;
    assert_eq!((refused.status, &refused.json()["type"]), (422, &json!("grants_on_batched")));
    // Without an execution, or without grants, there is nothing to do.
    let idle = json!({ "inputs": { "x": 2 }, "_exec": { "grants": ["theirs"] } });
    assert_eq!(robot.post("/call/robot__square", &idle).await.json()["outputs"]["result"], 4);
}

/// Fault W9: the reference calls itself, and waits for itself.
#[tokio::test]
async fn w9_an_own_container_granted_to_itself() {
    let executor = Executor::start().await;
    for arguments in [vec![], vec!["--executor-url", executor.url.as_str()]] {
        let robot = host("robot", &arguments).await;
        let began = Instant::now();
        let answer = robot.post("/call/robot__borrow", &borrow("notes", &["notes"])).await;
        assert_eq!(answer.json()["outputs"]["result"], "glad");
        println!("W9 an own container granted to itself: answered after {:?}", began.elapsed());
        assert!(began.elapsed() < Duration::from_secs(2));
    }
    assert!(executor.seen.lock().unwrap().asked.is_empty());
}

#[tokio::test]
async fn failures_and_warnings_are_told() {
    let executor = Executor::start().await;
    let robot = host("robot", &["--executor-url", &executor.url]).await;
    let fail = |how: &str| json!({ "inputs": { "how": how }, "_exec": { "execution_id": "e1" } });
    robot.post("/call/robot__fail", &fail("cause")).await;
    let failed = executor.events("SUBPROC_NODE_FAIL", 1).await;
    assert_eq!(
        failed[0],
        json!({
            "severity": "error",
            "message": "there is no map",
            "code": "SUBPROC_NODE_FAIL",
            "node_id": "robot__fail",
            "step": null,
            "nodeset": "robot",
            "execution_id": "e1",
            "details": {
                "function": "robot__fail",
                "stage": "adapter_execution",
                "type": "no_map",
                "traceback": "the disk is full",
            },
        })
    );
    // On any face, and what was refused too.
    robot.mcp("/mcp", &[], &nodecast_tests::call(1, "robot__fail", &json!({ "hw": 1 }))).await;
    let failed = executor.events("SUBPROC_NODE_FAIL", 2).await;
    assert_eq!(
        (&failed[1]["details"]["stage"], &failed[1]["execution_id"]),
        (&json!("schema_validation"), &json!(null))
    );
    robot.post("/call/robot__fail", &fail("panic")).await;
    let failed = executor.events("SUBPROC_NODE_FAIL", 3).await;
    assert!(!failed[2].to_string().contains("secret"), "{}", failed[2]);
    robot.post("/call/robot__fail", &fail("log")).await;
    let warned = executor.events("SUBPROC_LOG_WARNING", 1).await;
    assert_eq!((&warned[0]["severity"], &warned[0]["message"]), (&json!("warning"), &json!("the battery is low")));
    assert_eq!((&warned[0]["details"]["fields"]["battery"], &warned[0]["nodeset"]), (&json!("7"), &json!("robot")));
    assert_eq!(executor.events("SUBPROC_NODE_FAIL", 3).await.len(), 3, "a call that succeeds is no failure");
    // Whatever is wrong with an execution, a failure is told as part of it.
    let execution = json!({ "execution_id": "e2", "grants": ["theirs"] });
    robot.post("/call/robot__square", &json!({ "inputs": { "x": 2 }, "_exec": execution })).await;
    let execution = json!({ "execution_id": "e3", "grant": [] });
    robot.post("/call/robot__square", &json!({ "inputs": { "x": 2 }, "_exec": execution })).await;
    let failed = executor.events("SUBPROC_NODE_FAIL", 5).await;
    let told = |event: &Json| (event["details"]["type"].clone(), event["execution_id"].clone());
    let expected = [("grants_on_batched", "e2"), ("unknown_field", "e3")];
    assert_eq!([told(&failed[3]), told(&failed[4])], expected.map(|(kind, id)| (json!(kind), json!(id))));
}

/// Whatever a call fails of: the framework's client shows its status line alone.
#[tokio::test]
async fn calls_that_cannot_begin_are_told() {
    let executor = Executor::start().await;
    let arguments = ["--executor-url", &executor.url, "--max-body", "1KiB", "--max-in-flight", "1"];
    let robot = Arc::new(host("robot", &arguments).await);
    assert_eq!(robot.post("/call/robot__nothing", &json!({})).await.status, 404);
    let long = json!({ "thing": "x".repeat(2000) });
    assert_eq!(robot.post("/call/robot__remember", &long).await.status, 413);
    let text = [("content-type", "text/plain")];
    let refused = robot.send(reqwest::Method::POST, "/call/robot__slow", &text, b"{}".to_vec()).await;
    assert_eq!(refused.status, 415);
    let slow = tokio::spawn({
        let robot = robot.clone();
        async move { robot.post("/call/robot__slow", &json!({ "ms": 400 })).await.status }
    });
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(robot.post("/call/robot__remember", &json!({ "thing": "a" })).await.status, 503);
    assert_eq!(slow.await.unwrap(), 200);
    let told = executor.events("SUBPROC_NODE_FAIL", 4).await;
    let told: Vec<_> = told.iter().map(|event| (event["node_id"].clone(), event["details"]["type"].clone())).collect();
    let expected = [
        ("robot__nothing", "unknown_function"),
        ("robot__remember", "body_too_large"),
        ("robot__slow", "unsupported_media_type"),
        ("robot__remember", "overloaded"),
    ];
    assert_eq!(told, expected.map(|(node, kind)| (json!(node), json!(kind))));
}

/// Fault W9: an executor that takes the connection and never answers.
#[tokio::test]
async fn w9_a_hung_executor_delays_nobody() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
        }
    });
    let robot = Arc::new(host("robot", &["--executor-url", &url]).await);
    let failing: Vec<_> = (0..200)
        .map(|_| {
            let robot = robot.clone();
            tokio::spawn(async move { robot.post("/call/robot__fail", &json!({})).await.status })
        })
        .collect();
    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let began = Instant::now();
        assert_eq!(robot.get("/health").await.status, 200);
        slowest = slowest.max(began.elapsed());
    }
    for failed in failing {
        assert_eq!(failed.await.unwrap(), 500);
    }
    let waiting = async || {
        let metrics = String::from_utf8(robot.get("/metrics").await.body).unwrap();
        let line = metrics.lines().find_map(|line| line.strip_prefix("nodecast_events_waiting ")).unwrap().to_owned();
        line.parse::<u64>().unwrap()
    };
    let queue = waiting().await;
    let mut quiet = Duration::MAX;
    for _ in 0..20 {
        let began = Instant::now();
        robot.get("/health").await;
        quiet = quiet.min(began.elapsed());
    }
    println!(
        "W9 hung executor, 200 failing calls: /health slowest {slowest:?}, fastest after {quiet:?}, queue {queue}"
    );
    // Nobody takes them: they wait, or are on their way.
    assert!((1..=200).contains(&queue), "{queue}");
    // The figure of the specification, on a machine that does nothing else; 2,000 where debug builds share two cores.
    assert!(quiet < Duration::from_millis(50), "{quiet:?}");
    assert!(slowest < Duration::from_secs(2), "{slowest:?}");
    let many = (0..1400).map(|_| {
        let robot = robot.clone();
        async move { robot.post("/call/robot__fail", &json!({})).await.status }
    });
    let failed: Vec<u16> = futures_util::stream::iter(many).buffer_unordered(32).collect().await;
    assert!(failed.iter().all(|status| *status == 500));
    let queue = waiting().await;
    println!("W9 hung executor, 1,400 failing calls more: queue {queue}");
    assert!((500..=1024).contains(&queue), "{queue}");
}

/// A batch has at most 256 events; the few beyond it are told as well, though nothing happens after them.
#[tokio::test]
async fn what_is_left_of_many_events_is_told_too() {
    let seen = Arc::<Mutex<Seen>>::default();
    let gate = Arc::new(RwLock::new(()));
    let shut = gate.write().await;
    let (kept, passed) = (seen.clone(), gate.clone());
    let taken = move |body: Bytes| async move {
        drop(passed.read().await);
        told(State(kept), body).await;
    };
    let router = Router::new().route("/api/internal/events", post(taken));
    let executor = Executor { url: nodecast_tests::serve(router).await, seen };
    let robot = host("robot", &["--executor-url", &executor.url]).await;
    let (failing, nothing) = (&robot, &json!({}));
    let fail = async |count: usize| {
        let calls = (0..count).map(|_| async move { failing.post("/call/robot__fail", nothing).await.status });
        let failed: Vec<u16> = futures_util::stream::iter(calls).buffer_unordered(32).collect().await;
        assert!(failed.iter().all(|status| *status == 500));
    };
    fail(1).await;
    // It is on its way by now, so that all the others wait for its answer.
    tokio::time::sleep(Duration::from_millis(500)).await;
    fail(256 + 20).await;
    drop(shut);
    executor.events("SUBPROC_NODE_FAIL", 1 + 256 + 20).await;
}

#[tokio::test]
async fn what_is_answered_to_events_is_ignored() {
    let seen = Arc::<Mutex<Seen>>::default();
    let router = Router::new().route("/api/internal/events", post(told_at_length)).with_state(seen.clone());
    let executor = Executor { url: nodecast_tests::serve(router).await, seen };
    let robot = host("robot", &["--executor-url", &executor.url]).await;
    robot.post("/call/robot__fail", &json!({})).await;
    executor.events("SUBPROC_NODE_FAIL", 1).await;
    robot.post("/call/robot__fail", &json!({ "how": "cause" })).await;
    let told = executor.events("SUBPROC_NODE_FAIL", 2).await;
    let kinds: Vec<_> = told.iter().filter_map(|event| event["details"]["type"].as_str()).collect();
    assert_eq!(kinds, ["failed", "no_map"]);
}

#[tokio::test]
async fn the_last_events_are_sent_before_the_end() {
    let executor = Executor::start().await;
    let robot = Arc::new(host("robot", &["--executor-url", &executor.url, "--grace", "200ms"]).await);
    let slow = {
        let robot = robot.clone();
        tokio::spawn(async move { robot.post("/call/robot__slow", &json!({ "ms": 60_000 })).await.status })
    };
    tokio::time::sleep(Duration::from_millis(200)).await;
    robot.signal("TERM");
    assert_eq!(slow.await.unwrap(), 503);
    let (code, _) = Arc::into_inner(robot).unwrap().end();
    assert_eq!(code, Some(0));
    let failed = executor.events("SUBPROC_NODE_FAIL", 1).await;
    assert_eq!(failed[0]["details"]["stage"], "cancelled");
}

#[test]
fn an_address_of_an_executor_that_is_none() {
    for (url, says) in [
        ("localhost", "http://127.0.0.1:8000"),
        ("https://executor.example", "no address of an executor"),
        ("http://127.0.0.1:99999", "from 1 to 65535"),
        ("http://127.0.0.1:0", "from 1 to 65535"),
    ] {
        let refused =
            std::process::Command::new(HOST).args(["--nodeset", "robot", "--executor-url", url]).output().unwrap();
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2));
        assert!(said.contains("--executor-url") && said.contains(says), "{said}");
    }
}
