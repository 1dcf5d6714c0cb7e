//! The vectors of the reference implementation that are about schemas (`tests/vectors`).

use nodecast::contract::reference;
use nodecast::manifest;
use nodecast::prelude::*;
use nodecast::testing::Client;
use nodecast_tests::here;
use serde_json::{Value as Json, json};

fn vectors(name: &str) -> Json {
    serde_json::from_slice(&std::fs::read(here(&format!("vectors/{name}.json"))).unwrap()).unwrap()
}

#[test]
fn golden_schema_vectors() {
    let vectors = vectors("golden_schema_vectors");
    let functions: Vec<&Json> = vectors.as_array().unwrap().iter().map(|vector| &vector["function"]).collect();
    let document = json!({ "functions": functions });
    let tools: Vec<Json> =
        manifest::functions(&document).unwrap().iter().map(|function| reference::tool(function).to_json()).collect();
    let expected: Vec<Json> = vectors.as_array().unwrap().iter().map(|vector| vector["tool"].clone()).collect();
    assert_eq!((tools.len(), tools), (16, expected));
}

#[test]
fn golden_build_input_schema() {
    for vector in vectors("golden_mapping_vectors")["build_input_schema"].as_array().unwrap() {
        let schema = Json::Object(reference::tool(&vector["function"]).input_schema);
        assert_eq!(schema, vector["schema"]);
        // The order of keys is part of the form, and so is the point of a float.
        assert_eq!(schema.to_string(), vector["schema"].to_string());
    }
}

/// The function of the vectors, as far as we can declare it: no port and config field share a name.
#[nodeset(name = "rover", nodes(Drive))]
#[derive(Default)]
struct Rover;

#[node]
struct Drive {
    heading: Value,
    go: Option<bool>,
    range_map: Option<Value>,
    label: String,
    #[config(select("slow", "quick"), default = "slow")]
    pace: String,
    #[config(slider(min = -1.0, max = 1.0, step = 0.25), default = 0.25)]
    power: f64,
    #[config(default = true)]
    quiet: bool,
    #[config(default = 7)]
    tries: i64,
}

#[derive(Outputs)]
struct Sent {
    inputs: Value,
    config: Value,
}

impl Node<Rover> for Drive {
    type Output = Sent;
    type Error = Error;

    async fn run(self, _: &Rover, _: &Context) -> Result<Sent, Error> {
        let inputs = json!({ "heading": Value::to_json(&self.heading).ok(), "go": self.go, "label": self.label,
            "range_map": self.range_map.map(|map| map.to_json().unwrap()) });
        let config = json!({ "pace": self.pace, "power": self.power, "quiet": self.quiet, "tries": self.tries });
        Ok(Sent { inputs: inputs.into(), config: config.into() })
    }
}

/// What is sent in one object reaches ports and config fields as the reference splits it. What differs by default:
/// unknown names and label fields are refused, missing ports too, and config fields that are left out have their value.
#[tokio::test]
async fn golden_split_args() {
    let client = Client::<Rover>::start(()).await.unwrap();
    let mut refused = Vec::new();
    for vector in vectors("golden_mapping_vectors")["split_args"].as_array().unwrap() {
        let mut sent = vector["args"].clone();
        for (name, value) in [("heading", json!(0)), ("label", json!("l"))] {
            sent.as_object_mut().unwrap().entry(name).or_insert(value);
        }
        match client.call("drive", sent).await {
            Ok(split) => {
                for part in ["inputs", "config"] {
                    for (name, value) in vector[part].as_object().unwrap() {
                        assert_eq!(&split[part][name], value, "{vector}");
                    }
                }
            }
            Err(error) => refused.push(error.findings()[0].pointer.clone()),
        }
    }
    assert_eq!(refused, ["/extra", "/hint"]);
}
