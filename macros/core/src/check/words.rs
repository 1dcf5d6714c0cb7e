//! Icons, `_meta` and media types: what the protocol asks of them.

use syn::LitStr;

use crate::errors::Errors;
use crate::model::{Icon, MetaEntry, Value};
use crate::symbol::{META, MIME, SIZE};

/// Keys of `_meta` that carry the trace of a call.
const TRACE: [&str; 3] = ["traceparent", "tracestate", "baggage"];

/// Reports icons that clients do not show.
pub(crate) fn icons(errors: &mut Errors, icons: &[Icon]) {
    for Icon { src, mime, size, theme: _ } in icons {
        let text = src.value();
        if !["https://", "http://", "data:"].iter().any(|scheme| text.starts_with(scheme)) {
            errors
                .error(src, "clients load icons from `https://…`, or take them from a `data:` URI; write one of these");
        }
        if let Some(mime) = mime {
            self::mime(errors, mime);
        }
        if let Some(size) = size
            && !is_size(&size.value())
        {
            errors.error(
                size,
                format!("the size of an icon is width and height; write `{SIZE} = \"48x48\"`, or `\"any\"`"),
            );
        }
    }
}

fn is_size(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    text == "any" || text.split_once('x').is_some_and(|(width, height)| is_number(width) && is_number(height))
}

/// Reports what is no media type.
pub(crate) fn mime(errors: &mut Errors, mime: &LitStr) {
    let text = mime.value();
    let kind = text.split(';').next().unwrap_or_default().trim();
    let is_token = |part: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "!#$&-^_.+".contains(letter))
    };
    if !kind.split_once('/').is_some_and(|(kind, of)| is_token(kind) && is_token(of)) {
        errors.error(mime, format!("`{text}` is no media type; write one such as `{MIME} = \"text/markdown\"`"));
    }
}

/// Reports members of `_meta` whose keys are not the user's to give.
pub(crate) fn meta(errors: &mut Errors, members: &[MetaEntry]) {
    for (at, MetaEntry { key, value }) in members.iter().enumerate() {
        let text = key.value();
        let (prefix, name) = match text.rsplit_once('/') {
            Some((prefix, name)) => (Some(prefix), name),
            None => (None, text.as_str()),
        };
        if !is_name(name) || prefix.is_some_and(|prefix| !prefix.split('.').all(is_label)) {
            let message =
                format!("`{text}` is no key of `_meta`; write one such as `{META}(\"com.example/team\" = …)`");
            errors.error(key, message);
        } else if TRACE.contains(&text.as_str()) || prefix.is_some_and(is_reserved) {
            let message = format!(
                "the key `{text}` is kept for the protocol and for us; write a prefix of your own, such as `com.example/{name}`"
            );
            errors.error(key, message);
        } else if members.iter().take(at).any(|other| other.key.value() == text) {
            errors.error(key, format!("the key `{text}` stands in `{META}(…)` twice; remove one"));
        }
        let fits = match value.value {
            Value::Int(number) => i64::try_from(number).is_ok() || u64::try_from(number).is_ok(),
            Value::Float(number) => number.is_finite(),
            Value::Bool(_) | Value::Text(_) => true,
        };
        if !fits {
            errors.error(value.place, "this number does not fit 64 bits; write a smaller one, or text");
        }
    }
}

/// A part of a prefix: a letter first, a letter or a digit last.
fn is_label(label: &str) -> bool {
    label.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && label.ends_with(|letter: char| letter.is_ascii_alphanumeric())
        && label.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}

fn is_name(name: &str) -> bool {
    name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.ends_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.'))
}

/// Prefixes whose second label is the protocol's, and ours.
fn is_reserved(prefix: &str) -> bool {
    prefix == "nodecast"
        || prefix.split('.').nth(1).is_some_and(|label| matches!(label, "modelcontextprotocol" | "mcp"))
}
