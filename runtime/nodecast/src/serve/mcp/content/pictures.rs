//! The pictures of one result, within what clients take: a larger one ends the conversation that it stands in.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::text::grouped;
use crate::Error;
use crate::call::unsaid;
use crate::wire::{Bytes, Image, WireError};

/// What clients take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ceilings {
    /// Base64 of one picture.
    base64: usize,
    /// Base64 of all pictures of a result.
    base64_of_all: usize,
    /// Pixels a side.
    side: u32,
    /// Pixels a side where there are more pictures than `few`.
    side_of_many: u32,
    few: usize,
}

/// What the clients that are known take, the strictest of each (`mcp.md` 3).
pub(super) const CEILINGS: Ceilings =
    Ceilings { base64: 5_000_000, base64_of_all: 20_000_000, side: 8_000, side_of_many: 2_000, few: 20 };

/// Where a PNG says how wide and how high it is.
const SIZE_IN_PNG: usize = 16;

/// One picture of a result.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    /// Where it stands in the outputs, as tokens of a pointer.
    pub(super) place: String,
    pub(super) source: Source,
    /// It is shown at its full size or not at all.
    pub(super) full_size: bool,
}

/// What is known of a picture.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// Its pixels.
    Pixels(Image),
    /// A file that the node has written.
    File(Bytes),
}

/// A picture as it is shown.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    /// The file, unless it is the one that the node has written.
    pub(super) png: Bytes,
    /// What was done to it, for the caller.
    pub(super) note: Option<String>,
}

impl Source {
    /// Width and height, where they can be told without decoding.
    fn size(&self) -> Option<(u32, u32)> {
        match self {
            Self::Pixels(image) => Some((image.width(), image.height())),
            Self::File(file) => {
                let number = |at: usize| {
                    let bytes = file.get(at..at + 4)?.try_into().ok()?;
                    Some(u32::from_be_bytes(bytes))
                };
                file.starts_with(b"\x89PNG").then_some(())?;
                Some((number(SIZE_IN_PNG)?, number(SIZE_IN_PNG + 4)?))
            }
        }
    }

    fn file(&self) -> Result<Bytes, WireError> {
        match self {
            Self::Pixels(image) => image.to_png(),
            Self::File(file) => Ok(file.clone()),
        }
    }

    fn pixels(&self) -> Result<Image, WireError> {
        match self {
            Self::Pixels(image) => Ok(image.clone()),
            Self::File(file) => Image::decode(file),
        }
    }
}

/// The pictures as they are shown: as they are where they may be, else scaled down, unless their port forbids it.
pub(super) fn fitted(pictures: &[Picture], ceilings: Ceilings) -> Result<Vec<Shown>, Error> {
    let mut shown = Vec::with_capacity(pictures.len());
    let side = if pictures.len() > ceilings.few { ceilings.side_of_many } else { ceilings.side };
    let ceilings = Ceilings { side, ..ceilings };
    for picture in pictures {
        shown.push(fit(picture, ceilings)?);
    }
    if shown.iter().map(|shown| base64_len(&shown.png)).sum::<usize>() > ceilings.base64_of_all {
        let base64 = share(pictures, &shown, ceilings)?;
        for (picture, shown) in pictures.iter().zip(&mut shown).filter(|(picture, _)| !picture.full_size) {
            if base64_len(&shown.png) > base64 {
                *shown = fit(picture, Ceilings { base64, ..ceilings })?;
            }
        }
    }
    Ok(shown)
}

/// How large each picture that may shrink can be, so that all have room: the small ones keep their size.
fn share(pictures: &[Picture], shown: &[Shown], ceilings: Ceilings) -> Result<usize, Error> {
    let sizes = || pictures.iter().zip(shown).map(|(picture, shown)| (picture, base64_len(&shown.png)));
    let fixed: usize = sizes().filter(|(picture, _)| picture.full_size).map(|(_, size)| size).sum();
    let mut shrinking: Vec<_> = sizes().filter(|(picture, _)| !picture.full_size).map(|(_, size)| size).collect();
    shrinking.sort_unstable();
    let mut left = ceilings.base64_of_all.saturating_sub(fixed);
    let mut others = shrinking.len();
    for size in shrinking {
        if size.saturating_mul(others) > left {
            return Ok(left / others);
        }
        left -= size;
        others -= 1;
    }
    // None may shrink, or they leave no room; the largest is named.
    let largest = sizes().filter(|(picture, _)| picture.full_size).max_by_key(|(_, size)| *size);
    match largest {
        Some((picture, size)) => Err(too_large(picture, size, &ceilings.of_bytes())),
        None => Ok(left),
    }
}

fn fit(picture: &Picture, ceilings: Ceilings) -> Result<Shown, Error> {
    let Ceilings { base64, side, .. } = ceilings;
    let failed = |error: WireError| at(picture, error);
    let file = picture.source.file().map_err(failed)?;
    let longest = picture.source.size().map(|(width, height)| width.max(height));
    let (wide, long) = (longest.is_some_and(|longest| longest > side), base64_len(&file) > base64);
    if !wide && !long {
        return Ok(Shown { png: file, note: None });
    }
    if picture.full_size {
        let limit = if wide { format!("{} pixels a side", grouped(side as usize)) } else { ceilings.of_bytes() };
        return Err(too_large(picture, base64_len(&file), &limit));
    }
    let image = picture.source.pixels().map_err(failed)?;
    let longest = f64::from(image.width().max(image.height()));
    // The first guess for a file that is too long: as many bytes a pixel as it has now.
    let excess = if long { (ratio(base64, base64_len(&file))).sqrt() } else { 1.0 };
    let mut scale = (f64::from(side) / longest).min(excess);
    loop {
        let (width, height) = (scaled(image.width(), scale), scaled(image.height(), scale));
        let png = image.shrink(width, height).and_then(|image| image.to_png()).map_err(failed)?;
        if base64_len(&png) <= base64 {
            let place = &picture.place;
            let (was_wide, was_high) = (image.width(), image.height());
            let note = format!("`{place}` is shown at {width}×{height} pixels, scaled down from {was_wide}×{was_high}");
            return Ok(Shown { png, note: Some(note) });
        }
        if (width, height) == (1, 1) {
            return Err(too_large(picture, base64_len(&png), &ceilings.of_bytes()));
        }
        scale *= 0.9;
    }
}

impl Ceilings {
    fn of_bytes(&self) -> String {
        let (one, all) = (grouped(self.base64), grouped(self.base64_of_all));
        format!("{one} bytes of base64 in one picture and {all} in all")
    }
}

#[allow(clippy::cast_precision_loss, reason = "sizes of files, which a float holds well enough for a guess")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "smaller than a side, which fits")]
fn scaled(side: u32, scale: f64) -> u32 {
    ((f64::from(side) * scale) as u32).max(1)
}

fn too_large(picture: &Picture, base64: usize, limit: &str) -> Error {
    let size = picture.source.size().map_or_else(String::new, |(width, height)| format!("{width}×{height} pixels, "));
    let detail = format!(
        "the picture is too large for clients of MCP: {size}{} bytes of base64, and they take {limit}; \
         let the node make it smaller",
        grouped(base64)
    );
    at(picture, WireError::new("image_too_large", detail))
}

fn at(picture: &Picture, mut error: WireError) -> Error {
    error.pointer.insert_str(0, &format!("/outputs/{}", picture.place));
    unsaid(error)
}

fn base64_len(file: &[u8]) -> usize {
    file.len().div_ceil(3) * 4
}

/// The text of a file in an image block.
pub(super) fn base64(file: &[u8]) -> String {
    STANDARD.encode(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(image: Image) -> Picture {
        Picture { place: "view".to_owned(), source: Source::Pixels(image), full_size: false }
    }

    /// Noise, which no compression makes smaller: so many bytes of a file as of pixels, about.
    fn noise(width: u32, height: u32) -> Image {
        let mut state = 1_u64;
        let pixels: Vec<u8> = (0..width * height)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                state.to_be_bytes()[0]
            })
            .collect();
        Image::gray8(width, height, pixels).unwrap()
    }

    fn decoded(shown: &Shown) -> (u32, u32) {
        let image = Image::decode(&shown.png).unwrap();
        (image.width(), image.height())
    }

    #[test]
    fn b41_what_fits_is_passed_on_byte_by_byte() {
        // Grey and with alpha, and a file that came from elsewhere.
        let grey = Image::gray8(8_000, 2, vec![9; 16_000]).unwrap();
        let clear = Image::rgba8(1, 1, vec![1, 2, 3, 4]).unwrap();
        let file = Image::decode(&noise(3, 3).to_png().unwrap()).unwrap().to_png().unwrap();
        let sources = [Source::Pixels(grey.clone()), Source::Pixels(clear.clone()), Source::File(file.clone())];
        let pictures = sources.map(|source| Picture { source, ..picture(grey.clone()) });
        let shown = fitted(&pictures, CEILINGS).unwrap();
        let files: Vec<_> = shown.iter().map(|shown| &shown.png).collect();
        assert_eq!(files, [&grey.to_png().unwrap(), &clear.to_png().unwrap(), &file]);
        assert!(shown.iter().all(|shown| shown.note.is_none()));
        assert!(Image::rgb8(0, 0, vec![]).is_err());
    }

    #[test]
    fn b41_wide_pictures_shrink() {
        let wide = Image::rgb8(9_000, 10, vec![7; 270_000]).unwrap();
        let shown = fitted(&[picture(wide.clone())], CEILINGS).unwrap();
        assert_eq!(decoded(&shown[0]), (8_000, 8));
        let note = shown[0].note.as_deref();
        assert_eq!(note, Some("`view` is shown at 8000×8 pixels, scaled down from 9000×10"));
        let error = fitted(&[Picture { full_size: true, ..picture(wide) }], CEILINGS).unwrap_err();
        assert_eq!((error.kind(), error.findings()[0].pointer.as_str()), ("image_too_large", "/outputs/view"));
        assert!(error.message().contains("9000×10") && error.message().contains("8,000"), "{}", error.message());
    }

    #[test]
    fn b41_many_pictures_are_smaller() {
        let image = Image::gray8(2_500, 5, vec![7; 12_500]).unwrap();
        let few = fitted(&vec![picture(image.clone()); 20], CEILINGS).unwrap();
        assert!(few.iter().all(|shown| shown.note.is_none()));
        let many = fitted(&vec![picture(image); 21], CEILINGS).unwrap();
        assert!(many.iter().all(|shown| decoded(shown) == (2_000, 4)));
    }

    /// A hundredth of what clients take: an unoptimised build is slow with pictures of their size.
    const SMALL: Ceilings = Ceilings { base64: 50_000, base64_of_all: 200_000, ..CEILINGS };

    #[test]
    fn b41_long_files_shrink_until_they_fit() {
        let long = noise(220, 200);
        assert!(base64_len(&long.to_png().unwrap()) > SMALL.base64);
        let shown = fitted(&[picture(long.clone())], SMALL).unwrap();
        let base64 = base64(&shown[0].png).len();
        assert!(base64 <= SMALL.base64 && base64 > SMALL.base64 / 2, "{base64}");
        assert!(shown[0].note.is_some());
        // The same as a file that the node has written itself.
        let file = Picture { source: Source::File(long.to_png().unwrap()), ..picture(long) };
        assert!(base64_len(&fitted(&[file], SMALL).unwrap()[0].png) <= SMALL.base64);
        assert_eq!((CEILINGS.base64, CEILINGS.base64_of_all), (5_000_000, 20_000_000));
    }

    #[test]
    fn b41_all_together_have_room_and_small_ones_keep_their_size() {
        let large = noise(170, 200);
        let small = noise(10, 10);
        let mut pictures = vec![picture(large.clone()); 5];
        pictures.push(picture(small.clone()));
        let shown = fitted(&pictures, SMALL).unwrap();
        assert!(shown.iter().map(|shown| base64_len(&shown.png)).sum::<usize>() <= SMALL.base64_of_all);
        assert!(shown[..5].iter().all(|shown| shown.note.is_some()));
        assert_eq!(shown[5].png, small.to_png().unwrap());
        // Those that must keep their size take the room of the others, and are refused where there is none.
        for picture in &mut pictures[..4] {
            picture.full_size = true;
        }
        let shown = fitted(&pictures, SMALL).unwrap();
        assert!(shown[..4].iter().all(|shown| shown.note.is_none()) && shown[4].note.is_some());
        pictures[4].full_size = true;
        assert_eq!(fitted(&pictures, SMALL).unwrap_err().kind(), "image_too_large");
    }
}
