//! Depth pictures.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::carry::array_schema;
use super::de::refuse;
use super::{DType, Tensor, Value, WireError};

/// A depth picture: the distance of each pixel in metres, 0.0 where it is not known. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Depth(Tensor);

impl Depth {
    /// A picture of these distances, row by row.
    pub fn new(width: u32, height: u32, metres: &[f32]) -> Result<Self, WireError> {
        Tensor::from_elements([height as usize, width as usize], metres).map(Self)
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.0.shape().get(1).copied().unwrap_or_default()
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.0.shape().first().copied().unwrap_or_default()
    }

    /// The distances, row by row.
    pub fn to_metres(&self) -> Result<Vec<f32>, WireError> {
        self.0.to_elements()
    }

    /// The picture as an array of float32 with shape H×W.
    pub fn as_array(&self) -> &Tensor {
        &self.0
    }
}

impl TryFrom<Tensor> for Depth {
    type Error = WireError;

    /// Fails for every array but one of float32 with two dimensions.
    fn try_from(array: Tensor) -> Result<Self, WireError> {
        array.require(DType::Float32, Some(2))?;
        Ok(Self(array))
    }
}

impl From<Depth> for Tensor {
    fn from(depth: Depth) -> Self {
        depth.0
    }
}

impl From<Depth> for Value {
    fn from(depth: Depth) -> Self {
        depth.0.into()
    }
}

impl Serialize for Depth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Depth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::try_from(Tensor::deserialize(deserializer)?).map_err(refuse)
    }
}

impl JsonSchema for Depth {
    fn schema_name() -> Cow<'static, str> {
        "Depth".into()
    }

    fn schema_id() -> Cow<'static, str> {
        "nodecast::Depth".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        array_schema(&[DType::Float32], Some(2), "DEPTH")
    }
}
