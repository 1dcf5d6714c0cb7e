//! PNG and JPEG to pixels, and pixels to PNG.
//!
//! The header comes first: nothing is allocated for a picture that is larger than allowed. Text chunks, colour
//! profiles and later frames are skipped, and orientation tags are ignored.

use std::io::Cursor;

use png::{BitDepth, ColorType, Transformations};
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::WireError;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const JPEG: &[u8] = b"\xff\xd8\xff";

/// Deflate packs no better than this, so fewer bytes cannot hold the rows that a header claims.
const DENSEST: usize = 1032;

/// The pixels of a decoded picture, RGB8 row by row.
pub(crate) struct Decoded {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<u8>,
    /// Whether the encoded picture says the very same pixels and nothing more.
    pub(crate) faithful_png: bool,
}

pub(crate) fn decode(encoded: &[u8], max_pixels: u64) -> Result<Decoded, WireError> {
    if encoded.starts_with(PNG) {
        decode_png(encoded, max_pixels)
    } else if encoded.starts_with(JPEG) {
        decode_jpeg(encoded, max_pixels)
    } else {
        Err(WireError::bad_image("the bytes are neither a PNG nor a JPEG; encode the picture as one of them"))
    }
}

fn within(width: usize, height: usize, max_pixels: u64) -> Result<(), WireError> {
    let pixels = (width as u64).checked_mul(height as u64);
    if pixels.is_none_or(|pixels| pixels > max_pixels) {
        let text = format!("the picture is {width}×{height}, more than the {max_pixels} pixels allowed; scale it down");
        return Err(WireError::bad_image(text));
    }
    Ok(())
}

fn decode_png(encoded: &[u8], max_pixels: u64) -> Result<Decoded, WireError> {
    let mut decoder = png::Decoder::new(Cursor::new(encoded));
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let header = decoder.read_header_info().map_err(broken)?;
    let (width, height) = (header.width, header.height);
    within(width as usize, height as usize, max_pixels)?;
    let claimed = header.raw_row_length().checked_mul(height as usize);
    if claimed.is_none_or(|claimed| claimed / DENSEST > encoded.len()) {
        return Err(WireError::bad_image(format!(
            "the PNG claims {width}×{height} pixels, but its {} bytes cannot hold them; send the whole file",
            encoded.len()
        )));
    }
    let exact = header.bit_depth != BitDepth::Sixteen
        && !matches!(header.color_type, ColorType::GrayscaleAlpha | ColorType::Rgba);

    let mut reader = decoder.read_info().map_err(broken)?;
    let faithful_png = exact && reader.info().trns.is_none() && !reader.info().is_animated();
    let size = reader.output_buffer_size().ok_or_else(|| broken(png::DecodingError::LimitsExceeded))?;
    let mut raw = vec![0; size];
    let frame = reader.next_frame(&mut raw).map_err(broken)?;
    raw.truncate(frame.buffer_size());
    Ok(Decoded { width, height, pixels: to_rgb(raw, frame.color_type.samples()), faithful_png })
}

/// What is wrong with a PNG, in our own words: the library's name its types.
fn broken(error: png::DecodingError) -> WireError {
    let why = match error {
        png::DecodingError::IoError(_) => "it ends early",
        png::DecodingError::LimitsExceeded => "its parts need more memory than is given to them",
        png::DecodingError::Format(_) | png::DecodingError::Parameter(_) => {
            "a part of it is not what the format or its own checksum says"
        }
    };
    WireError::bad_image(format!("the PNG is broken ({why}); send the whole file, unchanged"))
}

fn decode_jpeg(encoded: &[u8], max_pixels: u64) -> Result<Decoded, WireError> {
    let broken =
        || WireError::bad_image("the JPEG is broken or of a kind that is not read; send the whole file, or a PNG");
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .set_strict_mode(true)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = zune_jpeg::JpegDecoder::new_with_options(ZCursor::new(encoded), options);
    decoder.decode_headers().map_err(|_| broken())?;
    let header = decoder.info().ok_or_else(broken)?;
    within(usize::from(header.width), usize::from(header.height), max_pixels)?;
    let pixels = decoder.decode().map_err(|_| broken())?;
    let (width, height) = (u32::from(header.width), u32::from(header.height));
    if pixels.len() != usize::from(header.width) * usize::from(header.height) * 3 {
        return Err(broken());
    }
    Ok(Decoded { width, height, pixels, faithful_png: false })
}

/// Grey expands, alpha is dropped.
pub(crate) fn to_rgb(mut pixels: Vec<u8>, channels: usize) -> Vec<u8> {
    match channels {
        1 => pixels.iter().flat_map(|grey| [*grey; 3]).collect(),
        2 => pixels.chunks_exact(2).filter_map(|pixel| pixel.first()).flat_map(|grey| [*grey; 3]).collect(),
        4 => {
            // In place: three of each four bytes move to the front.
            let mut at = 0;
            pixels.retain(|_| {
                at += 1;
                at % 4 != 0
            });
            pixels
        }
        _ => pixels,
    }
}

/// PNG of 8-bit pixels: grey, RGB or RGBA.
pub(crate) fn encode_png(width: u32, height: u32, channels: u8, pixels: &[u8]) -> Result<Vec<u8>, WireError> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(match channels {
        1 => ColorType::Grayscale,
        4 => ColorType::Rgba,
        _ => ColorType::Rgb,
    });
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| {
        writer.write_image_data(pixels)?;
        writer.finish()
    });
    written.map_err(|error| WireError::bad_image(format!("the picture cannot be written as PNG: {error}")))?;
    Ok(out)
}
