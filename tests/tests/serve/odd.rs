//! Answers that are no ports: fire lists, content; calls that are gathered; and the execution they are part of.

use nodecast_tests::call;
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::odd;

/// A black pixel as PNG, base64.
fn is_png(text: &Json) -> bool {
    text.as_str().is_some_and(|text| text.starts_with("iVBORw0KGgo"))
}

/// T04: of a list with very many wrong items so many are told as help, in no time, and how many more are known.
#[tokio::test]
async fn t04_very_many_wrong_items_are_a_few_findings() {
    let host = odd(&[]).await;
    let right: Vec<_> = (0..500_000).map(|_| json!(1)).collect();
    let began = std::time::Instant::now();
    let answer = host.mcp("/mcp", &[], &call(1, "odd__touch", &json!({ "n": 1, "items": right }))).await;
    let read = began.elapsed();
    assert_eq!(answer.json()["result"]["isError"], false);
    let wrong: Vec<_> = (0..500_000).map(|_| json!("x")).collect();
    let members: serde_json::Map<_, _> = (0..1_000).map(|at| (format!("name{at}"), json!(1))).collect();
    for (arguments, told, more) in [
        (json!({ "n": 1, "items": wrong }), 16, true),
        (json!({ "n": 1, "items": ["a", "b", "c"] }), 3, false),
        (json!({ "n": 1, "place": members }), 16, true),
    ] {
        let began = std::time::Instant::now();
        let answer = host.mcp("/mcp", &[], &call(1, "odd__touch", &arguments)).await;
        // Compared with what it costs to read so much, since a busy machine has no clock.
        assert!(began.elapsed() < read * 10, "{:?}, and {read:?} where all is right", began.elapsed());
        let error: Json =
            serde_json::from_str(answer.json()["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(error["errors"].as_array().map(Vec::len), Some(told), "{error}");
        assert_eq!(error["more"].as_u64().is_some_and(|more| more > 0), more, "{error}");
        assert!(answer.body.len() < 16 << 10, "{} bytes", answer.body.len());
    }
    // What is long is shown in short, wherever it stands.
    let long = "x".repeat(50_000);
    for arguments in
        [json!({ "n": 1, (long.clone()): 1 }), json!({ "n": 1, "place": { "x": 1, "y": 1, (long.clone()): 1 } })]
    {
        let answer = host.mcp("/mcp", &[], &call(1, "odd__touch", &arguments)).await;
        assert!(answer.body.len() < 2_000, "{} bytes", answer.body.len());
    }
}

#[tokio::test]
async fn a_fire_list_is_the_whole_reply() {
    let host = odd(&[]).await;
    let body = json!({ "name": "odd__touch" });
    let mut reply = host.post("/call/odd__fires", &body).await.json();
    assert!(is_png(&reply["__firelist__"]["specs"][0]["inputs"]["image"]), "{reply}");
    reply["__firelist__"]["specs"][0]["inputs"]["image"] = "PNG".into();
    let spec = json!({
        "node_type": "odd__touch",
        "inputs": { "image": "PNG" },
        "config": { "sep": "+" },
        "label": "one",
        "capture_outputs": ["echo"],
    });
    let list = json!({ "specs": [spec], "spawner_outputs": { "count": 1 }, "aggregator": { "kind": "merge_all" } });
    assert_eq!(reply, json!({ "__firelist__": list }));

    let packed = rmp_serde::to_vec_named(&body).unwrap();
    let answer = host.send(Method::POST, "/call/odd__fires", &[("content-type", "application/msgpack")], packed).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/msgpack"));
    assert!(answer.body.starts_with(b"\x81\xac__firelist__\x83\xa5specs\x91\x85\xa9node_type\xaaodd__touch\xa6inputs"));
    // The picture is a blob here: ext 1, three bytes of pixels behind its description.
    let blob = b"\x82\xa5dtype\xa5uint8\xa5shape\x93\x01\x01\x03\x00\x00\x00";
    assert!(answer.body.windows(blob.len()).any(|window| window == blob), "{:?}", answer.body);

    // Of other nodesets the engine knows more than we do.
    let elsewhere = host.post("/call/odd__fires", &json!({ "name": "elsewhere__node" })).await;
    assert_eq!(elsewhere.status, 200);
    let misspelt = host.post("/call/odd__fires", &json!({ "name": "odd__tuoch" })).await.json();
    assert_eq!(misspelt["pointer"], "/__firelist__/specs/0/node_type");
    assert_eq!((&misspelt["type"], &misspelt["nearest"]), (&json!("bad_output"), &json!("odd__touch")));

    let over_mcp = host.mcp("/mcp", &[], &call(1, "odd__fires", &body)).await.json();
    let error: Json = serde_json::from_str(over_mcp["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!((&over_mcp["result"]["isError"], &error["type"]), (&json!(true), &json!("fire_list")));
    assert!(error["error"].as_str().unwrap().contains("graph engine"));
}

#[tokio::test]
async fn content_passes_as_it_stands() {
    let host = odd(&[]).await;
    let result = host.mcp("/mcp", &[], &call(1, "odd__blocks", &json!({}))).await.json()["result"].clone();
    let blocks = result["content"].as_array().unwrap();
    assert_eq!(blocks[0], json!({ "type": "text", "text": "hello" }));
    assert!(is_png(&blocks[1]["data"]));
    assert_eq!((&blocks[1]["type"], &blocks[1]["mimeType"]), (&json!("image"), &json!("image/png")));
    assert_eq!(blocks[2], json!({ "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" }));
    let note = json!({ "uri": "odd://note", "mimeType": "text/plain", "text": "a note" });
    assert_eq!(blocks[3], json!({ "type": "resource", "resource": note }));
    let bytes = json!({ "uri": "odd://bytes", "mimeType": "application/octet-stream", "blob": "AQID" });
    assert_eq!(blocks[4], json!({ "type": "resource", "resource": bytes }));
    assert_eq!(blocks[5], json!({ "type": "resource_link", "uri": "odd://page", "name": "the page" }));
    assert_eq!((blocks.len(), &result["structuredContent"]), (6, &json!({ "answer": 42 })));

    let content = host.post("/call/odd__blocks", &json!({})).await.json()["outputs"]["content"].clone();
    assert_eq!((&content["content"], &content["structuredContent"]), (&result["content"], &json!({ "answer": 42 })));

    let list = host.mcp("/mcp", &[], &nodecast_tests::request(1, "tools/list", &json!({}))).await.json();
    for tool in list["result"]["tools"].as_array().unwrap() {
        let has_ports = !["odd__blocks", "odd__wrecked", "odd__fires"].contains(&tool["name"].as_str().unwrap());
        assert_eq!(tool.get("outputSchema").is_some(), has_ports, "{}", tool["name"]);
    }
    let manifest = host.get("/manifest").await.json();
    let ports = &manifest["functions"][1]["output_ports"];
    assert_eq!((&ports[0]["name"], &ports[0]["wire_type"]), (&json!("content"), &json!("ANY")));
    assert_eq!(manifest["functions"][0]["nodecast"]["fire_list"], true);
}

/// W6: content that tells of a failure is a failure on every face, and over MCP it keeps its blocks.
#[tokio::test]
async fn w6_content_can_fail() {
    let host = odd(&[]).await;
    let result = host.mcp("/mcp", &[], &call(1, "odd__wrecked", &json!({}))).await.json()["result"].clone();
    assert_eq!((&result["isError"], &result["_meta"]["nodecast/stage"]), (&json!(true), &json!("external_service")));
    assert_eq!(result["content"], json!([{ "type": "text", "text": "the camera is gone" }]));
    let answer = host.post("/call/odd__wrecked", &json!({})).await;
    let body = answer.json();
    assert_eq!((answer.status, &body["stage"]), (502, &json!("external_service")));
    assert_eq!((&body["detail"], &body["type"]), (&json!("the camera is gone"), &json!("tool_error")));
}

/// `wire.md` 7: members that wait count as running.
#[tokio::test]
async fn gathered_calls_count_against_the_limit() {
    let host = odd(&["--max-in-flight", "3"]).await;
    let calls = (0..6).map(|x| {
        let body = json!({ "x": x, "ms": 300 });
        let host = &host;
        async move { host.post("/call/odd__gather", &body).await }
    });
    let answers = futures_util::future::join_all(calls).await;
    let (ran, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert_eq!((ran.len(), refused.len()), (3, 3));
    for answer in refused {
        assert_eq!((answer.status, &answer.json()["type"]), (503, &json!("overloaded")));
        assert_ne!(answer.header("retry-after"), "");
    }
}

/// `wire.md` 6: what an execution may say, and that a grant nobody can honour fails the call.
#[tokio::test]
async fn an_execution_is_checked() {
    let host = odd(&[]).await;
    let post = async |node: &str, execution: Json| {
        let answer = host.post(&format!("/call/odd__{node}"), &json!({ "inputs": {}, "_exec": execution })).await;
        (answer.status, answer.json()["type"].clone(), answer.json()["pointer"].clone())
    };
    for fine in [
        json!({}),
        json!({ "execution_id": "e", "grants": [] }),
        json!({ "execution_id": null, "grants": null }),
        // Without an execution there is nothing to grant.
        json!({ "grants": ["memory"] }),
    ] {
        assert_eq!(post("touched", fine.clone()).await.0, 200, "{fine}");
    }
    let refused = |kind: &str, pointer: &str| (422, json!(kind), json!(pointer));
    assert_eq!(post("touched", json!([])).await, (400, json!("not_a_map"), json!("/_exec")));
    let wrong = [
        (json!({ "execution_id": 5 }), "wrong_type", "/_exec/execution_id"),
        (json!({ "grants": "memory" }), "wrong_type", "/_exec/grants"),
        (json!({ "grants": ["a", 1] }), "wrong_type", "/_exec/grants/1"),
        (json!({ "grant": [] }), "unknown_field", "/_exec/grant"),
    ];
    for (execution, kind, pointer) in wrong {
        assert_eq!(post("touched", execution).await, refused(kind, pointer));
    }
    let granted = json!({ "execution_id": "e", "grants": ["memory"] });
    assert_eq!(post("touched", granted.clone()).await, (500, json!("grants_unavailable"), Json::Null));
    assert_eq!(post("gather", granted).await, refused("grants_on_batched", "/_exec/grants"));
}

#[tokio::test]
async fn a_config_beside_flat_arguments_is_pointed_at() {
    let host = odd(&[]).await;
    let answer = host.post("/call/odd__touch", &json!({ "n": 1, "config": { "share": 2 } })).await.json();
    assert_eq!((&answer["type"], &answer["pointer"]), (&json!("out_of_range"), &json!("/config/share")));
    assert!(answer["detail"].as_str().unwrap().contains("`/config/share`"), "{answer}");
    let answer = host.post("/call/odd__touch", &json!({ "n": 1, "share": 0.1, "config": { "share": 0.2 } })).await;
    assert_eq!((answer.status, &answer.json()["pointer"]), (400, &json!("/config/share")));
    let answer = host.post("/call/odd__touch", &json!({ "config": { "n": 1 } })).await.json();
    assert_eq!((&answer["type"], &answer["pointer"]), (&json!("unknown_field"), &json!("/config/n")));
}
