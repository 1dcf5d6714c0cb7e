//! Objects made of parts: flattened fields and enums with data (`faults.md` B03, B05, B06; `mcp.md` 2).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

use nodecast::contract::Profile;

use super::declared::{agree, called, taken};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Page {
    limit: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Query {
    q: String,
    #[serde(flatten)]
    page: Option<Page>,
}

#[tokio::test]
async fn b03_a_wrong_value_in_a_flattened_option_is_told() {
    let error = called::<Query>(json!({"q": "a", "limit": "ten"})).await.unwrap_err();
    assert_eq!(error.findings()[0].pointer, "/x/limit", "{error:?}");
    agree::<Query>(
        &[json!({"q": "a"}), json!({"q": "a", "limit": 3})],
        &[json!({"q": "a", "limit": "ten"}), json!({"q": "a", "limit": null}), json!({"q": "a", "zz": 1}), json!({})],
    )
    .await;
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Closed {
    property: String,
    #[serde(flatten)]
    choice: Choice,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Choice {
    Variant(String),
    Other { n: u8 },
}

#[tokio::test]
async fn b05_a_flattened_enum_in_a_closed_struct_can_be_met() {
    agree::<Closed>(
        &[json!({"property": "p", "Variant": "v"}), json!({"property": "p", "Other": {"n": 1}})],
        &[
            json!({"property": "p"}),
            json!({"property": "p", "Variant": 1}),
            json!({"property": "p", "Variant": "v", "zz": 1}),
        ],
    )
    .await;
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "style", rename_all = "snake_case")]
enum Style {
    Filled { color: String },
    Outline,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Drawn {
    name: String,
    #[serde(flatten)]
    shape: Shape,
    #[serde(flatten)]
    style: Style,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Perhaps {
    name: String,
    #[serde(flatten)]
    shape: Option<Shape>,
}

#[tokio::test]
async fn b06_two_flattened_enums_and_an_optional_one() {
    agree::<Drawn>(
        &[
            json!({"name": "n", "kind": "circle", "radius": 1.0, "style": "outline"}),
            json!({"name": "n", "kind": "square", "side": 2.0, "style": "filled", "color": "red"}),
        ],
        &[
            json!({"name": "n", "kind": "circle", "radius": 1.0}),
            json!({"name": "n", "kind": "circle", "side": 1.0, "style": "outline"}),
            json!({"name": "n", "kind": "circle", "radius": 1.0, "style": "outline", "color": "red"}),
        ],
    )
    .await;
    agree::<Perhaps>(
        &[json!({"name": "n"}), json!({"name": "n", "kind": "circle", "radius": 1.0})],
        &[
            json!({"name": "n", "kind": "circle"}),
            json!({"name": "n", "radius": 1.0}),
            json!({"name": "n", "kind": "round"}),
        ],
    )
    .await;
    // A client that reads no composition still finds the fields of the struct itself.
    assert!(taken::<Drawn>(Profile::Inline).to_string().contains(r#""name""#));
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum External {
    Unit,
    New(u8),
    Pair(u8, u8),
    Named { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(u8),
    Named { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Internal {
    Unit,
    New(Page),
    Named { a: u8 },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(u8),
    Inner(External),
    Named { a: u8 },
}

/// Each form in a list and as an option, in both regimes (`faults.md` B07).
#[tokio::test]
async fn b07_the_forms_of_enums() {
    agree::<Vec<External>>(
        &[json!(["Unit", {"New": 1}, {"Pair": [1, 2]}, {"Named": {"a": 1}}])],
        &[json!([{"Unit": null}]), json!([{"New": 1, "zz": 1}]), json!([{"Named": {"a": 1, "b": 2}}]), json!(["New"])],
    )
    .await;
    agree::<Vec<Adjacent>>(
        &[json!([{"t": "Unit"}, {"t": "New", "c": 1}, {"t": "Named", "c": {"a": 1}}])],
        &[
            json!([["New", 1]]),
            json!([{"t": "New"}]),
            json!([{"t": "New", "c": 1, "d": 2}]),
            json!([{"t": "Unit", "c": null}]),
        ],
    )
    .await;
    agree::<Vec<Internal>>(
        &[json!([{"t": "Unit"}, {"t": "New", "limit": 1}, {"t": "Named", "a": 1}])],
        &[json!([["Unit"]]), json!([{"t": "New", "limit": 1, "zz": 1}]), json!([{"t": "New"}]), json!([{"limit": 1}])],
    )
    .await;
    agree::<Vec<Untagged>>(
        &[json!([5, "Unit", {"New": 1}, {"a": 1}])],
        &[json!([256]), json!(["Other"]), json!([{"a": 1, "b": 1}]), json!([null])],
    )
    .await;
    agree::<Option<External>>(&[json!("Unit"), json!({"New": 1})], &[json!("Other"), json!(5)]).await;
    agree::<Option<Internal>>(&[json!({"t": "Unit"})], &[json!({"t": "Other"})]).await;
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename = "spot")]
struct Spot {
    x: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Around {
    of: String,
    #[serde(flatten)]
    spot: Spot,
}

/// serde sends the tag of a struct, and schemars does not know that it has one.
#[tokio::test]
async fn a_struct_with_a_tag_is_sent_with_it() {
    assert_eq!(called::<Spot>(json!({"x": 1})).await.unwrap(), json!({"kind": "spot", "x": 1}));
    assert_eq!(called::<Vec<Spot>>(json!([{"x": 1}])).await.unwrap(), json!([{"kind": "spot", "x": 1}]));
    let asked = called::<Spot>(json!({"kind": "spot", "x": 1})).await.unwrap_err();
    assert_eq!(asked.findings()[0].kind, "unknown_field", "{asked}");
    // Nothing in the schema tells whose tag this could be; the sentence names place and way out.
    let error = called::<Around>(json!({"of": "a", "x": 1})).await.unwrap_err();
    assert_eq!((error.stage().as_str(), error.kind()), ("adapter_execution", "bad_output"));
    for part in ["`/outputs/y/kind` is not known", "known are `of`, `x`", "make the struct an enum of one variant"] {
        assert!(error.message().contains(part), "{part}: {error}");
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
enum Item {
    Map(BTreeMap<String, u8>),
    Unit,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Held<I> {
    note: Option<String>,
    #[serde(flatten)]
    item: I,
}

/// A map that is one form of an enum is not about the fields of the struct that it is flattened into.
#[tokio::test]
async fn a_flattened_map_leaves_the_fields_beside_it_alone() {
    let sent = json!({"note": "a", "t": "Map", "x": 1});
    assert_eq!(called::<Held<Item>>(sent.clone()).await.unwrap(), sent);
    assert_eq!(called::<Held<Option<Item>>>(sent.clone()).await.unwrap(), sent);
    let without = json!({"t": "Map", "x": 1});
    let back = json!({"note": null, "t": "Map", "x": 1});
    assert_eq!(called::<Held<Option<Item>>>(without).await.unwrap(), back);
    let wrong = [json!({"note": 1, "t": "Map"}), json!({"t": "Map", "x": "a"}), json!({"t": "Unit", "x": 1})];
    agree::<Held<Item>>(std::slice::from_ref(&sent), &wrong).await;
    agree::<Held<Option<Item>>>(&[sent], &wrong).await;
}
