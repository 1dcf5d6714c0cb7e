//! MCP is an addition: whether it is there, off or broken, the other routes give the same bytes.

use nodecast::prelude::*;
use nodecast::serve::Options;
use serde_json::{Value as Json, json};

/// A nodeset of one node.
#[nodeset(name = "half", nodes(Halve))]
#[derive(Default)]
struct Half;

/// Halves a number.
#[node]
struct Halve {
    n: i32,
}

impl Node<Half> for Halve {
    type Output = i32;
    type Error = Error;

    async fn run(self, _: &Half, _: &Context) -> Result<i32, Error> {
        Ok(self.n / 2)
    }
}

/// What each route answers: status, content type and tag, and the bytes.
async fn answers(host: nodecast::Host) -> (Vec<(u16, Vec<String>, Vec<u8>)>, Json, u16) {
    let routes = host.into_router().await.unwrap();
    let url = nodecast_tests::serve(routes).await;
    let client = nodecast_tests::http().build().unwrap();
    let packed = rmp_serde::to_vec_named(&json!({ "inputs": { "n": 9 } })).unwrap();
    let asked = [
        client.get(format!("{url}/manifest")),
        client.get(format!("{url}/contract")),
        client.post(format!("{url}/call/half__halve")).body("{\"n\":42}"),
        client.post(format!("{url}/call/half__halve")).body("{\"n\":\"x\"}"),
        client.post(format!("{url}/call/half__halve")).header("content-type", "application/msgpack").body(packed),
        client.post(format!("{url}/call/half__havle")).body("{}"),
    ];
    let mut answers = Vec::new();
    for request in asked {
        let answer = request.send().await.unwrap();
        let headers = ["content-type", "etag", "cache-control"];
        let headers =
            headers.map(|name| answer.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned());
        answers.push((answer.status().as_u16(), headers.to_vec(), answer.bytes().await.unwrap().to_vec()));
    }
    let health = client.get(format!("{url}/health")).send().await.unwrap();
    assert_eq!(health.status(), 200);
    let health: Json = serde_json::from_slice(&health.bytes().await.unwrap()).unwrap();
    let list = nodecast_tests::request(1, "tools/list", &json!({})).to_string();
    let mcp = client.post(format!("{url}/mcp")).header("content-type", "application/json").body(list);
    (answers, health["nodecast"]["mcp"].clone(), mcp.send().await.unwrap().status().as_u16())
}

#[tokio::test]
async fn w10_other_routes_do_not_depend_on_mcp() {
    let host = || nodecast::Host::new().nodeset::<Half>(());
    let (there, health, mcp) = answers(host()).await;
    assert_eq!((health, mcp), (json!({ "state": "up" }), 200));
    let (off, health, mcp) = answers(host().options(Options { no_mcp: true, ..Options::default() })).await;
    assert_eq!((health, mcp), (json!({ "state": "off" }), 404));
    let (broken, health, mcp) = answers(host().break_mcp("broken on purpose")).await;
    assert_eq!((health, mcp), (json!({ "state": "failed", "reason": "broken on purpose" }), 404));
    assert_eq!(there.iter().map(|(status, ..)| *status).collect::<Vec<_>>(), [200, 200, 200, 422, 200, 404]);
    assert!(there == off && there == broken);
}
