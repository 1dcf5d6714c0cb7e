//! Pictures.

use std::fmt;
use std::sync::{Arc, OnceLock};

use super::{Bytes, DType, Tensor, WireError, base64, limits, picture, scale};

/// A picture of 8-bit pixels: grey, RGB or RGBA. Cheap to clone.
///
/// What a caller sends arrives as RGB, whatever it was. What a node makes keeps its channels on the way out.
#[derive(Clone)]
pub struct Image(Arc<Inner>);

struct Inner {
    width: u32,
    height: u32,
    channels: u8,
    pixels: Bytes,
    /// Filled by what came as PNG, else by the first that asks.
    png: OnceLock<Bytes>,
}

impl Image {
    /// A grey picture, one byte a pixel, row by row.
    pub fn gray8(width: u32, height: u32, pixels: impl Into<Bytes>) -> Result<Self, WireError> {
        Self::new(width, height, 1, pixels.into())
    }

    /// A picture of red, green and blue, three bytes a pixel, row by row.
    pub fn rgb8(width: u32, height: u32, pixels: impl Into<Bytes>) -> Result<Self, WireError> {
        Self::new(width, height, 3, pixels.into())
    }

    /// A picture of red, green, blue and alpha, four bytes a pixel, row by row.
    pub fn rgba8(width: u32, height: u32, pixels: impl Into<Bytes>) -> Result<Self, WireError> {
        Self::new(width, height, 4, pixels.into())
    }

    /// A picture of floats from 0.0 to 1.0, one, three or four a pixel; what lies outside saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, and takes NaN as 0")]
    pub fn from_unit_f32(width: u32, height: u32, samples: &[f32]) -> Result<Self, WireError> {
        let pixels: Vec<u8> = samples.iter().map(|sample| (sample * 255.0).round() as u8).collect();
        Self::new(width, height, channels_of(width, height, pixels.len()), pixels.into())
    }

    /// A picture of floats from 0.0 to 255.0, one, three or four a pixel; what lies outside saturates.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates, and takes NaN as 0")]
    pub fn from_f32(width: u32, height: u32, samples: &[f32]) -> Result<Self, WireError> {
        let pixels: Vec<u8> = samples.iter().map(|sample| sample.round() as u8).collect();
        Self::new(width, height, channels_of(width, height, pixels.len()), pixels.into())
    }

    /// A picture of 16-bit samples, one, three or four a pixel, of which the high byte is kept.
    pub fn from_u16(width: u32, height: u32, samples: &[u16]) -> Result<Self, WireError> {
        let pixels: Vec<u8> = samples.iter().map(|sample| sample.to_be_bytes()[0]).collect();
        Self::new(width, height, channels_of(width, height, pixels.len()), pixels.into())
    }

    fn new(width: u32, height: u32, channels: u8, pixels: Bytes) -> Result<Self, WireError> {
        let wanted = (width as usize)
            .checked_mul(height as usize)
            .and_then(|count| count.checked_mul(usize::from(channels)))
            .filter(|bytes| *bytes > 0);
        if wanted != Some(pixels.len()) {
            let text = format!("{} bytes are no {width}×{height} picture of {channels} channels", pixels.len());
            return Err(WireError::bad_image(text));
        }
        Ok(Self(Arc::new(Inner { width, height, channels, pixels, png: OnceLock::new() })))
    }

    /// Reads a PNG or JPEG file as RGB: grey expands, alpha is dropped, of 16 bits the high byte stays.
    pub fn decode(encoded: &[u8]) -> Result<Self, WireError> {
        let decoded = picture::decode(encoded, limits::max_image_pixels())?;
        let image = Self::new(decoded.width, decoded.height, 3, decoded.pixels.into())?;
        if decoded.faithful_png {
            // Passed on as it came, since encoding costs far more than keeping it.
            let _ = image.0.png.set(encoded.into());
        }
        Ok(image)
    }

    /// Reads the base64 of a PNG or JPEG file: standard alphabet, padded, one line.
    pub fn from_base64(text: &str) -> Result<Self, WireError> {
        if text.starts_with("data:") {
            let text = "a data URI is not read as a picture; send only the base64 after its comma";
            return Err(WireError::bad_image(text));
        }
        let encoded = base64::decode(text).map_err(|why| WireError::bad_image(format!("the picture is {why}")))?;
        Self::decode(&encoded)
    }

    /// Reads an array of uint8 with shape H×W, H×W×3 or H×W×4 as RGB.
    pub fn from_array(array: &Tensor) -> Result<Self, WireError> {
        let (dtype, shape) = (array.dtype(), array.shape());
        let (height, width, channels) = match (dtype, shape) {
            (DType::UInt8, [height, width]) => (*height, *width, 1),
            (DType::UInt8, [height, width, channels @ (3 | 4)]) => (*height, *width, *channels),
            _ => {
                return Err(WireError::bad_image(format!(
                    "a picture is an array of uint8 with shape H×W, H×W×3 or H×W×4, got {dtype} with {shape:?}"
                )));
            }
        };
        let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
            return Err(WireError::bad_image(format!("a picture of shape {shape:?} is too large")));
        };
        let pixels = match channels {
            3 => array.data().clone(),
            _ => picture::to_rgb(array.data().to_vec(), channels).into(),
        };
        Self::new(width, height, 3, pixels)
    }

    /// The picture as an array of uint8: H×W for grey, else H×W×3 or H×W×4.
    pub fn to_array(&self) -> Result<Tensor, WireError> {
        Tensor::new(DType::UInt8, self.shape(), self.0.pixels.clone())
    }

    pub(crate) fn shape(&self) -> Vec<usize> {
        let (height, width) = (self.0.height as usize, self.0.width as usize);
        match self.0.channels {
            1 => vec![height, width],
            channels => vec![height, width, usize::from(channels)],
        }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.0.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        self.0.height
    }

    /// Bytes a pixel: 1 is grey, 3 is RGB, 4 is RGBA.
    pub fn channels(&self) -> u8 {
        self.0.channels
    }

    /// The bytes of the pixels, row by row.
    pub fn pixels(&self) -> &Bytes {
        &self.0.pixels
    }

    /// The picture as a PNG file; encoded once, or passed on as it came.
    pub fn to_png(&self) -> Result<Bytes, WireError> {
        if let Some(png) = self.0.png.get() {
            return Ok(png.clone());
        }
        let Inner { width, height, channels, pixels, .. } = &*self.0;
        let png = picture::encode_png(*width, *height, *channels, pixels)?;
        Ok(self.0.png.get_or_init(|| png.into()).clone())
    }

    /// The picture at a size that is nowhere larger, each pixel the mean of those that it stands for.
    pub fn shrink(&self, width: u32, height: u32) -> Result<Self, WireError> {
        let Inner { channels, pixels, .. } = &*self.0;
        let own = (self.0.width, self.0.height);
        if width == 0 || height == 0 || width > own.0 || height > own.1 {
            let text = format!("a picture of {}×{} does not shrink to {width}×{height}", own.0, own.1);
            return Err(WireError::bad_image(text));
        }
        if (width, height) == own {
            return Ok(self.clone());
        }
        let shrunk = scale::shrink(pixels, usize::from(*channels), own, (width, height));
        Self::new(width, height, *channels, shrunk.into())
    }

    /// Whether both are one picture in memory.
    pub fn ptr_eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// Bytes a pixel; 3 where they do not come out even, which the constructor then refuses.
fn channels_of(width: u32, height: u32, samples: usize) -> u8 {
    let pixels = u64::from(width) * u64::from(height);
    [1, 4].into_iter().find(|channels| pixels * u64::from(*channels) == samples as u64).unwrap_or(3)
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        let key = |image: &Self| (image.0.width, image.0.height, image.0.channels);
        self.ptr_eq(other) || key(self) == key(other) && self.0.pixels == other.0.pixels
    }
}

impl Eq for Image {}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({}×{}, {} channels)", self.0.width, self.0.height, self.0.channels)
    }
}
