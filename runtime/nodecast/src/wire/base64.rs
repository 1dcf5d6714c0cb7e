//! The one base64 of the wire: standard alphabet, padded, one line.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Decodes strictly; the error completes a sentence that begins with what the text should have been.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|_| {
        let why = if text.contains(|c: char| c.is_ascii_whitespace()) {
            "it holds whitespace; write it on one line"
        } else if text.contains(['-', '_']) {
            "it uses the URL-safe alphabet; use the standard one with `+` and `/`"
        } else if !text.len().is_multiple_of(4) {
            "its length is no multiple of 4; pad it with `=`, or send all of it"
        } else {
            "it holds characters or bits that base64 does not have"
        };
        format!("not valid base64: {why}")
    })
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Appends the base64 of `bytes` to `out`, without a copy between.
pub(crate) fn append(bytes: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    let length = bytes.len().div_ceil(3) * 4;
    out.resize(start + length, b'=');
    let written = out.get_mut(start..).map(|space| STANDARD.encode_slice(bytes, space));
    debug_assert_eq!(written, Some(Ok(length)));
}
