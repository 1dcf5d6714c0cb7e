//! Live applications (`live.md`): the graph and its host in process, and what is served over both eras and transports.

#![allow(clippy::panic, reason = "a test ends where something is not as it should be")]

mod exposure;
mod graph;
mod host;
mod rejections;
mod resources;
mod tools;
mod traced;

use std::process::Command;

use nodecast_tests::{Answer, Host, call};
use serde_json::{Value as Json, json};

use crate::HOST;

/// A served application.
async fn app(name: &str) -> Host {
    let mut command = Command::new(HOST);
    command.args(["--port", "0"]).env("NODECAST_TEST_LIVE", name).env("RUST_LOG", "info,rmcp=off");
    Host::of(&mut command).up().await
}

/// Calls a tool without a session, and gives its result.
async fn result(host: &Host, tool: &str, arguments: Json) -> Json {
    let answer: Answer = host.mcp("/mcp", &[], &call(1, tool, &arguments)).await;
    let message = answer.message();
    message.get("result").cloned().unwrap_or_else(|| panic!("{message}"))
}

/// The text of a result, and whether it is an error.
fn said(result: &Json) -> (String, bool) {
    let text = result["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{result}")).to_owned();
    (text, result["isError"] == true)
}

/// Calls a tool that succeeds, and gives its text.
async fn text(host: &Host, tool: &str, arguments: Json) -> String {
    let result = result(host, tool, arguments).await;
    let (text, is_error) = said(&result);
    assert!(!is_error, "{text}");
    text
}

/// Calls a tool that refuses, and gives its text and its stage.
async fn refused(host: &Host, tool: &str, arguments: Json) -> (String, String) {
    let result = result(host, tool, arguments).await;
    let (text, is_error) = said(&result);
    assert!(is_error, "{text}");
    (text, result["_meta"]["nodecast/stage"].as_str().unwrap_or_default().to_owned())
}

/// Two messages of the cart.
fn two() -> Json {
    json!([
        { "message": "add_item", "args": { "sku": "a", "unit_price": 250, "quantity": 2 } },
        { "message": "set_discount", "args": { "percent": 10 } },
    ])
}
