//! That the kit sees a disagreement where one is planted: schemas that say more or less than their decoders take.

use nodecast::testing::Agreement;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// Says that it takes any text, and takes those that begin with `a`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct TooWide(String);

impl TryFrom<String> for TooWide {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text.starts_with('a') { Ok(Self(text)) } else { Err("must begin with a") }
    }
}

impl From<TooWide> for String {
    fn from(TooWide(text): TooWide) -> Self {
        text
    }
}

impl JsonSchema for TooWide {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "TooWide".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string"})
    }
}

/// Says that it sends a number, and sends text.
#[derive(Deserialize, JsonSchema)]
#[serde(transparent)]
struct SendsText(u8);

impl Serialize for SendsText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_string())
    }
}

/// Says that it has two items, and has one; hidden three levels deep.
#[derive(Serialize, Deserialize)]
struct Pair([u8; 1]);

impl JsonSchema for Pair {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Pair".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <[u8; 2]>::json_schema(generator)
    }
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Outer {
    inner: Vec<Option<Pair>>,
}

#[test]
fn a_schema_that_says_too_much_is_reported() {
    let report = Agreement::default().of::<TooWide>().unwrap();
    let found = report.disagreements.first().unwrap();
    assert_eq!((found.node.as_str(), found.published.as_str()), ("agreement__echo", "accepts it"));
    assert!(found.ours.contains("must begin with a"), "{found}");
    let again = Agreement::default().of::<TooWide>().unwrap();
    assert_eq!(again.disagreements, report.disagreements, "the same seed gives the same values");
}

#[test]
fn an_encoder_that_breaks_its_schema_is_reported() {
    let report = Agreement::default().of::<SendsText>().unwrap();
    let found = report.disagreements.first().unwrap();
    assert!(found.ours.contains("the node broke its own declaration"), "{found}");
}

#[test]
fn a_disagreement_is_found_at_depth() {
    let report = Agreement::default().of::<Outer>().unwrap();
    assert!(!report.disagreements.is_empty(), "{report}");
    let shown = report.to_string();
    for part in ["agreement__echo", "seed 1", "arguments: ", "published schema: accepts it", "refuses it: "] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
}
