//! Results that are no ports: content blocks, and fire lists.

use nodecast::wire::msgpack;
use serde_json::{Value as Json, json};

use crate::served::Served;
use crate::spelled::as_value;

/// The nodes that these tests call, which no case does.
pub(crate) const NODES: [&str; 2] = ["kitchen__content", "kitchen__fire_list"];

/// The answers over `/call` in JSON and in msgpack, which must be one, and the result over MCP.
async fn ask(served: &Served, node: &str, arguments: &Json) -> (u16, Json, Json) {
    let path = format!("/call/{node}");
    let (status, json) = served.json(&path, arguments).await;
    let (packed_status, packed) = served.msgpack(&path, msgpack::encode(&as_value(arguments)).unwrap()).await;
    assert_eq!((packed_status, msgpack::decode(&packed).unwrap().to_json().unwrap()), (status, json.clone()), "{node}");
    (status, json, served.mcp(node, arguments).await)
}

#[tokio::test]
async fn content_is_passed_on_as_it_stands() {
    let served = Served::start().await;
    let (status, json, mcp) = ask(&served, "kitchen__content", &json!({ "page": 2 })).await;
    let blocks = json!([
        { "type": "text", "text": "page 2: soup" },
        { "type": "resource_link", "uri": "menu://pages/2", "name": "the page" },
    ]);
    assert_eq!((status, &json["outputs"]["content"]["content"], &mcp["content"]), (200, &blocks, &blocks));
    assert_ne!(mcp["isError"], true);

    let (status, json, mcp) = ask(&served, "kitchen__content", &json!({ "page": 3 })).await;
    assert_eq!((status, &json["detail"]), (500, &json!("the menu has no page 3")));
    assert_eq!((&mcp["isError"], &mcp["content"][0]["text"]), (&json!(true), &json!("the menu has no page 3")));
    assert_eq!(mcp["_meta"]["nodecast/stage"], json["stage"]);
}

/// `wire.md` 7: the whole reply, which a graph engine runs; over MCP nobody would.
#[tokio::test]
async fn a_fire_list_is_the_whole_reply() {
    let served = Served::start().await;
    let (status, json, mcp) = ask(&served, "kitchen__fire_list", &json!({ "guests": 2 })).await;
    let expected = json!({ "__firelist__": {
        "specs": [
            { "node_type": "kitchen__select_enum", "inputs": {}, "config": { "yolk": "soft" }, "label": "the eggs", "capture_outputs": null },
            { "node_type": "kitchen__outputs", "inputs": { "cents": 1800 }, "config": { "guests": 2 }, "label": "", "capture_outputs": null },
        ],
        "spawner_outputs": { "guests": 2 },
        "aggregator": { "kind": "merge_all" },
    } });
    assert_eq!((status, json), (200, expected));
    assert_eq!(mcp["isError"], true);
}
