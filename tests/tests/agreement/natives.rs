//! Pictures, arrays, bytes and whole values, at any depth.

use std::collections::BTreeMap;

use nodecast::{Bytes, Image, Tensor, Value};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::enums::{Field, Flattened};
use crate::{Case, cases};

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Crop {
    picture: Image,
    mask: Option<Tensor>,
    label: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) enum Payload {
    Picture(Image),
    Array { data: Tensor, names: Vec<String> },
    Raw(Bytes),
    Any(Value),
    Nothing,
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t")]
pub(crate) enum TaggedPayload {
    Picture { picture: Image },
    Array { data: Tensor },
    Raw { bytes: Bytes },
}

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
pub(crate) enum BesidePayload {
    Picture(Image),
    Raw(Bytes),
    Arrays(Vec<Tensor>),
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Frame {
    #[serde(flatten)]
    crop: Crop,
    more: BTreeMap<String, Image>,
    any: Option<Value>,
}

pub(crate) fn cases() -> Vec<Case> {
    cases![
        Bytes,
        Image,
        Tensor,
        Value,
        Option<Bytes>,
        Option<Image>,
        Option<Tensor>,
        Option<Value>,
        Vec<Bytes>,
        Vec<Image>,
        Vec<Tensor>,
        Vec<Value>,
        BTreeMap<String, Image>,
        BTreeMap<String, Bytes>,
        BTreeMap<String, Value>,
        BTreeMap<u8, Tensor>,
        (Image, Bytes),
        [Tensor; 2],
        Crop,
        Option<Crop>,
        Vec<Crop>,
        Payload,
        Vec<Payload>,
        TaggedPayload,
        BesidePayload,
        Frame,
        Field<Image>,
        Field<Payload>,
        Flattened<Crop>,
        Flattened<TaggedPayload>,
    ]
}
