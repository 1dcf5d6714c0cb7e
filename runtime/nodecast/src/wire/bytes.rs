//! Shared bytes.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// Bytes that are shared, never copied, when they are cloned.
///
/// A base64 string in JSON and a `bin` in msgpack.
// One word wide, so that a `Value` stays four words; most values are numbers and short texts.
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(Arc<bytes::Bytes>);

impl Bytes {
    /// The bytes as the `bytes` crate has them, sharing the memory.
    pub fn to_shared(&self) -> bytes::Bytes {
        bytes::Bytes::clone(&self.0)
    }

    /// The bytes, without a copy where nobody else holds them.
    pub fn into_vec(self) -> Vec<u8> {
        match Arc::try_unwrap(self.0) {
            Ok(bytes) => bytes.into(),
            Err(shared) => shared.to_vec(),
        }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl From<bytes::Bytes> for Bytes {
    fn from(bytes: bytes::Bytes) -> Self {
        Self(Arc::new(bytes))
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(bytes::Bytes::from(bytes))
    }
}

impl From<&[u8]> for Bytes {
    fn from(bytes: &[u8]) -> Self {
        Self::from(bytes::Bytes::copy_from_slice(bytes))
    }
}

impl<const N: usize> From<[u8; N]> for Bytes {
    fn from(bytes: [u8; N]) -> Self {
        Self::from(bytes.as_slice())
    }
}

impl FromIterator<u8> for Bytes {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        Self::from(bytes.into_iter().collect::<Vec<_>>())
    }
}

impl fmt::Debug for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Bytes({} bytes)", self.len())
    }
}
