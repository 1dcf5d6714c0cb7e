//! `/env-panel/…` (`wire.md` 8).

use serde_json::json;

use crate::host;

#[tokio::test]
async fn the_panel_is_a_document() {
    let robot = host("robot", &[]).await;
    let info = robot.get("/env-panel/info").await.json();
    let field = |name: &str, kind: &str, label: &str| {
        json!({ "name": name, "kind": kind, "label": label, "options": null, "min": null, "max": null, "step": null,
                "placeholder": null })
    };
    let mut speed = field("speed", "slider", "Speed");
    (speed["min"], speed["max"], speed["step"]) = (json!(0.0), json!(2.0), json!(0.5));
    let mut scene = field("scene", "select", "Scene");
    scene["options"] = json!([]);
    let mut mode = field("mode", "select", "Mode");
    mode["options"] = json!([{ "value": "fast", "label": "Fast" }]);
    let expected = json!({
        "name": "robot",
        "display_name": "Robot",
        "fields": [scene, mode, speed, field("note", "text", "Note")],
        "actions": [
            { "name": "start", "label": "Start", "side_effect": "run_start", "enabled_when": "idle" },
            { "name": "reset", "label": "Reset", "side_effect": "signal", "enabled_when": "always" },
        ],
    });
    assert_eq!(info, expected);
    assert_eq!(robot.get("/env-panel/state/").await.json(), json!({ "scene": null, "available": false }));
    assert_eq!(robot.get("/env-panel/options/scene").await.json(), json!([{ "value": "flat", "label": "A flat" }]));
    assert_eq!(robot.get("/env-panel/options/mode").await.json(), json!([{ "value": "fast", "label": "Fast" }]));
}

#[tokio::test]
async fn fields_are_set_and_actions_taken() {
    let robot = host("robot", &[]).await;
    let set = robot.post("/env-panel/field/scene", &json!({ "value": "flat" })).await;
    assert_eq!((set.status, set.json()), (200, json!({ "scene": "flat", "available": true })));
    let started = robot.post("/env-panel/action/start", &json!({})).await;
    assert_eq!((started.status, started.json()), (200, json!({ "ok": true, "side_effect": "run_start" })));
    let reset = robot.post("/env-panel/action/reset", &json!({ "params": { "why": "stuck" } })).await;
    let expected =
        json!({ "ok": true, "side_effect": "signal", "signal_name": "episode_reset", "signal_payload": "stuck" });
    assert_eq!(reset.json(), expected);
}

#[tokio::test]
async fn what_the_panel_does_not_take_is_refused() {
    let robot = host("robot", &[]).await;
    let cases = [
        ("/env-panel/field/scene", json!({ "value": "house" }), 422, "not_an_option"),
        ("/env-panel/field/scene", json!({}), 422, "wrong_type"),
        ("/env-panel/field/speed", json!({ "value": 2.5 }), 422, "out_of_range"),
        ("/env-panel/field/speed", json!({ "value": 0.3 }), 422, "out_of_range"),
        ("/env-panel/field/speed", json!({ "value": "fast" }), 422, "wrong_type"),
        ("/env-panel/field/sped", json!({ "value": 1 }), 404, "not_found"),
        ("/env-panel/action/stop", json!({}), 404, "not_found"),
        ("/env-panel/action/start", json!({ "params": [] }), 400, "not_a_map"),
    ];
    for (path, body, status, kind) in cases {
        let refused = robot.post(path, &body).await;
        assert_eq!((refused.status, refused.json()["type"].as_str()), (status, Some(kind)), "{path} {body}");
    }
    assert_eq!(robot.get("/env-panel/options/sped").await.status, 404);
    let text = [("content-type", "text/plain")];
    let refused = robot.send(reqwest::Method::POST, "/env-panel/action/start", &text, b"{}".to_vec()).await;
    assert_eq!((refused.status, &refused.json()["type"]), (415, &json!("unsupported_media_type")));
    // A nodeset without one has no such routes.
    let dummy = host("dummy", &[]).await;
    assert_eq!(dummy.get("/env-panel/info").await.status, 404);
    // Where the reference is kept to, unknown names pass.
    let lenient = host("robot", &["--reference"]).await;
    assert_eq!(lenient.get("/env-panel/options/sped").await.json(), json!([]));
    assert_eq!(lenient.post("/env-panel/field/sped", &json!({ "value": 1 })).await.status, 200);
    let passed = lenient.post("/env-panel/action/stop", &json!({})).await;
    assert_eq!(passed.json(), json!({ "ok": false, "side_effect": "none" }));
}

/// On MCP alone (`wire.md` 8): a graph framework has the routes.
#[tokio::test]
async fn the_panels_tools_are_no_functions() {
    let robot = host("robot", &[]).await;
    for document in ["/manifest", "/openapi.json"] {
        let text = String::from_utf8(robot.get(document).await.body).unwrap();
        assert!(text.contains("robot__remember") && !text.contains("robot__panel_"), "{document}");
    }
    for tool in ["robot__panel_state", "robot__panel_set", "robot__panel_action"] {
        let refused = robot.post(&format!("/call/{tool}"), &json!({})).await;
        let said = refused.json();
        assert_eq!((refused.status, &said["type"]), (404, &json!("unknown_function")), "{tool}");
        assert!(!said["known"].to_string().contains("panel"), "{said}");
        assert!(said.get("pointer").is_none(), "the body has no place for what the path names: {said}");
    }
    let listed = robot.mcp("/mcp", &[], &nodecast_tests::request(1, "tools/list", &json!({}))).await.json();
    let names: Vec<_> = listed["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert!(names.contains(&json!("robot__panel_set")), "{names:?}");
}

/// What clients of MCP have of it, by the rules of the routes.
#[tokio::test]
async fn the_panel_is_tools_for_models() {
    let robot = host("robot", &[]).await;
    let ask = async |tool: &str, arguments: serde_json::Value| {
        let answer = robot.mcp("/mcp", &[], &nodecast_tests::call(1, tool, &arguments)).await.json();
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        (answer["result"]["isError"] == true, serde_json::from_str::<serde_json::Value>(&text).unwrap())
    };
    let set = ask("robot__panel_set", json!({ "field": "scene", "value": "flat" })).await;
    let shown = json!({ "scene": "flat", "available": true });
    assert_eq!(set, (false, json!({ "result": shown })));
    assert_eq!(ask("robot__panel_state", json!({})).await, (false, json!({ "result": shown })));
    assert_eq!(robot.get("/env-panel/state").await.json(), shown);
    robot.post("/containers/memory/write", &json!({ "name": "things", "data": "a" })).await;
    let reset = ask("robot__panel_action", json!({ "action": "reset", "params": { "why": "stuck" } })).await;
    let told =
        json!({ "ok": true, "side_effect": "signal", "signal_name": "episode_reset", "signal_payload": "stuck" });
    assert_eq!(reset, (false, json!({ "result": told })));
    let things = robot.post("/containers/memory/read", &json!({ "name": "things" })).await.json();
    assert_eq!(things, json!({ "value": [] }), "its signal is heard");
    for (tool, arguments, kind) in [
        ("robot__panel_set", json!({ "field": "speed", "value": 2.5 }), "out_of_range"),
        ("robot__panel_set", json!({ "field": "scene", "value": "house" }), "not_an_option"),
        ("robot__panel_set", json!({ "field": "sped", "value": 1 }), "not_found"),
        ("robot__panel_action", json!({ "action": "stop" }), "not_found"),
    ] {
        let (failed, said) = ask(tool, arguments).await;
        assert!(failed && said["type"] == kind && said["stage"] == "schema_validation", "{said}");
    }
}
