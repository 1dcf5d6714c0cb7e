//! Names and descriptions that tools get wrong (`faults.md` B18, B22).

#![allow(
    clippy::doc_link_with_quotes,
    clippy::doc_markdown,
    clippy::tabs_in_doc_comments,
    reason = "the odd texts are what is tested"
)]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use nodecast::contract::Profile;

use super::declared::{agree, called, given, taken};

#[derive(Serialize, Deserialize, JsonSchema)]
struct Odd {
    r#type: String,
    r#match: u8,
    r#async: bool,
    self_: u8,
    größe: u8,
    #[serde(rename = "$ref")]
    reference: String,
    #[serde(rename = "a b")]
    spaced: u8,
    #[serde(rename = "")]
    empty: u8,
    #[serde(rename = "__proto__")]
    proto: u8,
    constructor: u8,
    #[serde(rename = "a/b~c")]
    pointer: Option<u8>,
    /// One of the two forms of an accented letter; the other is another name.
    #[serde(rename = "\u{e9}")]
    composed: u8,
    #[serde(rename = "e\u{301}")]
    decomposed: u8,
    default: Option<Kebab>,
    properties: Option<Vec<Option<u8>>>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct Kebab {
    long_name: u8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[allow(non_camel_case_types, reason = "a raw name is what it is about")]
struct r#struct {
    v: Vec<r#struct>,
}

/// A name that no `$ref` can hold as it is.
#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Baum ä/~1%")]
struct Baum {
    kinder: Vec<Baum>,
}

#[tokio::test]
async fn b18_field_names() {
    let value = json!({
        "type": "t", "match": 1, "async": true, "self_": 2, "größe": 3, "$ref": "#/$defs/Odd", "a b": 4, "": 5,
        "__proto__": 6, "constructor": 7, "a/b~c": 8, "\u{e9}": 9, "e\u{301}": 10, "default": {"long-name": 11},
        "properties": [1, null],
    });
    let names: Vec<&String> = value.as_object().unwrap().keys().collect();
    for profile in [Profile::Full, Profile::Inline] {
        let schema = taken::<Odd>(profile);
        let object = if profile == Profile::Full { &schema["$defs"]["Odd"] } else { &schema };
        assert_eq!(object["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), names);
        let given = given::<Odd>(profile);
        let object = if profile == Profile::Full { &given["$defs"]["Odd"] } else { &given };
        assert_eq!(object["properties"].as_object().unwrap().keys().collect::<Vec<_>>(), names);
    }
    // A property called `properties` is no keyword: the nulls in its list stay.
    assert!(taken::<Odd>(Profile::Inline)["properties"]["properties"]["items"].to_string().contains("null"));
    assert_eq!(called::<Odd>(value.clone()).await.unwrap(), value);
    let mut wrong = value.clone();
    wrong["a/b~c"] = json!("8");
    assert_eq!(called::<Odd>(wrong.clone()).await.unwrap_err().findings()[0].pointer, "/x/a~1b~0c");
    agree::<Odd>(&[value], &[wrong]).await;
}

#[tokio::test]
async fn b18_names_of_types() {
    assert_eq!(taken::<r#struct>(Profile::Inline)["$ref"], "#/$defs/struct");
    let schema = taken::<Baum>(Profile::Inline);
    assert_eq!(schema["$ref"], "#/$defs/Baum____1_", "{schema}");
    agree::<Baum>(&[json!({"kinder": [{"kinder": []}]})], &[json!({"kinder": [{}]})]).await;
    agree::<r#struct>(&[json!({"v": []})], &[json!({"v": [1]})]).await;
}

/// Says "quoted" and `\back\` slashed, with a	tab.
///
/// ```text
/// code { fence }
/// ```
/// */ 😀 \u{202E} and a line that is indented:
///     four
#[derive(Serialize, Deserialize, JsonSchema)]
struct Described {
    #[schemars(description = "\u{202e}\u{e0041}hidden")]
    hidden: u8,
    #[doc = include_str!("../../Cargo.toml")]
    file: u8,
    #[doc = concat!("joined ", "from parts")]
    parts: BTreeMap<String, u8>,
}

#[test]
fn b22_descriptions_are_verbatim() {
    let schema = taken::<Described>(Profile::Inline);
    let text = |at: &Json| at["description"].as_str().unwrap().to_owned();
    let own = text(&schema);
    assert!(
        own.starts_with("Says \"quoted\" and `\\back\\` slashed, with a\ttab.\n\n```text\ncode { fence }\n```"),
        "{own}"
    );
    assert!(own.contains("*/ 😀 \\u{202E} and a line that is indented:\n    four"), "{own}");
    assert_eq!(text(&schema["properties"]["hidden"]), "\u{202e}\u{e0041}hidden");
    assert_eq!(text(&schema["properties"]["file"]), include_str!("../../Cargo.toml").trim());
    assert_eq!(text(&schema["properties"]["parts"]), "joined from parts");
    // And it survives being written and read.
    assert_eq!(serde_json::from_str::<Json>(&schema.to_string()).unwrap(), schema);
}
