//! `--reference`: the complete list of what it changes (`wire.md` 9.3), number by number.

use nodecast_tests::{call, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{HOST, host, packed};

fn holds_ours(document: &Json) -> bool {
    document.to_string().contains("nodecast")
}

#[tokio::test]
async fn r1_tools_are_as_coarse_as_the_reference_lists_them() {
    let dummy = host("dummy", &["--reference"]).await;
    let listed = dummy.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.json();
    let echo = &listed["result"]["tools"][0];
    let expected = json!({
        "name": "dummy__echo",
        "description": "Repeats a text.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "sep": { "type": "string", "default": "-", "description": "What stands between." },
                "text": { "type": "string", "description": "What to repeat." },
                "count": { "type": "integer", "description": "How often; once where not said." },
            },
            "required": ["text"],
        },
    });
    assert_eq!(echo, &expected);
    // A nodeset that one client holds has no tools for it, and serves the older era alone.
    let env = host("dummy_env", &["--reference"]).await;
    let listed = env.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.json();
    let names: Vec<_> = listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["dummy__echo", "dummy__frame"]);
}

#[tokio::test]
async fn r2_nothing_of_ours_and_one_sentence_a_failure() {
    let robot = host("robot", &["--reference"]).await;
    assert!(!holds_ours(&robot.get("/manifest").await.json()));
    assert_eq!(robot.get("/health").await.json(), json!({ "status": "ok", "name": "robot", "version": "1.0" }));
    let hello = nodecast_tests::initialize(1, "client");
    assert!(!holds_ours(&robot.mcp("/mcp", &[], &hello).await.json()["result"]["_meta"]));
    let failed = robot.mcp("/mcp", &[], &call(2, "robot__fail", &json!({}))).await.json();
    assert_eq!((&failed["result"]["isError"], &failed["result"]["_meta"]), (&json!(true), &json!(null)));
    let cases = [
        ("/call/robot__fail", json!({}), 500, "the robot failed"),
        // A failed service is a failed node.
        ("/call/robot__fail", json!({ "how": "service" }), 500, "the camera does not answer"),
        ("/call/robot__remember", json!({}), 422, "`thing` is missing"),
        ("/call/robot__nothing", json!({}), 404, "there is no function"),
        ("/containers/none/read", json!({ "name": "x" }), 404, "there is no container"),
    ];
    for (path, body, status, says) in cases {
        for answer in [robot.post(path, &body).await, packed(&robot, path, &body).await] {
            assert_eq!((answer.status, answer.header("content-type")), (status, "application/json"), "{path}");
            let said = answer.json();
            assert_eq!(said.as_object().unwrap().len(), 1, "{said}");
            assert!(said["detail"].as_str().unwrap().contains(says), "{said}");
        }
    }
    // Without the switch all of it is there.
    let robot = host("robot", &[]).await;
    assert!(holds_ours(&robot.get("/manifest").await.json()));
    assert_eq!(robot.post("/call/robot__fail", &json!({ "how": "service" })).await.status, 502);
}

#[tokio::test]
async fn r3_names_that_are_not_declared_are_dropped_and_text_is_read() {
    let robot = host("robot", &["--reference"]).await;
    let sent = json!({
        "inputs": { "stray": 1, "count": 5 },
        "config": { "count": "7", "on": "true", "heading": "x", "more": [1] },
    });
    for answer in [robot.post("/call/robot__numbers", &sent).await, packed(&robot, "/call/robot__numbers", &sent).await]
    {
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    }
    let outputs = robot.post("/call/robot__numbers", &sent).await.json()["outputs"].clone();
    assert_eq!((&outputs["count"], &outputs["on"]), (&json!(7), &json!(true)));
    // What is declared is checked all the same.
    for config in [json!({ "count": "10" }), json!({ "count": "7 apples" }), json!({ "on": "maybe" })] {
        let refused = robot.post("/call/robot__numbers", &json!({ "inputs": {}, "config": config })).await;
        assert_eq!(refused.status, 422, "{config}");
    }
    // Nor is what stands beside all of it.
    let beside = json!({
        "inputs": { "count": 5 },
        "config": { "count": 7 },
        "node_id": "n",
        "_exec": { "execution_id": "e", "node_id": "n" },
    });
    for _ in 0..2 {
        let answer = robot.post("/call/robot__numbers", &beside).await;
        assert_eq!((answer.status, &answer.json()["outputs"]["count"]), (200, &json!(7)));
    }
    let log = robot.stop().await;
    assert_eq!(log.matches("argument=\"node_id\"").count(), 2, "once beside the inputs, once in `_exec`: {log}");
    assert_eq!(log.matches("argument=\"stray\"").count(), 1, "once a name: {log}");
    let strict = host("robot", &[]).await;
    for sent in [sent, beside] {
        assert_eq!(strict.post("/call/robot__numbers", &sent).await.status, 422);
    }
}

#[tokio::test]
async fn r4_any_content_type_is_json_and_the_last_of_two_keys_stays() {
    let body = br#"{"inputs": {"text": "a", "text": "b"}, "config": {}}"#.to_vec();
    let path = "/call/dummy__echo";
    let lenient = host("dummy", &["--reference"]).await;
    let answer = lenient.send(Method::POST, path, &[("content-type", "text/plain")], body.clone()).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "outputs": { "echo": "b" } })));
    let packed = b"\x81\xa6inputs\x82\xa4text\xa1a\xa4text\xa1b".to_vec();
    let msgpack = [("content-type", "application/msgpack")];
    let answer = lenient.send(Method::POST, path, &msgpack, packed.clone()).await;
    assert_eq!(answer.body, b"\x81\xa7outputs\x81\xa4echo\xa1b");
    let strict = host("dummy", &[]).await;
    assert_eq!(strict.send(Method::POST, path, &[("content-type", "text/plain")], body.clone()).await.status, 415);
    for (media, body) in [("application/json", body), ("application/msgpack", packed)] {
        assert_eq!(strict.send(Method::POST, path, &[("content-type", media)], body).await.status, 400, "{media}");
    }
}

#[tokio::test]
async fn r5_large_integers_go_out_as_numbers() {
    let lenient = host("echo", &["--reference"]).await;
    // {"x": 2^53 + 1} and 2^64 - 1 in msgpack, and back in JSON by way of a container.
    let owner = host("owner", &["--reference"]).await;
    for (number, text) in [(9_007_199_254_740_993_u64, "9007199254740993"), (u64::MAX, "18446744073709551615")] {
        packed(&owner, "/containers/c1/write", &json!({ "name": "voxels", "data": number })).await;
        let read = owner.post("/containers/c1/read", &json!({ "name": "voxels" })).await;
        assert_eq!(String::from_utf8(read.body).unwrap(), format!("{{\"value\":{text}}}"));
    }
    assert_eq!(lenient.post("/call/echo__id", &json!({ "x": 5 })).await.json(), json!({ "outputs": { "y": 5 } }));
    let strict = host("owner", &[]).await;
    packed(&strict, "/containers/c1/write", &json!({ "name": "voxels", "data": u64::MAX })).await;
    let refused = strict.post("/containers/c1/read", &json!({ "name": "voxels" })).await;
    assert_eq!((refused.status, &refused.json()["type"]), (500, &json!("out_of_range")));
}

#[tokio::test]
async fn r6_tools_that_are_not_there_are_a_warning() {
    let names = async |list: &str| {
        let dummy = host("dummy", &["--reference", "--mcp-tools", list]).await;
        let listed = dummy.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.json();
        let tools = listed["result"]["tools"].as_array().cloned().unwrap_or_default();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("echo, nothing").await, ["dummy__echo"]);
    assert_eq!(names(",").await, ["dummy__echo", "dummy__frame"]);
    assert_eq!(names("").await, ["dummy__echo", "dummy__frame"]);
    let strict = std::process::Command::new("timeout")
        .args(["20", HOST, "--nodeset", "dummy", "--port", "0", "--mcp-tools", "nothing"])
        .output()
        .unwrap();
    assert_eq!(strict.status.code(), Some(2));
}
