//! The compatibility checklist (`wire.md` 10), line by line: what must hold since the reference's client relies on it.

use nodecast_tests::{Host, initialize, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{HOST, host, packed, unpacked};

/// The 200 reply is a map with `outputs` or `__firelist__`.
#[tokio::test]
async fn c01_the_reply_is_a_map() {
    let robot = host("robot", &[]).await;
    for (node, key) in [("slow", "outputs"), ("remember", "outputs"), ("fires", "__firelist__")] {
        let body = json!({ "inputs": if node == "slow" { json!({ "ms": 0 }) } else if node == "remember" { json!({ "thing": "x" }) } else { json!({}) } });
        let path = format!("/call/robot__{node}");
        let in_json = robot.post(&path, &body).await;
        assert!(in_json.status == 200 && in_json.json()[key].is_object(), "{node}");
        assert!(unpacked(&packed(&robot, &path, &body).await)[key].is_object(), "{node}");
    }
}

/// The content type begins with lower-case `application/msgpack` exactly where the body is msgpack.
#[tokio::test]
async fn c02_content_types_of_replies() {
    let dummy = host("dummy", &[]).await;
    let body = rmp_serde::to_vec_named(&json!({ "inputs": { "text": "a" } })).unwrap();
    for media in ["application/msgpack", "Application/MsgPack", "application/x-msgpack", "application/vnd.msgpack; v=1"]
    {
        let answer = dummy.send(Method::POST, "/call/dummy__echo", &[("content-type", media)], body.clone()).await;
        assert!(answer.header("content-type").starts_with("application/msgpack"), "{media}");
        let refused = dummy.send(Method::POST, "/call/dummy__echo", &[("content-type", media)], b"\xc1".to_vec()).await;
        assert_eq!((refused.status, refused.header("content-type")), (400, "application/msgpack"), "{media}");
    }
    let answer = dummy.post("/call/dummy__echo", &json!({ "text": "a" })).await;
    assert_eq!(answer.header("content-type"), "application/json");
}

/// No 3xx anywhere, no 204.
#[tokio::test]
async fn c03_nothing_is_redirected() {
    let robot = host("robot", &[]).await;
    for path in ["/health/", "/manifest/", "/contract/", "/env-panel/info/", "/env-panel/state/"] {
        assert_eq!(robot.get(path).await.status, 200, "{path}");
    }
    assert_eq!(robot.post("/call/robot__slow/", &json!({ "ms": 0 })).await.status, 200);
    for path in ["//health", "/", "", "/call", "/call/", "/mcp/", "/docs", "/containers", "/env-panel/"] {
        let answer = robot.get(path).await;
        assert!(!(300..400).contains(&answer.status) && answer.status != 204, "{path}: {}", answer.status);
    }
}

/// 13 and 6 keys exactly; `name`, `wire_type` and `functions` never null; `ui_config` an object.
#[tokio::test]
async fn c04_the_manifest_has_the_keys_that_the_client_takes() {
    const CONFIG: [&str; 13] = [
        "name",
        "field_type",
        "label",
        "default",
        "min",
        "max",
        "step",
        "options",
        "placeholder",
        "show_persist_toggle",
        "section",
        "on_card",
        "unset_label",
    ];
    const DISPLAY: [&str; 6] = ["name", "display_type", "label", "data_key", "max_visible", "accumulate"];
    const UI: [&str; 9] = [
        "color",
        "layout",
        "width",
        "min_height",
        "rounding",
        "min_width",
        "max_width",
        "config_fields",
        "display_fields",
    ];
    let keys = |object: &Json| object.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let mut seen = (0, 0);
    for nodeset in ["robot", "dummy", "echo", "owner"] {
        for arguments in [&[][..], &["--reference"]] {
            let manifest = host(nodeset, arguments).await.get("/manifest").await.json();
            assert!(manifest["name"].is_string() && manifest["functions"].is_array() && manifest["version"] == "1.0");
            for function in manifest["functions"].as_array().unwrap() {
                assert!(function["name"].is_string() && function["ui_config"].is_object());
                let ports = ["input_ports", "output_ports"].map(|ports| function[ports].as_array().unwrap());
                for port in ports.into_iter().flatten() {
                    assert!(port["name"].is_string() && port["wire_type"].is_string(), "{port}");
                    assert_eq!(keys(port)[..4], ["name", "wire_type", "description", "optional"]);
                }
                assert_eq!(keys(&function["ui_config"]), UI);
                for field in function["ui_config"]["config_fields"].as_array().unwrap() {
                    assert_eq!(keys(field), CONFIG);
                    seen.0 += 1;
                }
                for field in function["ui_config"]["display_fields"].as_array().unwrap() {
                    assert_eq!(keys(field), DISPLAY);
                    seen.1 += 1;
                }
            }
        }
    }
    assert!(seen.0 >= 8 && seen.1 >= 2, "{seen:?}");
}

/// Non-2xx on every failure.
#[tokio::test]
async fn c05_failures_are_no_success() {
    let robot = host("robot", &[]).await;
    for (path, body) in [
        ("/call/robot__fail", json!({})),
        ("/call/robot__fail", json!({ "how": "panic" })),
        ("/call/robot__remember", json!({})),
        ("/call/robot__none", json!({})),
        ("/call/robot__slow", json!([])),
        ("/containers/memory/write", json!({ "name": "seen", "data": "x" })),
        ("/env-panel/field/none", json!({})),
    ] {
        assert!(robot.post(path, &body).await.status >= 400, "{path} {body}");
    }
}

/// `GET /health` is 200 exactly when ready.
#[tokio::test]
async fn c06_health_says_when_it_is_ready() {
    let robot = host("robot", &[]).await;
    let health = robot.get("/health").await;
    assert_eq!((health.status, &health.json()["status"]), (200, &json!("ok")));
    assert_eq!(robot.post("/call/robot__slow", &json!({ "ms": 0 })).await.status, 200);
    // Before and after: `w9_sigterm_with_a_minute_long_call`, and the serving tests of a slow start.
}

/// A new connection a call; the base URL may end in `/`; host `localhost`.
#[tokio::test]
async fn c07_a_connection_a_call() {
    let dummy = host("dummy", &[]).await;
    let body = r#"{"inputs": {"text": "a"}}"#;
    let port = dummy.authority().rsplit_once(':').unwrap().1;
    for n in 0..20 {
        let request = format!(
            "POST /call/dummy__echo HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
            body.len()
        );
        assert!(dummy.raw(request.as_bytes()).starts_with("HTTP/1.1 200 "), "{n}");
    }
    let both = Host::start(HOST, &["--nodeset", "dummy", "--nodeset", "robot"]).await;
    for (host, base) in [(&dummy, "/"), (&both, "/"), (&both, "/dummy/")] {
        for path in ["/health", "/manifest"] {
            assert_eq!(host.get(&format!("{base}{path}")).await.status, 200, "{base}{path}");
        }
        let answer = host.post(&format!("{base}/call/dummy__echo"), &json!({ "inputs": { "text": "a" } })).await;
        assert_eq!((answer.status, answer.json()), (200, json!({ "outputs": { "echo": "a" } })), "{base}");
        let refused = host.post(&format!("{base}/containers/zzz/read"), &json!({ "name": "x" })).await;
        assert_eq!(refused.json()["detail"], "there is no container `zzz`", "{base}");
    }
    let read = both.post("/robot//containers/memory/read/", &json!({ "name": "seen" })).await;
    assert_eq!((read.status, read.json()), (200, json!({ "value": 0 })));
    assert_eq!(both.get("/robot//env-panel/info").await.status, 200);
    // A client of MCP has one URL, and these are others.
    for path in ["//mcp", "/dummy//mcp"] {
        assert_eq!(both.mcp(path, &[], &request(1, "tools/list", &json!({}))).await.status, 404, "{path}");
    }
}

/// Absent inputs are left out; outputs that are nothing are null.
#[tokio::test]
async fn c08_what_is_absent() {
    let robot = host("robot", &[]).await;
    let outputs = robot.post("/call/robot__numbers", &json!({ "inputs": {} })).await.json()["outputs"].clone();
    assert_eq!(outputs, json!({ "count": 1, "on": false, "gain": 0.5, "any": null }));
    let with_null = json!({ "inputs": { "any": null }, "config": { "count": null } });
    assert_eq!(robot.post("/call/robot__numbers", &with_null).await.json()["outputs"], outputs);
}

/// Arrays of any shape, 0-d and empty ones included; pictures as uint8 H×W×3 and as base64 PNG.
#[tokio::test]
async fn c09_arrays_of_any_shape() {
    let echo = host("echo", &[]).await;
    for (data, shape) in [("AAAAAAAADEA=", json!([])), ("", json!([0, 4])), ("AAAAAAAADEA=", json!([1, 1, 1]))] {
        let array = json!({ "__ndarray__": data, "dtype": "float64", "shape": shape });
        let answer = echo.post("/call/echo__id", &json!({ "inputs": { "x": array } })).await.json();
        assert_eq!(answer["outputs"]["y"], array);
    }
    // Pictures: `dummy_frame_in_both_regimes`.
}

/// Names of functions have `__`, and what stands before it is the nodeset's prefix.
#[tokio::test]
async fn c10_names_of_functions() {
    for (nodeset, prefix) in [("robot", "robot"), ("dummy", "dummy"), ("dummy_env", "dummy"), ("echo", "echo")] {
        let manifest = host(nodeset, &[]).await.get("/manifest").await.json();
        for function in manifest["functions"].as_array().unwrap() {
            let name = function["name"].as_str().unwrap();
            assert_eq!(name.split_once("__").unwrap().0, prefix, "{name}");
        }
    }
}

/// Plain JSON without a session on `/mcp` where nobody holds the nodeset, and 409 with `mcp_exclusive` where somebody does.
#[tokio::test]
async fn c11_mcp_with_and_without_a_session() {
    for arguments in [&[][..], &["--reference"]] {
        let dummy = host("dummy", arguments).await;
        let answer = dummy.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        let env = host("dummy_env", arguments).await;
        let held = env.mcp("/mcp", &[], &initialize(1, "first")).await;
        assert!(held.status == 200 && !held.header("mcp-session-id").is_empty());
        let refused = env.mcp("/mcp", &[], &initialize(2, "second")).await;
        assert_eq!(refused.status, 409);
        assert!(String::from_utf8_lossy(&refused.body).contains("mcp_exclusive"));
        // `/call` is nobody's to hold.
        assert_eq!(env.post("/call/dummy__echo", &json!({ "text": "a" })).await.status, 200);
    }
}

/// A bridge that posts JSON and reads a picture as base64 PNG and an array as a marker.
#[tokio::test]
async fn c12_a_bridge_in_json() {
    let dummy = host("dummy", &[]).await;
    let shown = dummy.post("/call/dummy__frame", &json!({ "inputs": {} })).await.json();
    assert!(shown["outputs"]["rgb"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let echo = host("echo", &[]).await;
    let depth = json!({ "__ndarray__": "AACAPw==", "dtype": "float32", "shape": [1, 1] });
    let answer = echo.post("/call/echo__id", &json!({ "inputs": { "x": depth } })).await.json();
    assert_eq!(answer["outputs"]["y"], depth);
}
