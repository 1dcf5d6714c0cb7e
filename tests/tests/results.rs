//! What a node may return beside ports, in process, and who reads the text of an error.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where something is missing")]

use std::collections::BTreeMap;
use std::sync::Arc;

use nodecast::call::{Instance, RawArguments, Stage};
use nodecast::catalog::{Catalog, Service};
use nodecast::prelude::*;
use nodecast::testing::Client;
use serde_json::json;

/// Answers without ports.
#[nodeset(name = "answers", nodes(Plan, Broken, Listed, Lost, Foreign))]
#[derive(Default)]
struct Answers;

/// Plans with every kind of aggregator.
#[node]
struct Plan {
    #[config(select("last", "second", "renamed", "none"), default = "none")]
    how: String,
}

impl Node<Answers> for Plan {
    type Output = FireList;
    type Error = Error;

    async fn run(self, _: &Answers, _: &Context) -> Result<FireList, Error> {
        let list = FireList::new([Fire::new("other__one")]).fire(Fire::new("answers__plan").config("how", "last"));
        Ok(match self.how.as_str() {
            "last" => list.aggregate(Aggregator::PassthroughLast),
            "second" => list.aggregate(Aggregator::PassthroughIndex(1)),
            "renamed" => {
                let names = BTreeMap::from([("a".to_owned(), "b".to_owned())]);
                list.aggregate(Aggregator::Rename(Box::new(Aggregator::MergeAll), names))
            }
            _ => list,
        })
    }
}

/// Cannot be written: a map with a list as its key.
fn unwritable() -> BTreeMap<Vec<u8>, u8> {
    BTreeMap::from([(vec![1], 1)])
}

#[node]
struct Broken;

impl Node<Answers> for Broken {
    type Output = FireList;
    type Error = Error;

    async fn run(self, _: &Answers, _: &Context) -> Result<FireList, Error> {
        let wrong = Fire::new("answers__plan").input("good", 1).input("bad", unwritable());
        Ok(FireList::new([Fire::new("answers__plan"), wrong]))
    }
}

#[node]
struct Listed;

impl Node<Answers> for Listed {
    type Output = Content;
    type Error = Error;

    async fn run(self, _: &Answers, _: &Context) -> Result<Content, Error> {
        Ok(Content::new().text("a list").structured([1, 2]))
    }
}

#[node]
struct Lost;

impl Node<Answers> for Lost {
    type Output = Content;
    type Error = Error;

    async fn run(self, _: &Answers, _: &Context) -> Result<Content, Error> {
        Ok(Content::new().failed(Stage::Timeout))
    }
}

#[node]
struct Foreign;

impl Node<Answers> for Foreign {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Answers, _: &Context) -> Result<(), Error> {
        Err(std::io::Error::other("no such device: cam0"))?
    }
}

#[tokio::test]
async fn aggregators_are_those_of_the_engine() {
    let client = Client::<Answers>::start(()).await.unwrap();
    for (how, aggregator) in [
        ("last", json!({ "kind": "passthrough_last" })),
        ("second", json!({ "kind": "passthrough_index", "index": 1 })),
        ("renamed", json!({ "kind": "rename", "inner": { "kind": "merge_all" }, "map": { "a": "b" } })),
        ("none", json!({})),
    ] {
        let list = client.call("plan", json!({ "how": how })).await.unwrap();
        let spec = json!({
            "node_type": "answers__plan", "inputs": {}, "config": { "how": "last" }, "label": "", "capture_outputs": null,
        });
        assert_eq!(list["__firelist__"]["aggregator"], aggregator);
        assert_eq!(list["__firelist__"]["specs"][1], spec);
        assert_eq!(list["__firelist__"]["spawner_outputs"], json!({}));
    }
}

#[tokio::test]
async fn what_cannot_be_said_is_the_nodes_failure() {
    let client = Client::<Answers>::start(()).await.unwrap();
    let failed = client.call("broken", json!({})).await.unwrap_err();
    assert_eq!((failed.stage(), failed.findings().len()), (Stage::AdapterExecution, 1), "{failed:?}");
    assert!(failed.findings()[0].pointer.starts_with("/__firelist__/specs/1/inputs/bad"), "{failed:?}");
    let failed = client.call("listed", json!({})).await.unwrap_err();
    assert_eq!((failed.kind(), &*failed.findings()[0].pointer), ("bad_output", "/outputs/content/structuredContent"));
    let failed = client.call("lost", json!({})).await.unwrap_err();
    assert_eq!((failed.stage(), failed.kind()), (Stage::Timeout, "tool_error"));
    assert!(!failed.message().is_empty());
}

/// Fault B81: the text of a foreign error is for callers where the nodeset says so, and nowhere else.
#[tokio::test]
async fn b81_a_nodeset_may_show_the_text_of_foreign_errors() {
    for (shows, message) in [(false, "the node failed; its log says why"), (true, "no such device: cam0")] {
        let mut catalog = Catalog::of::<Answers>().unwrap();
        catalog.show_errors = shows;
        let instance = Instance::<Answers>::start(Value::Null, &Context::default()).await.unwrap();
        let service = Service::new(Arc::new(catalog), Arc::new(instance)).unwrap();
        let cx = Context::default();
        let failed = service.call("answers__foreign", RawArguments::Flat(Vec::new()), &cx).await.unwrap_err();
        assert_eq!((failed.kind(), failed.message()), ("node_failed", message));
    }
}

#[tokio::test]
async fn manifest_and_tools_say_what_comes() {
    let client = Client::<Answers>::start(()).await.unwrap();
    let manifest = client.manifest().unwrap();
    assert_eq!(manifest["functions"][0]["nodecast"]["fire_list"], true);
    assert_eq!(manifest["functions"][0]["output_ports"], json!([]));
    assert_eq!(manifest["functions"][2]["output_ports"][0]["name"], "content");
    let tools = client.tools();
    let with_schema: Vec<_> = tools.iter().map(|tool| tool.output_schema.is_some()).collect();
    assert_eq!(with_schema, [false, false, false, false, true]);
}

#[tokio::test]
async fn a_client_stops_what_it_started_and_refuses_settings() {
    let client = Client::<Answers>::start(()).await.unwrap();
    client.stop().await;
    let refused = Client::<Answers>::start(json!({ "device": "cpu" })).await.unwrap_err();
    assert!(refused.message().contains("takes no settings"), "{refused}");
    let client = Client::<Answers>::start(()).await.unwrap();
    let unknown = client.call("pln", json!({})).await.unwrap_err();
    assert_eq!(unknown.kind(), "unknown_function");
    let no_map = client.call("plan", json!([1])).await.unwrap_err();
    assert_eq!(no_map.kind(), "not_a_map");
}
