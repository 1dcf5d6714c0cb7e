//! Names: renamed, raw, of other letters, and those that mean something elsewhere.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Case, cases};

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Renamed {
    #[serde(rename = "$ref")]
    reference: u8,
    #[serde(rename = "a b")]
    spaced: Option<bool>,
    #[serde(rename = "")]
    nameless: String,
    #[serde(rename = "x/y~z")]
    slashed: Vec<u8>,
    #[serde(rename = "__proto__")]
    proto: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Raw {
    r#type: u8,
    r#match: Option<String>,
    self_: bool,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Größe {
    größe: u8,
    #[serde(rename = "日本")]
    nihon: Option<u8>,
}

macro_rules! styles {
    ($($name:ident $style:literal)*) => {$(
        #[derive(Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = $style)]
        pub(crate) struct $name {
            first_name: u8,
            x_y: Option<bool>,
        }
    )*};
}
styles! {
    Kebab "kebab-case"
    Camel "camelCase"
    Pascal "PascalCase"
    Screaming "SCREAMING_SNAKE_CASE"
    Cobol "SCREAMING-KEBAB-CASE"
    Lower "lowercase"
}

/// An alias is not in the contract (`forms.md` D).
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Aliased {
    #[serde(alias = "old", alias = "alias")]
    new: u8,
    #[serde(alias = "zz")]
    other: Option<u8>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AliasedVariants {
    #[serde(alias = "old")]
    FirstOne,
    #[serde(rename = "2nd")]
    Second,
    Third(u8),
}

/// One name to send and another to take.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct TwoNames {
    #[serde(rename(serialize = "sent", deserialize = "taken"))]
    a: u8,
}

/// Names of properties that are keywords of JSON Schema.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Keywords {
    properties: Option<u8>,
    required: Vec<String>,
    #[serde(rename = "additionalProperties")]
    additional: bool,
    #[serde(rename = "type")]
    ty: String,
    #[serde(rename = "default")]
    preset: Option<()>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Other/name with spaces")]
pub(crate) struct NamedOtherwise {
    inner: Option<Box<NamedOtherwise>>,
}

pub(crate) fn cases() -> Vec<Case> {
    cases![
        Renamed,
        Raw,
        Größe,
        Kebab,
        Camel,
        Pascal,
        Screaming,
        Cobol,
        Lower,
        Aliased,
        AliasedVariants,
        TwoNames,
        Keywords,
        NamedOtherwise,
        Vec<Renamed>,
        Option<Keywords>,
    ]
}
