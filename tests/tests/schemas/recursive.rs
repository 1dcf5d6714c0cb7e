//! References: where they stay, what they are called, and that each one leads somewhere (`faults.md` B15).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use nodecast::contract::Profile;

use super::declared::{agree, given, taken};

#[derive(Serialize, Deserialize, JsonSchema, PartialEq, Debug)]
struct Tree {
    v: u8,
    kids: Vec<Tree>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Ping {
    pong: Option<Box<Pong>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Pong {
    ping: Option<Box<Ping>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Mode {
    /// Fast.
    Fast,
    Slow,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Twice {
    a: Mode,
    b: Mode,
}

mod other {
    use super::{Deserialize, JsonSchema, Serialize};

    /// Of the same name as the one above, and another type.
    #[derive(Serialize, Deserialize, JsonSchema)]
    pub(super) struct Tree {
        pub(super) leaves: Vec<Tree>,
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Both {
    first: Tree,
    second: other::Tree,
}

/// Every reference of a document, and whether it leads to a definition at the root.
fn references(schema: &Json) -> Vec<String> {
    fn collect(part: &Json, found: &mut Vec<String>) {
        match part {
            Json::Object(members) => {
                found.extend(members.get("$ref").and_then(Json::as_str).map(str::to_owned));
                members.values().for_each(|member| collect(member, found));
            }
            Json::Array(items) => items.iter().for_each(|item| collect(item, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(schema, &mut found);
    for reference in &found {
        let name = reference.strip_prefix("#/$defs/").unwrap_or_else(|| panic!("{reference} in {schema}"));
        assert!(schema["$defs"].get(name).is_some(), "{reference} leads nowhere in {schema}");
    }
    found.sort();
    found.dedup();
    found
}

#[tokio::test]
async fn b15_only_recursive_types_keep_a_reference() {
    assert_eq!(references(&taken::<Twice>(Profile::Inline)), [""; 0]);
    assert_eq!(references(&taken::<Twice>(Profile::Full)), ["#/$defs/Mode", "#/$defs/Twice"]);
    assert_eq!(references(&taken::<Tree>(Profile::Inline)), ["#/$defs/Tree"]);
    assert_eq!(references(&given::<Tree>(Profile::Inline)), ["#/$defs/Tree"]);
    assert_eq!(references(&taken::<Ping>(Profile::Inline)), ["#/$defs/Ping", "#/$defs/Pong"]);
    let nested = taken::<Vec<Option<Tree>>>(Profile::Inline);
    assert_eq!(references(&nested), ["#/$defs/Tree"]);
    agree::<Tree>(
        &[json!({"v": 1, "kids": [{"v": 2, "kids": []}]})],
        &[json!({"v": 1, "kids": [{"v": 2}]}), json!({"v": 1, "kids": [{"v": 2, "kids": [], "zz": 1}]})],
    )
    .await;
    agree::<Ping>(&[json!({"pong": {"ping": {}}})], &[json!({"pong": {"pong": {}}})]).await;
}

#[tokio::test]
async fn b15_two_types_of_one_name_have_two_names() {
    let schema = taken::<Both>(Profile::Inline);
    assert_eq!(references(&schema), ["#/$defs/Tree", "#/$defs/Tree2"]);
    assert!(schema["$defs"]["Tree"]["properties"].get("kids").is_some());
    assert!(schema["$defs"]["Tree2"]["properties"].get("leaves").is_some());
    assert_eq!(taken::<Both>(Profile::Inline), schema, "the same names every time");
    agree::<Both>(
        &[json!({"first": {"v": 1, "kids": []}, "second": {"leaves": [{"leaves": []}]}})],
        &[json!({"first": {"leaves": []}, "second": {"leaves": []}})],
    )
    .await;
}
