//! Texts: of a pattern, of a format, of a length, and bytes as text.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::dice::Dice;
use super::form::Form;
use crate::wire::Image;

const WORDS: [&str; 16] = [
    "",
    "a",
    "b",
    "two words",
    "naïve",
    "日本",
    "🦀",
    "x/y",
    "~",
    "\"quoted\"",
    "back\\slash",
    "line\nbreak",
    "\u{0}",
    "5",
    "true",
    "null",
];

const KEYS: [&str; 14] =
    ["a", "b", "c", "key", "", "two words", "é", "x/y", "~", "__proto__", "$ref", "A", "left", "zz"];

/// A text that the form allows, as far as its keywords are known here.
pub(super) fn of(form: &Form<'_>, dice: &mut Dice) -> String {
    if form.has("contentEncoding") {
        let is_picture = form.all("contentMediaType").next().is_some();
        return if is_picture { picture(dice) } else { bytes(dice) };
    }
    if let Some(pattern) = form.get("pattern").and_then(serde_json::Value::as_str) {
        return matching(pattern, dice);
    }
    if let Some(format) = form.get("format").and_then(serde_json::Value::as_str) {
        return formatted(format, dice).to_owned();
    }
    let least = form.all("minLength").filter_map(serde_json::Value::as_u64).max().unwrap_or_default();
    let most = form.all("maxLength").filter_map(serde_json::Value::as_u64).min();
    sized(word(dice), as_count(least), most.map(as_count), dice)
}

fn as_count(number: u64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

fn word(dice: &mut Dice) -> String {
    match dice.below(40) {
        0 => "long ".repeat(50),
        _ => dice.word(&WORDS).to_owned(),
    }
}

/// A name for a member that no schema lists.
pub(super) fn key(dice: &mut Dice) -> String {
    dice.word(&KEYS).to_owned()
}

/// Makes a text of a length within the bounds, which count characters.
fn sized(mut text: String, least: usize, most: Option<usize>, dice: &mut Dice) -> String {
    let most = most.unwrap_or(usize::MAX);
    // The ends of the range are where mistakes are.
    let wanted = match dice.below(4) {
        0 => least,
        1 if most < 64 => most,
        _ => text.chars().count().clamp(least, most.max(least)),
    };
    let length = text.chars().count();
    if length > wanted {
        text = text.chars().take(wanted).collect();
    }
    text.extend(std::iter::repeat_n('x', wanted.saturating_sub(length)));
    text
}

fn formatted(format: &str, dice: &mut Dice) -> &'static str {
    let samples: &[&str] = match format {
        "date-time" => &["2026-02-28T23:59:59Z", "1985-04-12T23:20:50.52+01:00", "2024-02-29T00:00:00.000001-08:00"],
        "date" => &["2026-02-28", "2024-02-29", "1900-01-01"],
        "time" => &["23:59:59Z", "00:00:00.5+01:00"],
        "duration" => &["P1D", "PT5M", "P1Y2M3DT4H5M6S"],
        "email" | "idn-email" => &["a@example.org", "first.last+tag@sub.example.com"],
        "hostname" | "idn-hostname" => &["example.org", "a-b.c"],
        "ipv4" => &["127.0.0.1", "255.255.255.255", "0.0.0.0"],
        "ipv6" => &["::1", "2001:db8::8a2e:370:7334", "::ffff:1.2.3.4"],
        "uri" | "iri" | "uri-reference" | "iri-reference" => &["https://example.org/a?b=c#d", "urn:isbn:123"],
        "uuid" => &["67e55044-10b1-426f-9247-bb680e5fe0c8", "00000000-0000-0000-0000-000000000000"],
        "regex" => &["^a+$", "[0-9]{2}"],
        "json-pointer" => &["", "/a/b~1c"],
        _ => &["a"],
    };
    dice.word(samples)
}

/// A text that the pattern matches, or the empty text where the pattern is none that can be read.
pub(super) fn matching(pattern: &str, dice: &mut Dice) -> String {
    // The classes of ECMA's patterns are those of ASCII.
    let ascii = pattern.replace(r"\d", "[0-9]").replace(r"\w", "[A-Za-z0-9_]").replace(r"\s", "[ \t]");
    let mut text = String::new();
    if let Ok(hir) = regex_syntax::parse(&ascii) {
        write(&hir, &mut text, dice);
    }
    text
}

fn write(hir: &Hir, text: &mut String, dice: &mut Dice) {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(Class::Bytes(_)) => {}
        HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
        HirKind::Class(Class::Unicode(class)) => {
            if let Some(range) = dice.pick(class.ranges()) {
                let (low, high) = (u32::from(range.start()), u32::from(range.end()));
                let drawn = dice.between(low.into(), high.into());
                text.extend(u32::try_from(drawn).ok().and_then(char::from_u32));
            }
        }
        HirKind::Repetition(repetition) => {
            let least = repetition.min;
            let most = repetition.max.unwrap_or(least + 3).min(least + 20);
            for _ in 0..dice.between(least.into(), most.into()) {
                write(&repetition.sub, text, dice);
            }
        }
        HirKind::Capture(capture) => write(&capture.sub, text, dice),
        HirKind::Concat(parts) => parts.iter().for_each(|part| write(part, text, dice)),
        HirKind::Alternation(branches) => {
            if let Some(branch) = dice.pick(branches) {
                write(branch, text, dice);
            }
        }
    }
}

fn bytes(dice: &mut Dice) -> String {
    let bytes: Vec<u8> = (0..dice.below(9)).map(|_| dice.bits().to_le_bytes()[0]).collect();
    STANDARD.encode(bytes)
}

/// A small PNG.
fn picture(dice: &mut Dice) -> String {
    let side = if dice.one_in(2) { 1 } else { 2 };
    let picture = match dice.below(3) {
        0 => Image::gray8(side, side, vec![7; (side * side) as usize]),
        1 => Image::rgb8(side, side, vec![7; (side * side * 3) as usize]),
        _ => Image::rgba8(side, side, vec![7; (side * side * 4) as usize]),
    };
    picture.and_then(|picture| picture.to_png()).map(|png| STANDARD.encode(png)).unwrap_or_default()
}
