//! Bounds, lengths, patterns and formats that schemars takes from attributes. serde does not check them; the schema
//! does, before it decodes.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Case, cases};

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Ranges {
    #[schemars(range(min = 1, max = 6))]
    die: u8,
    #[schemars(range(min = -1.0, max = 1.0))]
    share: f64,
    #[schemars(range(min = -273))]
    celsius: Option<i32>,
    #[schemars(range(max = 0.5))]
    half: f32,
    #[schemars(range(min = 0, max = 9_007_199_254_740_991_u64))]
    wide: u64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Exclusive {
    #[schemars(extend("exclusiveMinimum" = 0))]
    above: f64,
    #[schemars(extend("exclusiveMaximum" = 10))]
    below: i8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Lengths {
    #[schemars(length(min = 1, max = 3))]
    short: String,
    #[schemars(length(equal = 2))]
    two: Vec<u8>,
    #[schemars(length(min = 1))]
    some: Option<Vec<String>>,
    #[schemars(inner(length(max = 2)))]
    each: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Patterns {
    #[schemars(regex(pattern = r"^[a-z][a-z0-9_]*$"))]
    name: String,
    #[schemars(regex(pattern = r"^\d{3}-\d{4}$"))]
    phone: Option<String>,
    #[schemars(regex(pattern = r"^(red|green|blue)$"))]
    colour: String,
    #[schemars(contains(pattern = "x"))]
    holds_x: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Formats {
    #[schemars(email)]
    mail: String,
    #[schemars(url)]
    link: Option<String>,
    #[schemars(extend("format" = "uuid"))]
    id: String,
    #[schemars(extend("format" = "date"))]
    day: Option<String>,
    #[schemars(extend("format" = "hostname"))]
    host: Option<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Steps {
    #[schemars(extend("multipleOf" = 5))]
    fives: u16,
    #[schemars(extend("multipleOf" = 0.25))]
    quarters: f64,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(extend("minProperties" = 1))]
#[serde(transparent)]
pub(crate) struct NotEmpty(BTreeMap<String, u8>);

/// The numbers of a tuple struct, each with bounds.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Bounded(#[schemars(range(min = 3))] u8, #[schemars(length(max = 1))] String);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Positive(#[schemars(range(min = 1))] i64);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind")]
pub(crate) enum Shape {
    Circle {
        #[schemars(range(min = 0.0))]
        radius: f64,
    },
    Polygon {
        #[schemars(length(min = 3))]
        corners: Vec<(f32, f32)>,
    },
}

pub(crate) fn cases() -> Vec<Case> {
    cases![
        Ranges,
        Exclusive,
        Lengths,
        Patterns,
        Formats,
        Steps,
        NotEmpty,
        Bounded,
        Positive,
        Shape,
        Vec<Positive>,
        Option<Patterns>,
        Vec<Shape>,
    ]
}
