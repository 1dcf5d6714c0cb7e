//! The wire types that are plain records of numbers and text: what robots and their trainers exchange.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::X_WIRE;

/// One of the actions that an agent can choose between: its number, or its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[schemars(inline, transform = discrete_action)]
pub enum DiscreteAction {
    /// By its number.
    Index(i64),
    /// By its name.
    Name(String),
}

/// Where something is and how it is turned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline, transform = pose)]
pub struct Pose {
    /// x, y, z in metres.
    pub position: [f64; 3],
    /// Quaternion x, y, z, w.
    pub orientation: [f64; 4],
}

/// What a robot's arm is to do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline, transform = control)]
pub struct Control {
    /// x, y, z of the hand.
    pub pos: [f64; 3],
    /// Rotation of the hand about x, y, z.
    pub rot: [f64; 3],
    /// How far the gripper is open.
    pub gripper: f64,
    /// One position a joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint_position: Option<Vec<f64>>,
}

/// Numbers by name, sorted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline, transform = metrics)]
pub struct Metrics(pub BTreeMap<String, f64>);

impl Default for Pose {
    /// At the origin, not turned.
    fn default() -> Self {
        Self { position: [0.0; 3], orientation: [0.0, 0.0, 0.0, 1.0] }
    }
}

macro_rules! from {
    ($($variant:ident: $($ty:ty)*;)*) => {$($(
        impl From<$ty> for DiscreteAction {
            fn from(value: $ty) -> Self {
                Self::$variant(value.into())
            }
        }
    )*)*};
}
from! {
    Index: i64 i32 u32;
    Name: String &str;
}

impl Deref for Metrics {
    type Target = BTreeMap<String, f64>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Metrics {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<K: Into<String>, V: Into<f64>> FromIterator<(K, V)> for Metrics {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(metrics: I) -> Self {
        Self(metrics.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

fn discrete_action(schema: &mut Schema) {
    mark(schema, "DISCRETE_ACTION");
}

fn pose(schema: &mut Schema) {
    mark(schema, "POSE");
}

fn control(schema: &mut Schema) {
    mark(schema, "CONTROL");
}

fn metrics(schema: &mut Schema) {
    mark(schema, "METRICS");
}

/// What the doc comments of a type and its variants say is for Rust; a port says its own.
fn mark(schema: &mut Schema, wire_type: &str) {
    schema.remove("description");
    for branch in schema.get_mut("anyOf").and_then(Json::as_array_mut).into_iter().flatten() {
        if let Some(branch) = branch.as_object_mut() {
            branch.shift_remove("description");
        }
    }
    schema.insert(X_WIRE.to_owned(), wire_type.into());
}
