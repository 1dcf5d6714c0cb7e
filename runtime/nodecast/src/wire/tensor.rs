//! Arrays whose element type is known at run time.

use std::fmt;
use std::sync::Arc;

use super::dtype::Named;
use super::limits::MAX_EMPTY_ARRAY;
use super::{Bytes, DType, Integer, Value, WireError};

/// Arrays of more dimensions are refused.
pub(crate) const MAX_DIMENSIONS: usize = 32;

/// An array: element type, shape, and the elements in C order, little-endian. Cheap to clone.
#[derive(Clone, PartialEq)]
pub struct Tensor(Arc<Inner>);

#[derive(PartialEq)]
struct Inner {
    dtype: DType,
    shape: Vec<usize>,
    data: Bytes,
}

impl Tensor {
    /// An array of these bytes, which must be as many as element type and shape say.
    pub fn new(dtype: DType, shape: impl Into<Vec<usize>>, data: impl Into<Bytes>) -> Result<Self, WireError> {
        let (shape, data) = (shape.into(), data.into());
        check(dtype, &shape, data.len())?;
        if dtype == DType::Bool && data.iter().any(|byte| *byte > 1) {
            return Err(WireError::bad_array("an array of dtype `bool` holds a byte other than 0 and 1"));
        }
        Ok(Self(Arc::new(Inner { dtype, shape, data })))
    }

    /// An array of Rust numbers.
    pub fn from_elements<T: Element>(shape: impl Into<Vec<usize>>, elements: &[T]) -> Result<Self, WireError> {
        let mut data = Vec::with_capacity(elements.len() * T::DTYPE.size());
        for element in elements {
            element.write(&mut data);
        }
        Self::new(T::DTYPE, shape, data)
    }

    /// The elements as Rust numbers; nothing is cast, so `T` must be the element type.
    pub fn to_elements<T: Element>(&self) -> Result<Vec<T>, WireError> {
        self.require(T::DTYPE, None)?;
        Ok(self.0.data.chunks_exact(T::DTYPE.size()).map(T::read).collect())
    }

    /// Refuses an array of another element type or, where a number of dimensions is said, of another one.
    pub(crate) fn require(&self, dtype: DType, rank: Option<usize>) -> Result<(), WireError> {
        let (found, shape) = (self.0.dtype, &self.0.shape);
        if found == dtype && rank.is_none_or(|rank| rank == shape.len()) {
            return Ok(());
        }
        let wanted = rank.map_or_else(String::new, |rank| format!(" with {rank} dimensions"));
        let text = format!("expected an array of dtype `{dtype}`{wanted}, got `{found}` with shape {shape:?}");
        Err(WireError::bad_array(text))
    }

    /// The element type.
    pub fn dtype(&self) -> DType {
        self.0.dtype
    }

    /// The extent of each dimension; empty for a single number.
    pub fn shape(&self) -> &[usize] {
        &self.0.shape
    }

    /// The elements in C order, little-endian.
    pub fn data(&self) -> &Bytes {
        &self.0.data
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.0.data.len() / self.0.dtype.size()
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.0.data.is_empty()
    }

    /// Whether both are one array in memory.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Reads what the wire says an array is: every check comes before `data` makes the `length` bytes its own.
    pub(crate) fn read(
        dtype: &str,
        shape: &[Value],
        length: usize,
        data: impl FnOnce() -> Bytes,
    ) -> Result<Self, WireError> {
        let named = Named::parse(dtype)?;
        check_dimensions(shape.len())?;
        let shape = shape.iter().map(extent).collect::<Result<Vec<_>, _>>()?;
        check(named.dtype, &shape, length)?;
        let mut data = data();
        if named.swapped() {
            let mut bytes = data.into_vec();
            named.swap(&mut bytes);
            data = bytes.into();
        }
        Self::new(named.dtype, shape, data)
    }
}

/// An extent as it stands in a body.
fn extent(value: &Value) -> Result<usize, WireError> {
    let whole = match value {
        Value::Float(number) => Integer::from_integral(*number),
        value => value.as_int(),
    };
    whole.and_then(Integer::as_u64).and_then(|extent| usize::try_from(extent).ok()).ok_or_else(|| {
        let text = format!("every extent of an array must be an integer of at least 0, got {value}");
        WireError::bad_array(text).under("shape")
    })
}

fn check_dimensions(count: usize) -> Result<(), WireError> {
    if count > MAX_DIMENSIONS {
        return Err(WireError::bad_array(format!("an array has at most {MAX_DIMENSIONS} dimensions, got {count}")));
    }
    Ok(())
}

/// Dimensions, then the product without overflow, then the length.
fn check(dtype: DType, shape: &[usize], length: usize) -> Result<(), WireError> {
    check_dimensions(shape.len())?;
    let extents = shape.iter().filter(|extent| **extent > 0);
    let product = extents.copied().try_fold(dtype.size(), usize::checked_mul);
    let is_empty = shape.contains(&0);
    if is_empty && product.is_none_or(|bytes| bytes > MAX_EMPTY_ARRAY) {
        return Err(WireError::bad_array(format!(
            "an array of dtype `{dtype}` and shape {shape:?} is empty, and its extents other than 0 make more than the \
             {MAX_EMPTY_ARRAY} bytes that they may"
        )));
    }
    let wanted = if is_empty { Some(0) } else { product };
    if wanted == Some(length) {
        return Ok(());
    }
    let wanted = wanted.map_or_else(|| "more bytes than fit in memory".to_owned(), |bytes| format!("{bytes} bytes"));
    Err(WireError::bad_array(format!("an array of dtype `{dtype}` and shape {shape:?} has {wanted}, got {length}")))
}

impl fmt::Debug for Tensor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tensor({} {:?})", self.0.dtype, self.0.shape)
    }
}

/// A Rust number that arrays are made of.
pub trait Element: Copy + Send + Sync + sealed::Sealed + 'static {
    /// The element type on the wire.
    const DTYPE: DType;

    #[doc(hidden)]
    fn write(self, out: &mut Vec<u8>);

    #[doc(hidden)]
    fn read(bytes: &[u8]) -> Self;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($ty:ident $dtype:ident)*) => {$(
        impl sealed::Sealed for $ty {}
        impl Element for $ty {
            const DTYPE: DType = DType::$dtype;

            fn write(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            fn read(bytes: &[u8]) -> Self {
                bytes.first_chunk().map_or_else(Self::default, |bytes| Self::from_le_bytes(*bytes))
            }
        }
    )*};
}
elements! { i8 Int8 i16 Int16 i32 Int32 i64 Int64 u8 UInt8 u16 UInt16 u32 UInt32 u64 UInt64 f32 Float32 f64 Float64 }

impl sealed::Sealed for bool {}
impl Element for bool {
    const DTYPE: DType = DType::Bool;

    fn write(self, out: &mut Vec<u8>) {
        out.push(u8::from(self));
    }

    fn read(bytes: &[u8]) -> Self {
        bytes.first() == Some(&1)
    }
}

impl sealed::Sealed for half::f16 {}
impl Element for half::f16 {
    const DTYPE: DType = DType::Float16;

    fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        bytes.first_chunk().map_or(Self::ZERO, |bytes| Self::from_le_bytes(*bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::{DType, Tensor};

    #[test]
    fn size_and_shape_must_agree() {
        assert!(Tensor::new(DType::Float32, [2, 2], vec![0; 16]).is_ok());
        assert!(Tensor::new(DType::Float64, [], vec![0; 8]).is_ok());
        assert!(Tensor::new(DType::Float32, [0, 4], vec![]).is_ok());
        for (shape, length) in [(vec![2, 2], 15), (vec![1 << 32, 1 << 32], 0), (vec![1; 33], 4), (vec![], 0)] {
            assert_eq!(Tensor::new(DType::Float32, shape, vec![0; length]).unwrap_err().kind, "bad_array");
        }
        assert_eq!(Tensor::new(DType::Bool, [1], vec![2]).unwrap_err().kind, "bad_array");
    }

    #[test]
    fn extents_beside_a_zero_are_bounded() {
        for shape in [vec![0], vec![0, 4], vec![3, 0, 5], vec![0, 0], vec![0, 8 << 20]] {
            assert!(Tensor::new(DType::Float64, shape.clone(), vec![]).is_ok(), "{shape:?}");
        }
        for shape in [vec![0, (8 << 20) + 1], vec![1 << 40, 0], vec![0, 1 << 32, 1 << 32]] {
            let refused = Tensor::new(DType::Float64, shape.clone(), vec![]).unwrap_err();
            assert_eq!(refused.kind, "bad_array", "{shape:?}");
            assert!(refused.detail.contains("67108864 bytes"), "{refused}");
        }
    }

    #[test]
    fn elements_are_never_cast() {
        let array = Tensor::from_elements([2], &[1.5_f32, -2.0]).unwrap();
        assert_eq!(array.to_elements::<f32>().unwrap(), [1.5, -2.0]);
        assert_eq!(array.to_elements::<f64>().unwrap_err().kind, "bad_array");
    }
}
