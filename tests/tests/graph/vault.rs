//! What one client at a time has through every door (`wire.md` 2.1), and nodes that prepare before they are called (9.1).

use nodecast_tests::Host;
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{HOST, host};

async fn send(vault: &Host, path: &str, lease: Option<&str>, body: &Json) -> (u16, Json) {
    let headers: Vec<_> = lease.map(|lease| ("nodecast-lease", lease)).into_iter().collect();
    let answer = vault.send(Method::POST, path, &headers_of_json(&headers), body.to_string().into_bytes()).await;
    if answer.status == 409 && answer.json()["type"] == "lease_held" {
        assert_ne!(answer.header("retry-after"), "", "{path}");
    }
    (answer.status, answer.json())
}

/// Containers are msgpack where nothing is said.
fn headers_of_json<'a>(headers: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("content-type", "application/json")], headers].concat()
}

const WAYS_IN: [(&str, &str); 6] = [
    ("/call/vault__read", "{}"),
    ("/containers/ledger/write", r#"{"name": "visitor", "data": "x"}"#),
    ("/containers/evict", r#"{"key": "x"}"#),
    ("/containers/signal", r#"{"signal": "x"}"#),
    ("/env-panel/field/note", r#"{"value": "x"}"#),
    ("/env-panel/action/turn", "{}"),
];

/// 409 `lease_held`, with `Retry-After`, for no lease and for a wrong one, while another holds it.
#[tokio::test]
async fn who_does_not_hold_it_waits() {
    let vault = host("vault", &["--idle-timeout", "5s"]).await;
    let (status, taken) = send(&vault, "/call/vault__acquire", None, &json!({})).await;
    assert_eq!(status, 200, "{taken}");
    let own = taken["outputs"]["lease"].as_str().unwrap().to_owned();
    // Whoever has it already has nothing to wait for.
    let headers = [("content-type", "application/json"), ("nodecast-lease", own.as_str())];
    let again = vault.send(Method::POST, "/call/vault__acquire", &headers, b"{}".to_vec()).await;
    assert_eq!((again.status, again.header("retry-after")), (409, ""));
    assert!(again.json()["detail"].as_str().unwrap().contains("call `vault__release` to give it back"));
    let wrong = "0".repeat(32);
    for (path, body) in WAYS_IN {
        let body: Json = serde_json::from_str(body).unwrap();
        for lease in [None, Some(wrong.as_str()), Some("x")] {
            let (status, said) = send(&vault, path, lease, &body).await;
            assert_eq!((status, &said["type"], &said["stage"]), (409, &json!("lease_held"), &json!("busy")), "{path}");
        }
        // What takes longer than a lease may idle is no idle time: the next step still has it.
        let (status, said) = send(&vault, path, Some(&own), &body).await;
        assert_eq!(status, 200, "{path}: {said}");
    }
    let (status, said) = send(&vault, "/call/vault__read", Some(&own), &json!({})).await;
    assert_eq!(status, 200, "{said}");
    let (status, said) = send(&vault, "/call/vault__release", Some(&own), &json!({})).await;
    assert_eq!((status, &said["outputs"]["released"]), (200, &json!(true)));
    // Nobody has it: what is missing is said.
    let (status, said) = send(&vault, "/call/vault__read", None, &json!({})).await;
    assert_eq!((status, &said["type"]), (409, &json!("lease_needed")), "{said}");
}

/// Nodes prepare in listed order, whatever their access, and nobody is served before: 503, and 200 exactly when ready.
#[tokio::test]
async fn c06_health_is_503_until_all_nodes_are_ready() {
    let vault = Host::spawn(HOST, &["--nodeset", "vault"]);
    let starting = vault.get("/health").await;
    assert_eq!((starting.status, &starting.json()["status"]), (503, &json!("starting")));
    let refused = vault.post("/call/vault__acquire", &json!({})).await;
    assert_eq!((refused.status, &refused.json()["type"]), (503, &json!("starting")));
    assert_ne!(refused.header("retry-after"), "");
    // What is published does not wait.
    assert_eq!(vault.get("/manifest").await.status, 200);
    let vault = vault.up().await;
    let own = vault.post("/call/vault__acquire", &json!({})).await.json()["outputs"]["lease"].clone();
    let (status, said) = send(&vault, "/call/vault__read", own.as_str(), &json!({})).await;
    assert_eq!((status, &said["outputs"]["result"]), (200, &json!(["read", "write", "count", "pair"])), "{said}");
}

/// A node that does not get ready ends the host with exit code 3, one line that says why, and the nodeset's own stop.
#[test]
fn a_node_that_does_not_get_ready() {
    let ended = std::process::Command::new(HOST)
        .args(["--nodeset", "jammed", "--port", "0"])
        .env("RUST_LOG", "info")
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{log}");
    assert!(log.contains("the key does not fit") && log.contains("the jammed vault has stopped"), "{log}");
}
