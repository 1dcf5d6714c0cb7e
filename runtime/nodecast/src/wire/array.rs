//! Arrays of `ndarray`, of which the type says the element type and, where it is fixed, the number of dimensions.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use ndarray::{Dimension, IxDyn};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use super::carry::array_schema;
use super::de::refuse;
use super::{Element, Tensor, WireError};

/// An array of `ndarray` as a port or anywhere in a type.
///
/// Others are refused: nothing is cast, and an `Ix2` takes two dimensions alone. What the wire carries lies packed, so
/// its elements are copied once on the way in and once on the way out; a [`Tensor`] travels uncopied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Array<T, D: Dimension>(pub ndarray::Array<T, D>);

impl<T: Element, D: Dimension> TryFrom<&Tensor> for Array<T, D> {
    type Error = WireError;

    /// Fails where the element type or the number of dimensions is another.
    fn try_from(array: &Tensor) -> Result<Self, WireError> {
        array.require(T::DTYPE, D::NDIM)?;
        ndarray::Array::from_shape_vec(IxDyn(array.shape()), array.to_elements()?)
            .and_then(ndarray::Array::into_dimensionality)
            .map(Self)
            .map_err(|_| WireError::bad_array(format!("no array in memory has the shape {:?}", array.shape())))
    }
}

impl<T: Element, D: Dimension> TryFrom<&Array<T, D>> for Tensor {
    type Error = WireError;

    /// Fails for more than 32 dimensions alone; a view is taken as the array that it shows.
    fn try_from(array: &Array<T, D>) -> Result<Self, WireError> {
        let packed = array.0.as_standard_layout();
        Self::from_elements(array.0.shape(), packed.as_slice().unwrap_or_default())
    }
}

impl<T, D: Dimension> Deref for Array<T, D> {
    type Target = ndarray::Array<T, D>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T, D: Dimension> DerefMut for Array<T, D> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<T, D: Dimension> From<ndarray::Array<T, D>> for Array<T, D> {
    fn from(array: ndarray::Array<T, D>) -> Self {
        Self(array)
    }
}

impl<T: Element, D: Dimension> Serialize for Array<T, D> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Tensor::try_from(self).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de, T: Element, D: Dimension> Deserialize<'de> for Array<T, D> {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        Self::try_from(&Tensor::deserialize(deserializer)?).map_err(refuse)
    }
}

impl<T: Element, D: Dimension> JsonSchema for Array<T, D> {
    fn schema_name() -> Cow<'static, str> {
        let rank = D::NDIM.map_or_else(|| "any".to_owned(), |rank| rank.to_string());
        format!("Array_of_{}_{rank}", T::DTYPE).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        array_schema(&[T::DTYPE], D::NDIM, "ANY")
    }
}
