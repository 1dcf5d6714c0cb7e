//! The bounds that hold in both regimes.

use std::sync::atomic::{AtomicU64, Ordering};

use super::WireError;

/// So many nested containers pass; one more is refused (`wire.md` 4).
pub const MAX_DEPTH: usize = 127;

/// Pictures of more pixels are refused before they are decoded, unless the host says otherwise.
pub const MAX_IMAGE_PIXELS: u64 = 64 << 20;

/// An array with an extent of 0 has no bytes whatever its other extents are, but a node that sums it over that dimension
/// allocates their product. So they make at most so many bytes: as many as a body has by default.
pub(crate) const MAX_EMPTY_ARRAY: usize = 64 << 20;

static IMAGE_PIXELS: AtomicU64 = AtomicU64::new(MAX_IMAGE_PIXELS);

/// How many pixels a picture may have that is decoded in this process.
pub fn max_image_pixels() -> u64 {
    IMAGE_PIXELS.load(Ordering::Relaxed)
}

/// Sets how many pixels a picture may have; a host does so once, from its flags.
pub fn set_max_image_pixels(pixels: u64) {
    IMAGE_PIXELS.store(pixels, Ordering::Relaxed);
}

/// What is longer is read, checked and written off the async workers (`wire.md` 9.1). So much of JSON takes less than a
/// millisecond in all, and the way to another thread and back some ten microseconds.
pub(crate) const MAX_LIGHT: usize = 16 << 10;

/// Integers whose magnitude is larger are not carried by JSON, since most readers of JSON round them.
pub const MAX_JSON_INTEGER: u64 = (1 << 53) - 1;

/// How many values one body may still hold, so that its tree stays within a small multiple of its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    const FLOOR: usize = 100_000;

    pub(crate) fn for_body(length: usize) -> Self {
        // One more for the value that holds all others.
        Self { left: (length / 8).max(Self::FLOOR) + 1 }
    }

    pub(crate) fn spend(&mut self) -> Result<(), WireError> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            WireError::new(
                "too_many_elements",
                "the body holds more single values than its size allows; send numbers as one array",
            )
        })?;
        Ok(())
    }
}
