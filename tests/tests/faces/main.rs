//! Every node of `kitchen` and `vision`, served, called over `/call` in JSON and in msgpack and over MCP: one answer.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

mod cases;
mod served;
mod shapes;
mod spelled;

use std::collections::BTreeSet;

use nodecast::wire::{Value, msgpack};
use serde_json::{Value as Json, json};

use cases::Case;
use served::Served;
use spelled::{as_json, as_value, canonical, pictures_of, without_data, without_resources};

#[tokio::test]
async fn every_node_answers_alike_on_every_face() {
    let served = Served::start().await;
    let cases = cases::all();
    let called: BTreeSet<_> = cases.iter().map(|case| case.node.to_owned()).collect();
    let declared: BTreeSet<_> =
        served.nodes.keys().filter(|node| !shapes::NODES.contains(&node.as_str())).cloned().collect();
    assert_eq!(called, declared, "every node has a case, and every case a node");
    for case in &cases {
        agrees(&served, case).await;
    }
}

#[tokio::test]
async fn one_state_is_behind_all_faces() {
    let served = Served::start().await;
    let rice = json!({ "thing": "rice", "count": 2 });
    let (_, json) = served.json("/call/store__node_mut", &rice).await;
    let packed = served.msgpack("/call/store__node_mut", msgpack::encode(&as_value(&rice)).unwrap()).await.1;
    let mcp = served.mcp("store__node_mut", &rice).await;
    let (_, taken) = served.json("/call/store__show_errors", &json!({ "things": "5 rice" })).await;
    assert_eq!(json["outputs"], json!({ "count": 2, "free": 4 }));
    assert_eq!(msgpack::decode(&packed).unwrap().to_json().unwrap()["outputs"], json!({ "count": 4, "free": 4 }));
    assert_eq!(mcp["structuredContent"], json!({ "count": 6, "free": 4 }));
    assert_eq!(taken["outputs"], json!({ "result": 5 }));
}

async fn agrees(served: &Served, Case { node, arguments, outputs, refused }: &Case) {
    let path = format!("/call/{node}");
    let (status, json) = served.json(&path, &as_json(arguments)).await;
    let packed = msgpack::encode(&as_value(arguments)).unwrap();
    let (packed_status, packed) = served.msgpack(&path, packed).await;
    let packed = msgpack::decode(&packed).unwrap();
    let mcp = served.mcp(node, &as_json(arguments)).await;
    assert_eq!(status, packed_status, "{node}: {json} and {packed}");

    if let Some(kind) = refused {
        let text: Json = serde_json::from_str(mcp["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(mcp["isError"], true, "{node}: {mcp}");
        for member in ["type", "stage", "retryable", "retry_after_s"] {
            let said = [&json[member], &packed.to_json().unwrap()[member], &text[member]].map(Json::clone);
            assert!(said[0] == said[1] && said[0] == said[2], "{node}: {member} is {said:?}");
        }
        assert_eq!((&json["type"], &json["detail"]), (&json!(kind), &text["error"]), "{node}");
        return;
    }
    assert_eq!(status, 200, "{node}: {json}");
    if let Some(outputs) = outputs {
        assert_eq!(json["outputs"], as_json(outputs), "{node}");
    }
    let by_json = canonical(Value::from_json(json["outputs"].clone()).unwrap());
    let by_msgpack = canonical(packed.get("outputs").unwrap().clone());
    assert_eq!(by_json, by_msgpack, "{node}");
    assert_ne!(mcp["isError"], true, "{node}: {mcp}");
    agrees_over_mcp(served, node, &by_json, &json["outputs"], &mcp);
}

/// Pictures are blocks in the order of their ports; all else is one JSON text, with arrays reduced to what they are.
fn agrees_over_mcp(served: &Served, node: &str, outputs: &Value, sent: &Json, result: &Json) {
    let blocks = result["content"].as_array().unwrap();
    let (images, texts): (Vec<_>, Vec<_>) = blocks.iter().partition(|block| block["type"] == "image");
    let shown: Vec<_> = images.iter().map(|block| canonical(Value::from(block["data"].as_str().unwrap()))).collect();
    let ports = &served.nodes[node];
    let (mut expected, mut rest) = (Vec::new(), serde_json::Map::new());
    for (port, value) in sent.as_object().unwrap() {
        match pictures_of(&ports[port], outputs.get(port).unwrap()) {
            pictures if pictures.is_empty() => {
                rest.insert(port.clone(), without_data(value, &mut expected));
            }
            pictures => expected.extend(pictures),
        }
    }
    assert_eq!(shown, expected, "{node}");

    let rest = Json::Object(rest);
    let pictures = !expected.is_empty() || ports.values().any(|wire_type| shows_pictures(wire_type));
    if !pictures || rest != json!({}) {
        let text = texts[0]["text"].as_str().unwrap();
        // What is too long for a client is cut, and whole beside it.
        let cut = rest.to_string().len() > 40_000;
        assert!(
            cut && text.contains("structuredContent has all")
                || serde_json::from_str(text).ok().map(without_resources) == Some(rest.clone()),
            "{node}: {text}"
        );
        assert_eq!(texts.len(), 1, "{node}");
    }
    if pictures {
        assert_eq!(result.get("structuredContent"), None, "{node}");
    } else {
        assert_eq!(without_resources(result["structuredContent"].clone()), rest, "{node}");
    }
}

fn shows_pictures(wire_type: &str) -> bool {
    matches!(wire_type, "IMAGE" | "LIST[IMAGE]")
}
