//! The face of graph frameworks (`wire.md` 5 to 12): containers, panel, executor, the spawn alias and `--reference`.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::expect_used,
    reason = "a test ends where something is missing"
)]

mod alias;
mod checklist;
mod containers;
mod executor;
mod faults;
mod interop;
mod lifecycle;
mod panel;
mod reference;
mod vault;

use nodecast_tests::{Answer, Host};
use reqwest::Method;
use serde_json::Value as Json;

/// The host that these tests start.
const HOST: &str = env!("CARGO_BIN_EXE_nodecast-test-graph");

/// A host of one nodeset.
async fn host(nodeset: &str, arguments: &[&str]) -> Host {
    Host::start(HOST, &[&["--nodeset", nodeset], arguments].concat()).await
}

/// A body in msgpack.
async fn packed(host: &Host, path: &str, body: &Json) -> Answer {
    let body = rmp_serde::to_vec_named(body).unwrap();
    host.send(Method::POST, path, &[("content-type", "application/msgpack")], body).await
}

fn unpacked(answer: &Answer) -> Json {
    assert_eq!(answer.header("content-type"), "application/msgpack");
    rmp_serde::from_slice(&answer.body).unwrap()
}
