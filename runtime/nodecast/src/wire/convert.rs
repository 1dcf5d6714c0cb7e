//! Conversions between [`Image`] and the pictures of the `image` crate.

use ::image::{GrayImage, RgbImage, RgbaImage};

use super::{Image, WireError, picture};

impl TryFrom<GrayImage> for Image {
    type Error = WireError;

    /// Fails for a picture without pixels alone.
    fn try_from(picture: GrayImage) -> Result<Self, WireError> {
        Self::gray8(picture.width(), picture.height(), picture.into_raw())
    }
}

impl TryFrom<RgbImage> for Image {
    type Error = WireError;

    /// Fails for a picture without pixels alone.
    fn try_from(picture: RgbImage) -> Result<Self, WireError> {
        Self::rgb8(picture.width(), picture.height(), picture.into_raw())
    }
}

impl TryFrom<RgbaImage> for Image {
    type Error = WireError;

    /// Fails for a picture without pixels alone.
    fn try_from(picture: RgbaImage) -> Result<Self, WireError> {
        Self::rgba8(picture.width(), picture.height(), picture.into_raw())
    }
}

impl From<&Image> for RgbImage {
    /// Copies the pixels: grey expands, alpha is dropped.
    fn from(image: &Image) -> Self {
        let pixels = picture::to_rgb(image.pixels().to_vec(), image.channels().into());
        // Every `Image` has as many bytes as its size asks for, so there always is a picture.
        Self::from_raw(image.width(), image.height(), pixels).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use ::image::{GrayImage, Luma, Rgb, RgbImage, Rgba, RgbaImage};

    use crate::wire::Image;

    #[test]
    fn pictures_convert_both_ways() {
        let rgb = RgbImage::from_fn(3, 2, |x, y| Rgb([u8::try_from(x).unwrap(), u8::try_from(y).unwrap(), 7]));
        assert_eq!(RgbImage::from(&Image::try_from(rgb.clone()).unwrap()), rgb);
        let gray = Image::try_from(GrayImage::from_pixel(3, 2, Luma([9]))).unwrap();
        assert_eq!(RgbImage::from(&gray), RgbImage::from_pixel(3, 2, Rgb([9; 3])));
        let rgba = Image::try_from(RgbaImage::from_pixel(3, 2, Rgba([1, 2, 3, 4]))).unwrap();
        assert_eq!(RgbImage::from(&rgba), RgbImage::from_pixel(3, 2, Rgb([1, 2, 3])));
    }

    #[test]
    fn a_picture_without_pixels_is_none() {
        assert!(Image::try_from(RgbImage::new(0, 5)).is_err());
    }
}
