//! Broken twins of the conformance fixture: what a server must not do is seen by the same eyes that find the fixture sound.

use std::collections::BTreeSet;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use conformance::Conformance;
use nodecast_tests::{Modern, http, modern};
use serde_json::{Value as Json, json};

/// What is wrong with a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    /// A page of another origin is answered.
    Origin,
    /// A list may not be kept, or says not how long.
    CacheHints,
    /// A schema has lost what its author wrote.
    Schema,
    /// Two tools have one name.
    Names,
}

/// Serves the fixture with this fault, or soundly; its address.
async fn serve(fault: Option<Fault>) -> String {
    let sound = nodecast::Host::new().nodeset::<Conformance>(()).into_router().await.unwrap();
    let twin: Router = sound.layer(from_fn(move |request: Request, next: Next| twisted(fault, request, next)));
    nodecast_tests::serve(twin).await
}

async fn twisted(fault: Option<Fault>, mut request: Request, next: Next) -> Response {
    let Some(fault) = fault else { return next.run(request).await };
    if fault == Fault::Origin {
        request.headers_mut().remove("origin");
    }
    let (mut parts, body) = next.run(request).await.into_parts();
    let bytes = to_bytes(body, 1 << 20).await.unwrap();
    let Ok(mut answer) = serde_json::from_slice::<Json>(&bytes) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    let result = &mut answer["result"];
    match fault {
        Fault::Origin => {}
        Fault::CacheHints => drop(result.as_object_mut().map(|result| result.remove("ttlMs"))),
        Fault::Schema => {
            for tool in result["tools"].as_array_mut().into_iter().flatten() {
                tool["inputSchema"].as_object_mut().unwrap().retain(|key, _| key == "type" || key == "properties");
            }
        }
        Fault::Names => {
            if let Some(tools) = result["tools"].as_array_mut() {
                tools.push(tools[0].clone());
            }
        }
    }
    parts.headers.remove("content-length");
    Response::from_parts(parts, Body::from(answer.to_string()))
}

/// What a client sees that is wrong.
async fn faults(url: &str) -> BTreeSet<Fault> {
    let client = http().build().unwrap();
    let ask = async |method: &str, origin: Option<&str>| {
        let Modern { headers, message } = modern(1, method, None, json!({}));
        let mut request = client.post(format!("{url}/mcp")).body(message.to_string());
        request = request.header("content-type", "application/json").header("accept", "application/json");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if let Some(origin) = origin {
            request = request.header("origin", origin);
        }
        let answer = request.send().await.unwrap();
        let (status, text) = (answer.status().as_u16(), answer.text().await.unwrap());
        (status, serde_json::from_str::<Json>(&text).unwrap_or_default())
    };
    let mut found = BTreeSet::new();
    if ask("tools/list", Some("http://evil.example")).await.0 < 400 {
        found.insert(Fault::Origin);
    }
    for method in ["server/discover", "tools/list"] {
        let result = ask(method, None).await.1["result"].clone();
        let is_kept = result["ttlMs"].is_u64() && ["public", "private"].map(Json::from).contains(&result["cacheScope"]);
        if !is_kept {
            found.insert(Fault::CacheHints);
        }
    }
    let list = ask("tools/list", None).await.1;
    let tools = list["result"]["tools"].as_array().unwrap();
    let names: BTreeSet<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    if names.len() < tools.len() {
        found.insert(Fault::Names);
    }
    let written: Json = serde_json::from_str(include_str!("../../../fixtures/conformance/src/schema.json")).unwrap();
    if tools.iter().find(|tool| tool["name"] == "json_schema_2020_12_tool").unwrap()["inputSchema"] != written {
        found.insert(Fault::Schema);
    }
    found
}

#[tokio::test]
async fn each_broken_twin_is_told_from_the_sound_fixture() {
    assert_eq!(faults(&serve(None).await).await, BTreeSet::new());
    for fault in [Fault::Origin, Fault::CacheHints, Fault::Schema, Fault::Names] {
        assert_eq!(faults(&serve(Some(fault)).await).await, BTreeSet::from([fault]));
    }
}
