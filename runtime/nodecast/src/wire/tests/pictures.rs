//! Pictures (`wire.md` 4.3).

use std::io::Write;

use png::{BitDepth, ColorType};

use crate::wire::{DType, Image, Tensor, Value, base64, from_value, json, msgpack, picture};

fn png(width: u32, height: u32, color: ColorType, depth: BitDepth, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![10, 20, 30, 40, 50, 60]);
    }
    encoder.write_header().unwrap().write_image_data(data).unwrap();
    out
}

/// A chunk with its checksum.
fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = u32::MAX;
    for byte in kind.iter().chain(data) {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    [&u32::try_from(data.len()).unwrap().to_be_bytes()[..], &kind, data, &(!crc).to_be_bytes()].concat()
}

/// A file whose header claims a size that no data follows.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    [&b"\x89PNG\r\n\x1a\n"[..], &chunk(*b"IHDR", &header), &chunk(*b"IDAT", &[0x78, 0x9c]), &chunk(*b"IEND", &[])]
        .concat()
}

/// With more chunks between the header and the data.
fn with_chunks(png: &[u8], chunks: &[u8]) -> Vec<u8> {
    const HEADER: usize = 8 + 25;
    [&png[..HEADER], chunks, &png[HEADER..]].concat()
}

fn refusal(encoded: &[u8]) -> String {
    let error = Image::decode(encoded).unwrap_err();
    assert_eq!(error.kind, "bad_image", "{}", error.detail);
    error.detail
}

fn refused_text(text: &str) -> String {
    let error = from_value::<Image>(Value::from(text)).unwrap_err();
    assert_eq!(error.kind, "bad_image", "{}", error.detail);
    error.detail
}

#[test]
fn every_png_becomes_rgb8() {
    use BitDepth::{Eight, One, Sixteen};
    let cases = [
        ("rgb", ColorType::Rgb, Eight, &[1, 2, 3, 4, 5, 6][..], [1, 2, 3, 4, 5, 6]),
        ("grey", ColorType::Grayscale, Eight, &[7, 9], [7, 7, 7, 9, 9, 9]),
        ("grey alpha", ColorType::GrayscaleAlpha, Eight, &[7, 0, 9, 255], [7, 7, 7, 9, 9, 9]),
        ("rgba", ColorType::Rgba, Eight, &[1, 2, 3, 0, 4, 5, 6, 255], [1, 2, 3, 4, 5, 6]),
        ("16 bits", ColorType::Grayscale, Sixteen, &[0x12, 0xff, 0x34, 0x00], [0x12, 0x12, 0x12, 0x34, 0x34, 0x34]),
        ("1 bit", ColorType::Grayscale, One, &[0b1000_0000], [255, 255, 255, 0, 0, 0]),
        ("palette", ColorType::Indexed, Eight, &[1, 0], [40, 50, 60, 10, 20, 30]),
    ];
    for (name, color, depth, data, pixels) in cases {
        let image = Image::decode(&png(2, 1, color, depth, data)).unwrap();
        assert_eq!((image.width(), image.height(), image.channels()), (2, 1, 3), "{name}");
        assert_eq!(**image.pixels(), pixels, "{name}");
    }
}

#[test]
fn a_broken_png_is_told_without_the_types_of_a_library() {
    let mut bad_checksum = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6]);
    let last_of_data = bad_checksum.len() - 13;
    bad_checksum[last_of_data] ^= 0xff;
    let told = refusal(&bad_checksum);
    assert!(told.contains("checksum") && !told.contains("ChunkType") && !told.contains('{'), "{told}");
}

#[test]
fn a_png_that_says_the_same_pixels_is_passed_on_as_it_came() {
    let same = png(2, 1, ColorType::Grayscale, BitDepth::Eight, &[7, 9]);
    assert_eq!(*Image::decode(&same).unwrap().to_png().unwrap(), *same);
    for other in [
        png(1, 1, ColorType::Rgba, BitDepth::Eight, &[1, 2, 3, 4]),
        png(1, 1, ColorType::Grayscale, BitDepth::Sixteen, &[1, 2]),
    ] {
        let image = Image::decode(&other).unwrap();
        let written = image.to_png().unwrap();
        assert_ne!(*written, *other);
        assert_eq!(Image::decode(&written).unwrap(), image);
    }
}

#[test]
fn jpegs() {
    for (encoded, width, height, colour) in [
        (&include_bytes!("pictures/red_16x8.jpg")[..], 16, 8, [200, 40, 40]),
        (include_bytes!("pictures/grey_8x8.jpg"), 8, 8, [128, 128, 128]),
        // Its orientation tag says to turn it, which is ignored.
        (include_bytes!("pictures/turned_16x8.jpg"), 16, 8, [40, 200, 40]),
    ] {
        let image = Image::decode(encoded).unwrap();
        assert_eq!((image.width(), image.height(), image.channels()), (width, height, 3));
        for (found, wanted) in image.pixels().iter().zip(colour.iter().cycle()) {
            assert!(found.abs_diff(*wanted) <= 4, "{found} is not near {wanted}");
        }
        assert!(image.to_png().unwrap().starts_with(b"\x89PNG"));
        refusal(&encoded[..encoded.len() / 2]);
        refusal(&encoded[..4]);
    }
}

#[test]
fn t18_pictures() {
    for (width, height) in [(16_384, 16_384), (100_000, 100_000), (u32::MAX >> 1, u32::MAX >> 1)] {
        let detail = refusal(&claiming(width, height));
        assert!(detail.contains("67108864 pixels"), "{detail}");
    }
    // Within the budget, but nothing could be packed that small.
    assert!(refusal(&claiming(8_000, 8_000)).contains("cannot hold them"));
    refusal(&claiming(0, 1));
    assert_eq!(
        picture::decode(&png(2, 2, ColorType::Grayscale, BitDepth::Eight, &[0; 4]), 3).err().unwrap().kind,
        "bad_image"
    );

    let whole = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6]);
    for length in 0..whole.len() - 12 {
        refusal(&whole[..length]);
    }
    let mut wrong = whole.clone();
    let last = wrong.len() - 14;
    wrong[last] ^= 1;
    refusal(&wrong);
    refusal(b"GIF89a");
    refusal(b"");
}

#[test]
fn t18_text_chunks_and_later_frames_are_skipped() {
    let zeros = flate(&vec![0; 1 << 24]);
    let plain = png(2, 1, ColorType::Rgb, BitDepth::Eight, &[1, 2, 3, 4, 5, 6]);
    // A keyword and how it is packed; in the other also a language and the keyword in it, both empty.
    for (kind, head) in [(*b"zTXt", &b"bomb\0\0"[..]), (*b"iTXt", b"bomb\0\x01\0\0\0")] {
        let bomb = chunk(kind, &[head, &zeros].concat());
        let image = Image::decode(&with_chunks(&plain, &bomb)).unwrap();
        assert_eq!(**image.pixels(), [1, 2, 3, 4, 5, 6]);
    }

    let mut animated = Vec::new();
    let mut encoder = png::Encoder::new(&mut animated, 1, 1);
    encoder.set_color(ColorType::Rgb);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[1, 2, 3]).unwrap();
    writer.write_image_data(&[4, 5, 6]).unwrap();
    writer.finish().unwrap();
    let image = Image::decode(&animated).unwrap();
    assert_eq!(**image.pixels(), [1, 2, 3]);
    assert_ne!(*image.to_png().unwrap(), *animated, "only the first frame is ours");
}

/// zlib by way of the PNG encoder's own data, which is all of it that the tests need.
fn flate(data: &[u8]) -> Vec<u8> {
    let mut out = vec![0x78, 0x01];
    let blocks = data.chunks(0xffff);
    let last = blocks.len() - 1;
    for (at, block) in blocks.enumerate() {
        let length = u16::try_from(block.len()).unwrap();
        out.push(u8::from(at == last));
        out.write_all(&length.to_le_bytes()).unwrap();
        out.write_all(&(!length).to_le_bytes()).unwrap();
        out.write_all(block).unwrap();
    }
    out
}

#[test]
fn t18_base64_is_strict_and_says_the_fix() {
    let texts = (1..100)
        .map(|width| base64::encode(&png(width, 1, ColorType::Grayscale, BitDepth::Eight, &vec![251; width as usize])));
    let text = texts.into_iter().find(|text| text.ends_with('=') && text.contains(['+', '/'])).unwrap();
    assert!(from_value::<Image>(Value::from(text.as_str())).is_ok());
    assert!(refused_text(&format!("data:image/png;base64,{text}")).contains("after its comma"));
    assert!(refused_text(&format!("{}\n{}", &text[..4], &text[4..])).contains("one line"));
    assert!(refused_text(&format!(" {text}")).contains("one line"));
    assert!(refused_text(text.trim_end_matches('=')).contains("pad it"));
    assert!(refused_text(&text.replace(['+', '/'], "-")).contains("standard"));
    assert!(refused_text("not a picture").contains("whitespace"));
    assert!(refused_text("AAAA").contains("neither a PNG nor a JPEG"));
    assert!(refused_text("").contains("neither a PNG nor a JPEG"));
    // A JPEG is read whatever the declaration says that pictures are.
    let jpeg = base64::encode(include_bytes!("pictures/red_16x8.jpg"));
    assert!(from_value::<Image>(Value::from(jpeg)).is_ok());
}

#[test]
fn arrays_of_uint8_are_pictures_and_nothing_else_is() {
    let array = |shape: &[usize], data: &[u8]| Value::from(Tensor::from_elements(shape, data).unwrap());
    let pixels = |value: Value| from_value::<Image>(value).unwrap().pixels().to_vec();
    assert_eq!(pixels(array(&[1, 2], &[7, 9])), [7, 7, 7, 9, 9, 9]);
    assert_eq!(pixels(array(&[1, 1, 3], &[1, 2, 3])), [1, 2, 3]);
    assert_eq!(pixels(array(&[1, 1, 4], &[1, 2, 3, 4])), [1, 2, 3]);
    for (shape, length) in [(&[4][..], 4), (&[1, 1, 2], 2), (&[1, 1, 1, 3], 3), (&[0, 4], 0), (&[0, 0, 3], 0)] {
        assert_eq!(from_value::<Image>(array(shape, &vec![0; length])).unwrap_err().kind, "bad_image", "{shape:?}");
    }
    let floats = Value::from(Tensor::from_elements([1, 1, 3], &[0_f32; 3]).unwrap());
    assert_eq!(from_value::<Image>(floats).unwrap_err().kind, "bad_image");
    let marker = json::decode(br#"{"__ndarray__":"AQID","dtype":"uint8","shape":[1,1,3]}"#).unwrap();
    assert_eq!(pixels(marker), [1, 2, 3]);
}

#[test]
fn what_a_node_makes_keeps_its_channels() {
    for (image, shape) in
        [(Image::gray8(2, 1, [1, 2]).unwrap(), &[1, 2][..]), (Image::rgba8(1, 1, [1, 2, 3, 4]).unwrap(), &[1, 1, 4])]
    {
        let array = image.to_array().unwrap();
        assert_eq!((array.dtype(), array.shape()), (DType::UInt8, shape));
        let blob = msgpack::encode(&image.clone().into()).unwrap();
        assert_eq!(msgpack::decode(&blob).unwrap().as_array(), Some(&array));
        let text = json::encode(&image.clone().into()).unwrap();
        let text: String = serde_json::from_slice(&text).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(base64::decode(&text).unwrap())).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        assert_eq!(pixels, **image.pixels());
    }
    assert!(Image::gray8(2, 2, [1]).is_err() && Image::rgb8(0, 0, []).is_err());
}

#[test]
fn floats_saturate() {
    let image = Image::from_unit_f32(1, 1, &[-1.0, 0.5, 300.0]).unwrap();
    assert_eq!(**image.pixels(), [0, 128, 255]);
    assert_eq!(**Image::from_unit_f32(2, 1, &[f32::NAN, 1.0]).unwrap().pixels(), [0, 255]);
    assert_eq!(**Image::from_u16(1, 1, &[0x12ff]).unwrap().pixels(), [0x12]);
    assert!(Image::from_unit_f32(1, 1, &[0.0, 0.0]).is_err());
}
