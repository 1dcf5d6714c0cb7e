//! One call on every face: what is refused, and that it fails alike in JSON, in msgpack and over MCP.

use std::time::Duration;

use nodecast::prelude::*;
use nodecast_tests::{Host, call};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::odd;

/// What a face answered: whether the call failed, and the outputs or the error object.
struct Said {
    face: &'static str,
    failed: bool,
    body: Json,
}

impl Said {
    fn error(&self, key: &str) -> &Json {
        assert!(self.failed, "{}: {}", self.face, self.body);
        &self.body[key]
    }

    fn sentence(&self) -> &str {
        self.error(if self.face == "mcp" { "error" } else { "detail" }).as_str().unwrap()
    }
}

/// Calls a node of the odd nodeset on every face, with arguments that all of them can carry.
async fn on_all_faces(host: &Host, node: &str, arguments: &Json) -> Vec<Said> {
    let path = format!("/call/odd__{node}");
    let in_json = host.post(&path, arguments).await;
    let body = rmp_serde::to_vec_named(arguments).unwrap();
    let in_msgpack = host.send(Method::POST, &path, &[("content-type", "application/msgpack")], body).await;
    let over_mcp = host.mcp("/mcp", &[], &call(1, &format!("odd__{node}"), arguments)).await.json();
    let result = &over_mcp["result"];
    let is_error = result["isError"] == true;
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    let body = if is_error { serde_json::from_str(text).unwrap() } else { result["structuredContent"].clone() };
    if is_error {
        assert_eq!(result["_meta"]["nodecast/stage"], body["stage"], "{over_mcp}");
    }
    assert_eq!(in_json.header("content-type"), "application/json");
    assert_eq!(in_msgpack.header("content-type"), "application/msgpack");
    vec![
        Said { face: "json", failed: in_json.status != 200, body: in_json.json() },
        Said {
            face: "msgpack",
            failed: in_msgpack.status != 200,
            body: rmp_serde::from_slice(&in_msgpack.body).unwrap(),
        },
        Said { face: "mcp", failed: is_error, body },
    ]
}

async fn refused(host: &Host, arguments: &Json, kind: &str, pointer: &str) -> Vec<Said> {
    let all = on_all_faces(host, "touch", arguments).await;
    for said in &all {
        assert_eq!(said.error("stage"), "schema_validation", "{} {arguments}", said.face);
        assert_eq!((said.error("type"), said.error("pointer")), (&json!(kind), &json!(pointer)), "{arguments}");
        let sentence = said.sentence();
        assert!(!sentence.contains(" line ") && !sentence.contains("column"), "b30: {sentence}");
    }
    all
}

async fn touched(host: &Host) -> u64 {
    host.post("/call/odd__touched", &json!({})).await.json()["outputs"]["result"].as_u64().unwrap()
}

/// Faults T22 and B38, W5: whatever is wrong, the node has not run, on no face.
#[tokio::test]
async fn t22_wrong_arguments_never_run() {
    let host = odd(&[]).await;
    let bad = [
        (json!({}), "missing_field", "/n"),
        (json!({ "n": null }), "wrong_type", "/n"),
        (json!({ "n": "5" }), "wrong_type", "/n"),
        (json!({ "n": true }), "wrong_type", "/n"),
        (json!({ "n": [1] }), "wrong_type", "/n"),
        (json!({ "n": 1.5 }), "wrong_type", "/n"),
        (json!({ "n": -1 }), "out_of_range", "/n"),
        (json!({ "n": 256 }), "out_of_range", "/n"),
        (json!({ "n": 1, "zz": 2 }), "unknown_field", "/zz"),
        (json!({ "n": 1, "N": 2 }), "unknown_field", "/N"),
        (json!({ "n": 1, "": 2 }), "unknown_field", "/"),
        (json!({ "n": 1, "text": 5 }), "wrong_type", "/text"),
        (json!({ "n": 1, "text": ["a"] }), "wrong_type", "/text"),
        (json!({ "n": 1, "flag": "" }), "wrong_type", "/flag"),
        (json!({ "n": 1, "flag": "true" }), "wrong_type", "/flag"),
        (json!({ "n": 1, "flag": 0 }), "wrong_type", "/flag"),
        (json!({ "n": 1, "items": "[1,2]" }), "wrong_type", "/items"),
        (json!({ "n": 1, "items": [1, "2"] }), "wrong_type", "/items/1"),
        (json!({ "n": 1, "items": { "0": 1 } }), "wrong_type", "/items"),
        (json!({ "n": 1, "place": "{\"x\":1,\"y\":2}" }), "wrong_type", "/place"),
        (json!({ "n": 1, "place": { "x": 1 } }), "missing_field", "/place/y"),
        (json!({ "n": 1, "place": { "x": 1, "y": 2, "z": 3 } }), "unknown_field", "/place/z"),
        (json!({ "n": 1, "place": [1, 2] }), "wrong_type", "/place"),
        (json!({ "n": 1, "place": { "x": 1, "y": -2 } }), "out_of_range", "/place/y"),
        (json!({ "n": 1, "mode": "fsat" }), "not_an_option", "/mode"),
        (json!({ "n": 1, "mode": "Fast" }), "not_an_option", "/mode"),
        (json!({ "n": 1, "mode": 0 }), "wrong_type", "/mode"),
        (json!({ "n": 1, "share": 1.1 }), "out_of_range", "/share"),
        (json!({ "n": 1, "share": "0.5" }), "wrong_type", "/share"),
    ];
    for (arguments, kind, pointer) in &bad {
        refused(&host, arguments, kind, pointer).await;
    }
    // A picture is text in JSON alone.
    let picture = json!({ "n": 1, "image": "cat.png" });
    for said in on_all_faces(&host, "touch", &picture).await {
        assert_eq!((said.error("stage"), said.error("pointer")), (&json!("schema_validation"), &json!("/image")));
    }
    for body in ["{\"n\":", "[1]", "\"x\"", "{\"n\":1}x", "{\"n\":1,\"n\":2}", "{\"n\":1e400}"] {
        assert_eq!(host.send(Method::POST, "/call/odd__touch", &[], body.into()).await.status, 400, "{body}");
    }
    assert_eq!(touched(&host).await, 0);
    let good = json!({ "n": 1.0, "text": "", "items": [], "place": { "x": 1, "y": 2 }, "mode": "fast", "share": 0.3 });
    for said in on_all_faces(&host, "touch", &good).await {
        assert!(!said.failed, "{}: {}", said.face, said.body);
    }
    assert_eq!(touched(&host).await, 3);
}

/// Fault B29: a bad argument is a tool error, so that the model sees it, and never a JSON-RPC one.
#[tokio::test]
async fn b29_a_bad_argument_is_a_tool_error() {
    let host = odd(&[]).await;
    for arguments in [json!({}), json!({ "n": "x" }), json!({ "n": 1, "mode": "no" }), json!({ "n": 300 })] {
        let answer = host.mcp("/mcp", &[], &call(1, "odd__touch", &arguments)).await;
        assert_eq!((answer.status, &answer.json()["result"]["isError"]), (200, &json!(true)));
        assert_eq!(answer.json().get("error"), None);
    }
    // What is no object is no call.
    let answer = host.mcp("/mcp", &[], &call(1, "odd__touch", &json!([1]))).await;
    assert_eq!(answer.json()["error"]["code"], -32602);
}

/// Fault B30: a refusal is enough to send the call again.
#[tokio::test]
async fn b30_a_refusal_says_what_to_send() {
    let host = odd(&[]).await;
    for said in refused(&host, &json!({}), "missing_field", "/n").await {
        assert_eq!(said.error("expected"), "an integer from 0 to 255");
        assert!(said.sentence().contains("`n`"), "{}", said.sentence());
    }
    for said in refused(&host, &json!({ "n": 1, "mode": "fsat" }), "not_an_option", "/mode").await {
        assert_eq!((said.error("known"), said.error("nearest")), (&json!(["fast", "slow"]), &json!("fast")));
    }
    let arguments = json!({ "n": 1, "place": { "x": 1, "z": 2 } });
    for said in on_all_faces(&host, "touch", &arguments).await {
        // All that is wrong, each with its place.
        let errors = said.error("errors").as_array().unwrap();
        let mut found: Vec<_> = errors.iter().map(|error| (&error["type"], &error["pointer"])).collect();
        found.sort_by_key(|(kind, _)| kind.to_string());
        let expected = [(json!("missing_field"), json!("/place/y")), (json!("unknown_field"), json!("/place/z"))];
        assert_eq!(found, expected.iter().map(|(kind, at)| (kind, at)).collect::<Vec<_>>());
    }
    let many: serde_json::Map<_, _> = (0..40).map(|at| (format!("no{at}"), json!(1))).collect();
    for said in on_all_faces(&host, "touch", &Json::Object(many)).await {
        assert_eq!(said.error("errors").as_array().unwrap().len(), 16);
    }
}

/// Fault B31, the strict part: text is not taken for what it spells, and what was sent is named.
#[tokio::test]
async fn b31_text_is_not_taken_for_what_it_spells() {
    let host = odd(&[]).await;
    for (argument, value) in
        [("n", json!("5")), ("flag", json!("true")), ("items", json!("[1,2]")), ("place", json!("{\"x\":1,\"y\":2}"))]
    {
        let mut arguments = json!({ "n": 5 });
        arguments[argument] = value;
        for said in refused(&host, &arguments, "wrong_type", &format!("/{argument}")).await {
            assert!(said.sentence().contains("text"), "{}", said.sentence());
        }
    }
    for said in on_all_faces(&host, "touch", &json!({ "n": 5, "text": "[1]" })).await {
        assert!(!said.failed && said.body.to_string().contains("[1]"), "{}", said.body);
    }
}

/// Faults B33 and B34: empty text, "null" and glued tags are text, and nothing is guessed.
#[tokio::test]
async fn b33_b34_text_stays_what_it_is() {
    let host = odd(&[]).await;
    for text in ["", "null", "[\"null\"]", "</x><parameter name=\"y\">", "a\u{0}b", "\u{202e}"] {
        for said in on_all_faces(&host, "touch", &json!({ "n": 1, "text": text })).await {
            let result = if said.face == "mcp" { &said.body["result"] } else { &said.body["outputs"]["result"] };
            assert!(result.as_str().unwrap().contains(&format!("{:?}", Some(text))), "{}: {}", said.face, said.body);
        }
    }
    refused(&host, &json!({ "n": 1, "flag": "" }), "wrong_type", "/flag").await;
    // Null is absent where absent is allowed.
    for said in on_all_faces(&host, "touch", &json!({ "n": 1, "text": null, "mode": null })).await {
        assert!(!said.failed, "{}: {}", said.face, said.body);
    }
}

/// Fault B35: whole numbers are integers however they are written; what overflows is no number.
#[tokio::test]
async fn b35_whole_numbers() {
    let host = odd(&[]).await;
    for (number, result) in [("5.0", "5 "), ("5e0", "5 "), ("50e-1", "5 "), ("-0", "0 "), ("-0.0", "0 ")] {
        let body = format!("{{\"n\":{number}}}");
        let answer = host.send(Method::POST, "/call/odd__touch", &[], body.clone().into()).await;
        let outputs = answer.json();
        assert!(
            outputs["outputs"]["result"].as_str().is_some_and(|said| said.starts_with(result)),
            "{body}: {outputs}"
        );
        let message = call(1, "odd__touch", &json!({ "n": "N" })).to_string().replace("\"N\"", number);
        let headers = [("content-type", "application/json")];
        let answer = host.send(Method::POST, "/mcp", &headers, message.into()).await.json();
        assert_ne!(answer["result"]["isError"], true, "{answer}");
    }
    let answer = host.send(Method::POST, "/call/odd__touch", &[], "{\"n\":1e400}".into()).await;
    assert_eq!((answer.status, &answer.json()["type"]), (400, &json!("malformed_body")));
    let message = call(1, "odd__touch", &json!({ "n": "N" })).to_string().replace("\"N\"", "1e400");
    let answer = host.send(Method::POST, "/mcp", &[("content-type", "application/json")], message.into()).await;
    assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32700)));
}

/// Fault B37: a misspelt optional is not ignored.
#[tokio::test]
async fn b37_a_misspelt_name_is_refused() {
    let host = odd(&[]).await;
    for said in refused(&host, &json!({ "n": 1, "txet": "a" }), "unknown_field", "/txet").await {
        assert_eq!(said.error("nearest"), "text");
        let known = json!(["n", "text", "flag", "items", "place", "mode", "image", "share"]);
        assert_eq!(said.error("known"), &known);
    }
    for said in refused(&host, &json!({ "n": 1, "zz": 2 }), "unknown_field", "/zz").await {
        assert_eq!(said.error("nearest"), &Json::Null);
    }
    assert_eq!(touched(&host).await, 0);
}

/// Fault B38: what is left out is its declared default, and what is bad is not.
#[tokio::test]
async fn b38_defaults_stand_for_what_is_left_out_alone() {
    let host = odd(&[]).await;
    for said in on_all_faces(&host, "touch", &json!({ "n": 7 })).await {
        assert!(said.body.to_string().contains("7 None None None None None false 0.5"), "{}", said.body);
    }
    refused(&host, &json!({ "n": 7, "share": "much" }), "wrong_type", "/share").await;
    assert_eq!(touched(&host).await, 3);
}

/// W6, faults B39, B81 and T20: a failure is one on every face, at the same stage, without internal text.
#[tokio::test]
async fn w6_failures_look_alike_on_every_face() {
    let host = odd(&[]).await;
    let long = json!({ "text": "longer than it may be" });
    for (node, arguments, stage, kind) in [
        ("foreign", json!({}), "adapter_execution", "node_failed"),
        ("echoes", long, "adapter_execution", "bad_output"),
        ("echoes", json!({ "text": "hunter2", "how": "panic" }), "internal_runtime", "panic"),
        ("fires", json!({ "name": "odd__tuoch" }), "adapter_execution", "bad_output"),
    ] {
        for said in on_all_faces(&host, node, &arguments).await {
            assert_eq!(
                (said.error("stage"), said.error("type")),
                (&json!(stage), &json!(kind)),
                "{node}, {}",
                said.face
            );
            assert!(!said.body.to_string().contains("hunter2"), "{}", said.body);
        }
        let answer = host.post("/call/odd__touched", &json!({})).await;
        assert_eq!(answer.status, 200, "after {node}");
    }
}

/// Has a node that is slow to look at its configuration again.
#[nodeset(name = "tagged", nodes(Held))]
#[derive(Default)]
struct Tagged;

/// Says its tag before it rests, and after.
#[node]
struct Held {
    /// What it says.
    #[config(text, default = "none")]
    tag: String,
}

impl Node<Tagged> for Held {
    type Output = Vec<String>;
    type Error = Error;

    async fn run(self, _: &Tagged, _: &Context) -> Result<Vec<String>, Error> {
        let before = self.tag.clone();
        tokio::time::sleep(Duration::from_millis(100)).await;
        Ok(vec![before, self.tag])
    }
}

/// Fault W3: of calls that overlap each sees its own configuration, from start to end and on each face.
#[tokio::test]
async fn w3_overlapping_calls_on_two_faces() {
    let routes = nodecast::Host::new().nodeset::<Tagged>(()).into_router().await.unwrap();
    let url = nodecast_tests::serve(routes).await;
    let post = async |path: &str, body: Json| {
        let sent = nodecast_tests::http().build().unwrap().post(format!("{url}{path}"));
        let sent = sent.header("content-type", "application/json").body(body.to_string());
        serde_json::from_slice::<Json>(&sent.send().await.unwrap().bytes().await.unwrap()).unwrap()
    };
    let calls = (0..16).map(|at| {
        let post = &post;
        async move {
            let tag = format!("tag {at}");
            let said = if at % 2 == 0 {
                let body = json!({ "inputs": {}, "config": { "tag": tag } });
                post("/call/tagged__held", body).await["outputs"]["result"].clone()
            } else {
                let message = call(at, "tagged__held", &json!({ "tag": tag }));
                post("/mcp", message).await["result"]["structuredContent"]["result"].clone()
            };
            assert_eq!(said, json!([tag, tag]));
        }
    });
    futures_util::future::join_all(calls).await;
}
