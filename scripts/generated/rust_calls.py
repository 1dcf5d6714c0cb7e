"""Writes the program that calls every node of the fixtures with the Rust clients that ``codegen-cli generate`` made.

    rust_calls.py CONTRACT [CONTRACT ...] > main.rs

A CONTRACT is a document of one nodeset; its client is the module of the nodeset's name.
"""

import json
import pathlib
import sys

HEAD = """\
//! Calls every node with its generated client: CASES KITCHEN VISION.

// Nodes that are deprecated are called too.
#![allow(deprecated)]

#[allow(dead_code)]
mod kitchen;
#[allow(dead_code)]
mod pantry;
#[allow(dead_code)]
mod vision;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The outputs, or the variant of the error; nothing where the arguments are none of the type.
type Came = Option<Result<Value, String>>;

macro_rules! call {
    ($client:expr, $method:ident, $given:expr) => {{
        match read($given) {
            None => None,
            Some(arguments) => Some(match $client.$method(&arguments).await {
                Ok(outputs) => Ok(written(&outputs)),
                Err(error) => Err(format!("{:?}", error.kind)),
            }),
        }
    }};
}

fn read<T: DeserializeOwned>(given: &Value) -> Option<T> {
    serde_json::from_value(given.clone()).ok()
}

fn written(outputs: &impl Serialize) -> Value {
    serde_json::to_value(outputs).unwrap()
}

/// As JSON means it: 1 and 1.0 are one number.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let [cases, kitchen_at, vision_at] = std::env::args().skip(1).collect::<Vec<_>>().try_into().unwrap();
    let cases: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(cases).unwrap()).unwrap();
    let kitchen = kitchen::Kitchen::new(&kitchen_at);
    let pantry = pantry::Pantry::new(&kitchen_at);
    let vision = vision::Vision::new(&vision_at);
    let mut called = std::collections::BTreeSet::new();
    for case in &cases {
        let (tool, given) = (case["tool"].as_str().unwrap(), &case["arguments"]);
        let came: Came = match tool {
"""

TAIL = """\
            _ => continue,
        };
        called.insert(tool);
        // Names that no type has are left out by it; a fire list is refused over MCP alone.
        let refused = case["refused"].as_str().filter(|kind| !["unknown_field", "fire_list"].contains(kind));
        match (came, refused) {
            // With a name that no type has, one that it has may be missing.
            (None, _) => assert!(case["refused"].is_string(), "{tool}: {given} is none of the type"),
            (Some(Err(kind)), Some(refused)) => {
                let declared = KINDS.iter().find(|(name, _)| *name == refused).map(|(_, variant)| (*variant).to_owned());
                assert_eq!(kind, declared.unwrap_or_else(|| format!("Other({refused:?})")), "{tool}");
            }
            (Some(Ok(outputs)), None) => {
                let expected = &case["outputs"];
                assert!(expected.is_null() || same(&outputs, expected), "{tool}: {outputs}, and not {expected}");
            }
            (came, refused) => panic!("{tool}: {came:?}, and expected {refused:?}"),
        }
    }
    assert_eq!(called.len(), NODES, "{called:?}");
    println!("ok: Rust, {} nodes", called.len());
}
"""


def camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def main(files: list[str]) -> None:
    contracts = [json.loads(pathlib.Path(file).read_text())["contract"] for file in files]
    arms, kinds = [], set()
    for contract in contracts:
        for node in contract["nodes"]:
            arms.append(f'            "{node["full_name"]}" => call!({contract["nodeset"]["name"]}, {node["name"]}, given),\n')
            kinds.update(kind["name"] for kind in node["errors"])
    rows = "".join(f'    ("{kind}", "{camel(kind)}"),\n' for kind in sorted(kinds))
    table = f"\n/// The kinds of error that nodes declare, and their variants.\nconst KINDS: &[(&str, &str)] = &[\n{rows}];\n"
    print(HEAD + "".join(arms) + TAIL + table + f"\n/// How many nodes there are.\nconst NODES: usize = {len(arms)};")


main(sys.argv[1:])
