//! What a message must be before it is believed: headers against body, envelopes, ids (faults B46 to B49, B57, T08,
//! T09 and B70).

use std::sync::atomic::{AtomicU64, Ordering};

use nodecast::prelude::*;
use nodecast_tests::{call, modern, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::tiny;

static RUNS: AtomicU64 = AtomicU64::new(0);

/// Has an argument that a header mirrors.
#[nodeset(name = "mirror", nodes(Look))]
#[derive(Default)]
struct Mirror;

/// Looks into a region.
#[node]
struct Look {
    #[port(header = "Region")]
    region: String,
}

impl Node<Mirror> for Look {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Mirror, _: &Context) -> Result<String, Error> {
        RUNS.fetch_add(1, Ordering::SeqCst);
        Ok(self.region)
    }
}

/// A host of it, and its address.
async fn mirror() -> String {
    let routes = nodecast::Host::new().nodeset::<Mirror>(()).into_router().await.unwrap();
    nodecast_tests::serve(routes).await + "/mcp"
}

const VERSION: (&str, &str) = ("mcp-protocol-version", "2026-07-28");
const METHOD: (&str, &str) = ("mcp-method", "tools/call");
const NAME: (&str, &str) = ("mcp-name", "mirror__look");
const REGION: (&str, &str) = ("mcp-param-region", "eu");

fn body(version: &str) -> Json {
    json!({ "jsonrpc": "2.0", "id": "seven", "method": "tools/call", "params": {
        "name": "mirror__look",
        "arguments": { "region": "eu" },
        "_meta": {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        },
    } })
}

async fn post(url: &str, headers: &[(&str, &str)], body: &str) -> (u16, Json) {
    let mut request = nodecast_tests::http().build().unwrap().post(url).header("content-type", "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let answer = request.body(body.to_owned()).send().await.unwrap();
    let status = answer.status().as_u16();
    (status, serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap_or_default())
}

#[tokio::test]
async fn t08_b46_headers_say_what_the_body_says() {
    let url = mirror().await;
    let message = body("2026-07-28").to_string();
    for passes in [
        vec![VERSION, METHOD, NAME, REGION],
        vec![VERSION, METHOD, ("mcp-name", "=?base64?bWlycm9yX19sb29r?="), REGION],
        vec![VERSION, METHOD, NAME, ("mcp-param-region", "=?base64?ZXU=?=")],
    ] {
        let (status, answer) = post(&url, &passes, &message).await;
        assert_eq!((status, &answer["result"]["structuredContent"]["result"]), (200, &json!("eu")), "{answer}");
    }
    let disagree = [
        vec![VERSION, ("mcp-method", "tools/list"), NAME, REGION],
        vec![VERSION, ("mcp-method", "Tools/Call"), NAME, REGION],
        vec![VERSION, NAME, REGION],
        vec![VERSION, METHOD, METHOD, NAME, REGION],
        vec![VERSION, METHOD, ("mcp-name", "mirror__other"), REGION],
        vec![VERSION, METHOD, ("mcp-name", "=?base64?bWlycm9y?="), REGION],
        vec![VERSION, METHOD, ("mcp-name", "=?base64?%%%?="), REGION],
        vec![VERSION, METHOD, REGION],
        vec![VERSION, METHOD, NAME, NAME, REGION],
        vec![VERSION, METHOD, NAME, ("mcp-name", "mirror__other"), REGION],
        vec![VERSION, METHOD, NAME],
        vec![VERSION, METHOD, NAME, ("mcp-param-region", "us")],
        vec![VERSION, METHOD, NAME, REGION, REGION],
        vec![VERSION, METHOD, NAME, REGION, ("mcp-param-other", "a"), ("Mcp-Param-Other", "b")],
        vec![METHOD, NAME, REGION],
        vec![("mcp-protocol-version", "2025-11-25"), METHOD, NAME, REGION],
        vec![("mcp-protocol-version", "2026-7-28"), METHOD, NAME, REGION],
        vec![VERSION, VERSION, METHOD, NAME, REGION],
        vec![VERSION, ("mcp-protocol-version", "2025-11-25"), METHOD, NAME, REGION],
    ];
    for headers in disagree {
        let (status, answer) = post(&url, &headers, &message).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32020)), "{headers:?}: {answer}");
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!("seven")), "{headers:?}: {answer}");
    }
    assert_eq!(RUNS.load(Ordering::SeqCst), 3);
    // Of one voice, and unknown.
    let headers = [("mcp-protocol-version", "2099-01-01"), METHOD, NAME, REGION];
    let (status, answer) = post(&url, &headers, &body("2099-01-01").to_string()).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32022)), "{answer}");
    let supported = answer["error"]["data"]["supported"].as_array().unwrap();
    assert!(supported.contains(&json!("2026-07-28")) && supported.contains(&json!("2025-11-25")), "{answer}");
    assert_eq!(answer["error"]["data"]["requested"], "2099-01-01");
}

#[tokio::test]
async fn b47_what_is_missing_in_meta_is_named() {
    let url = mirror().await;
    for key in ["io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"] {
        let mut message = body("2026-07-28");
        message["params"]["_meta"].as_object_mut().unwrap().remove(key);
        let (status, answer) = post(&url, &[VERSION, METHOD, NAME, REGION], &message.to_string()).await;
        assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32602)), "{answer}");
        assert!(answer["error"]["message"].as_str().unwrap().contains(key), "{answer}");
    }
    let mut message = body("2026-07-28");
    message["params"].as_object_mut().unwrap().remove("_meta");
    let (status, answer) = post(&url, &[VERSION, METHOD, NAME, REGION], &message.to_string()).await;
    assert_eq!((status, &answer["error"]["code"]), (400, &json!(-32602)), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("clientCapabilities"), "{answer}");
}

#[tokio::test]
async fn b49_unknown_methods_and_unknown_tools() {
    let url = mirror().await;
    let mut message = body("2026-07-28");
    message["method"] = json!("tools/nothing");
    let (status, answer) = post(&url, &[VERSION, ("mcp-method", "tools/nothing")], &message.to_string()).await;
    assert_eq!((status, &answer["error"]["code"], &answer["id"]), (404, &json!(-32601), &json!("seven")));
    let message = body("2026-07-28").to_string().replace("mirror__look", "mirror__loo");
    let (_, answer) = post(&url, &[VERSION, METHOD, ("mcp-name", "mirror__loo")], &message).await;
    assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32602), &json!("seven")), "{answer}");
    assert!(answer["error"]["message"].as_str().unwrap().contains("mirror__loo"), "{answer}");
}

/// What looks like a call to one parser and not to the next one runs under neither.
#[tokio::test]
async fn t09_b57_b70_only_one_reading_of_a_message() {
    let host = tiny(&[]).await;
    let call = r#""jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tiny__slow","arguments":{"ms":0}}"#;
    let refused = [
        call.replace("\"method\"", "\"Method\""),
        call.replace("\"method\"", "\"method\\u0000\""),
        call.replace("\"jsonrpc\":\"2.0\"", "\"jsonrpc\":\"1.0\""),
        call.replace("\"jsonrpc\":\"2.0\",", ""),
        call.replace("\"2.0\"", "2.0"),
        call.replace("\"id\":1", "\"id\":null"),
        call.replace("\"id\":1", "\"id\":1.5"),
        call.replace("\"id\":1", "\"id\":{}"),
        call.replace("\"id\":1", "\"id\":true"),
        // A request that lost its id is no notification.
        call.replace("\"id\":1,", ""),
        call.replace("\"id\":1", "\"Id\":1"),
        format!("{call},\"method\":\"tools/list\""),
        format!("\"method\":\"tools/list\",{call}"),
        format!("{call},\"id\":2"),
        format!("{call},\"params\":{{}}"),
        call.replace("\"name\":", "\"name\":\"tiny__nothing\",\"name\":"),
        call.replace("\"arguments\":", "\"arguments\":{},\"arguments\":"),
        call.replace("\"ms\":0", "\"ms\":0,\"ms\":1"),
        format!("{call},\"result\":{{}}"),
        call.replace("\"params\":{", "\"params\":[{").replace("}}", "}}]"),
    ];
    let headers = [("content-type", "application/json")];
    for members in refused {
        let body = format!("{{{members}}}");
        let answer = host.send(Method::POST, "/mcp", &headers, body.clone().into_bytes()).await;
        assert_eq!((answer.status, answer.header("content-type")), (400, "application/json"), "{body}");
        let answer = answer.json();
        assert_eq!((&answer["jsonrpc"], &answer["error"]["code"]), (&json!("2.0"), &json!(-32600)), "{body}: {answer}");
    }
    // Names are exact: these are other members, and what they hid is missing.
    for members in [call.replace("\"params\"", "\"param\u{17f}\""), call.replace("\"name\"", "\"name\\u0000\"")] {
        let answer = host.send(Method::POST, "/mcp", &headers, format!("{{{members}}}").into_bytes()).await.json();
        assert_eq!(answer["error"]["code"], -32602, "{members}: {answer}");
    }
    let counts = host.post("/call/tiny__counts", &json!({})).await.json();
    assert_eq!(counts["outputs"]["started"], 0);
    let answer = host.send(Method::POST, "/mcp", &headers, format!("{{{call}}}").into_bytes()).await;
    assert_eq!((answer.status, &answer.json()["result"]["structuredContent"]), (200, &json!({})));
}

/// B46 in the older era's shape of request, which has no version in its body.
#[tokio::test]
async fn b46_a_version_that_is_not_served_is_told_in_both_shapes() {
    let open = tiny(&[]).await;
    let kept = crate::room("lounge", &[]).await;
    let own = crate::exclusive::session(&kept, "a").await;
    let session = ("mcp-session-id", own.as_str());
    for version in ["2099-01-01", "2026-7-28", "draft"] {
        let version = ("mcp-protocol-version", version);
        let list = request(7, "tools/list", &json!({}));
        let initialized = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        let answers = [
            (json!(7), open.mcp("/mcp", &[version], &list).await),
            (json!(7), kept.mcp("/mcp", &[version], &list).await),
            (json!(7), kept.mcp("/mcp", &[version, session], &list).await),
            (json!(null), kept.mcp("/mcp", &[version, session], &initialized).await),
            (
                json!(null),
                kept.send(Method::GET, "/mcp", &[version, session, ("accept", "text/event-stream")], Vec::new()).await,
            ),
            (json!(null), kept.send(Method::DELETE, "/mcp", &[version, session], Vec::new()).await),
        ];
        for (id, answer) in answers {
            let error = answer.json();
            assert_eq!((answer.status, &error["error"]["code"], &error["id"]), (400, &json!(-32022), &id), "{error}");
            let data = &error["error"]["data"];
            assert_eq!(data["requested"], version.1);
            assert!(data["supported"].as_array().unwrap().contains(&json!("2025-11-25")), "{error}");
        }
    }
    let other = [("mcp-protocol-version", "2025-06-18")];
    let hello = open.mcp("/mcp", &other, &nodecast_tests::initialize(7, "two voices")).await;
    assert_eq!((hello.status, &hello.json()["error"]["code"]), (400, &json!(-32020)), "{}", hello.json());
    assert_eq!(kept.mcp("/mcp", &[session, other[0]], &request(8, "tools/list", &json!({}))).await.status, 200);
}

/// What answers nothing is refused as every other message that is none: with a body that has an `id`.
#[tokio::test]
async fn b57_an_answer_without_a_session_answers_nothing() {
    for host in [tiny(&[]).await, crate::desk(&[]).await, crate::room("lounge", &[]).await] {
        for message in [
            json!({ "jsonrpc": "2.0", "id": 1, "result": {} }),
            json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": 1, "message": "no" } }),
        ] {
            let answer = host.mcp("/mcp", &[], &message).await;
            assert_eq!((answer.status, answer.header("content-type")), (400, "application/json"));
            let body = answer.json();
            assert_eq!((body.get("id"), &body["error"]["code"]), (Some(&json!(null)), &json!(-32600)), "{body}");
        }
    }
}

/// A method of the newer era alone is none in the older one, whatever a client can do.
#[tokio::test]
async fn b49_tasks_are_no_methods_of_the_older_era() {
    let host = crate::conformance(&[]).await;
    let own = crate::exclusive::session(&host, "a").await;
    for method in ["tasks/get", "tasks/update", "tasks/cancel"] {
        for headers in [&[("mcp-session-id", own.as_str())][..], &[("mcp-protocol-version", "2025-11-25")], &[]] {
            let answer = host.mcp("/mcp", headers, &request(7, method, &json!({ "taskId": "x" }))).await.message();
            assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(7), &json!(-32601)), "{answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains(method), "{answer}");
        }
    }
}

/// What the newer era took out is none of its methods (its changelog; `reference.md` 2, 9), whatever rmcp would answer.
#[tokio::test]
async fn b49_what_the_newer_era_removed_is_no_method_of_it() {
    // Without sessions and with them.
    for host in [tiny(&[]).await, crate::conformance(&[]).await] {
        for (method, params) in [
            ("ping", json!({})),
            ("logging/setLevel", json!({ "level": "info" })),
            ("resources/subscribe", json!({ "uri": "test://watched-resource" })),
            ("resources/unsubscribe", json!({ "uri": "test://watched-resource" })),
            ("initialize", json!({})),
        ] {
            let name = params["uri"].as_str().map(str::to_owned);
            let answer = host.ask(&modern(7, method, name.as_deref(), params)).await;
            let body = answer.json();
            assert_eq!(
                (answer.status, &body["id"], &body["error"]["code"]),
                (404, &json!(7), &json!(-32601)),
                "{body}"
            );
            assert!(body["error"]["message"].as_str().unwrap().contains(method), "{body}");
        }
    }
}

/// The parameters of a method that do not fit: which member, and what was expected there.
#[tokio::test]
async fn b57_parameters_that_do_not_fit_are_named() {
    let host = tiny(&[]).await;
    for (method, params, pointer, expected) in [
        ("tools/call", json!({}), "/params/name", Json::Null),
        ("tools/call", json!({ "name": 5 }), "/params/name", json!("a string")),
        ("tools/call", json!({ "name": "tiny__echo", "arguments": [] }), "/params/arguments", json!("an object")),
        ("prompts/get", json!({ "name": "x", "arguments": 1 }), "/params/arguments", json!("an object")),
        ("resources/read", json!({ "uri": 1 }), "/params/uri", json!("a string")),
        ("logging/setLevel", json!({ "level": "loud" }), "/params/level", Json::Null),
        ("initialize", json!({ "capabilities": {} }), "/params/protocolVersion", Json::Null),
    ] {
        let answer = host.mcp("/mcp", &[], &request(7, method, &params)).await.message();
        let error = &answer["error"];
        assert_eq!((&error["code"], &error["data"]["pointer"]), (&json!(-32602), &json!(pointer)), "{answer}");
        assert_eq!(error["data"]["expected"], expected, "{answer}");
        assert!(error["message"].as_str().unwrap().contains(pointer), "{answer}");
    }
}

#[tokio::test]
async fn b57_a_notification_is_taken_and_not_answered() {
    let host = tiny(&[]).await;
    for method in ["notifications/initialized", "notifications/cancelled", "notifications/of/another/kind"] {
        let message = json!({ "jsonrpc": "2.0", "method": method, "params": { "requestId": 5 } });
        let answer = host.mcp("/mcp", &[], &message).await;
        assert_eq!((answer.status, answer.body.len()), (202, 0), "{method}");
    }
}

#[tokio::test]
async fn b57_an_answer_that_is_none_is_no_message() {
    let host = tiny(&[]).await;
    for error in [json!({}), json!(null), json!({ "code": "1", "message": "x" }), json!({ "code": 1 })] {
        let answer = host.mcp("/mcp", &[], &json!({ "jsonrpc": "2.0", "id": 1, "error": error })).await;
        assert_eq!((answer.status, &answer.json()["error"]["code"]), (400, &json!(-32600)), "{error}");
        assert_eq!(answer.json()["id"], 1);
    }
}

/// Another gateway may have looked at the other one.
#[tokio::test]
async fn t08_two_session_ids_are_none() {
    for host in [tiny(&[]).await, crate::desk(&[]).await] {
        let twice = [("mcp-session-id", "a"), ("mcp-session-id", "a")];
        let posted = host.mcp("/mcp", &twice, &request(7, "tools/list", &json!({}))).await;
        let ended = host.send(Method::DELETE, "/mcp", &twice, Vec::new()).await;
        for (answer, id) in [(posted, json!(7)), (ended, Json::Null)] {
            let body = answer.json();
            assert_eq!((answer.status, &body["error"]["code"], &body["id"]), (400, &json!(-32020), &id), "{body}");
        }
    }
}

/// B66: a handshake that is none is junk, whether or not a session would come of it.
#[tokio::test]
async fn b66_a_handshake_that_is_none_is_refused_alike_everywhere() {
    for host in [tiny(&[]).await, crate::desk(&[]).await, crate::room("lounge", &[]).await] {
        for (params, pointer) in [
            (json!({}), "/params/protocolVersion"),
            (json!({ "protocolVersion": "2025-11-25", "capabilities": 5, "clientInfo": {} }), "/params/capabilities"),
        ] {
            let answer = host.mcp("/mcp", &[], &request(7, "initialize", &params)).await;
            let body = answer.json();
            assert_eq!(
                (answer.status, &body["error"]["code"], &body["id"]),
                (400, &json!(-32602), &json!(7)),
                "{body}"
            );
            assert_eq!(body["error"]["data"]["pointer"], pointer, "{body}");
        }
    }
}

#[tokio::test]
async fn t08_two_content_types_are_none() {
    let host = tiny(&[]).await;
    let message = request(1, "tools/list", &json!({})).to_string().into_bytes();
    let headers = [("content-type", "application/json"), ("content-type", "text/plain")];
    assert_eq!(host.send(Method::POST, "/mcp", &headers, message).await.status, 415);
}

/// What a client invents, however long, is compared with little and shown in short.
#[tokio::test]
async fn t04_names_that_are_no_names() {
    let host = tiny(&[]).await;
    let long = "x".repeat(1 << 20);
    let began = std::time::Instant::now();
    let unknown_tool = host.mcp("/mcp", &[], &call(1, &long, &json!({}))).await;
    let unknown_argument =
        host.mcp("/mcp", &[], &call(2, "tiny__echo", &json!({ "text": "hi", (long.clone()): 1 }))).await;
    let unknown_method = host.mcp("/mcp", &[], &request(3, &long, &json!({}))).await;
    let many: serde_json::Map<_, _> = (0..50_000).map(|at| (format!("name{at}"), json!(1))).collect();
    let many = host.post("/call/tiny__echo", &json!({ "inputs": many })).await;
    // The whole of what is sent is read, and nothing grows with its square.
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
    for answer in [&unknown_tool, &unknown_argument, &unknown_method, &many] {
        assert!(answer.body.len() < 4096, "{} bytes", answer.body.len());
    }
    assert_eq!(unknown_argument.json()["result"]["isError"], true);
    assert_eq!(many.status, 400);
}
