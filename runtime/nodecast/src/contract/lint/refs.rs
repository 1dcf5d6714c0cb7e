//! Where references lead.

use serde_json::Value as Json;

use super::{Found, any, each, rules};

/// Faults of all references in a document.
pub(super) fn all(document: &Json, at: &str, found: &mut Found<'_>) {
    let has_ids = any(document, &|schema| schema.get("$id").and_then(Json::as_str).is_some_and(|id| !id.is_empty()));
    visit(document, document, has_ids, at, found);
}

/// Whether a reference stands in a schema, so that it is no document of its own.
pub(super) fn has_ref(schema: &Json) -> bool {
    any(schema, &|schema| schema.get("$ref").is_some() || schema.get("$dynamicRef").is_some())
}

fn visit(document: &Json, schema: &Json, has_ids: bool, at: &str, found: &mut Found<'_>) {
    if let Some(reference) = schema.get("$ref").and_then(Json::as_str) {
        reference_at(document, reference, has_ids, &format!("{at}/$ref"), found);
    }
    each(schema, &mut |place, part| visit(document, part, has_ids, &format!("{at}{place}"), found));
}

fn reference_at(document: &Json, reference: &str, has_ids: bool, at: &str, found: &mut Found<'_>) {
    let Some(fragment) = reference.strip_prefix('#') else {
        // What an embedded `$id` makes of it, no client here knows.
        if !has_ids {
            found.add(rules::REMOTE_REF, at, format!("`{reference}` leads out of the document"));
        }
        return;
    };
    let leads = if fragment.is_empty() || fragment.starts_with('/') {
        document.pointer(&decoded(fragment)).is_some()
    } else {
        let is_anchor = |schema: &Json| {
            ["$anchor", "$dynamicAnchor"].iter().any(|key| schema.get(*key).is_some_and(|name| name == fragment))
        };
        any(document, &is_anchor)
    };
    if !leads {
        found.add(rules::DANGLING_REF, at, format!("`{reference}` leads nowhere"));
    } else if !fragment.starts_with("/$defs/") {
        found.add(rules::REF_OUTSIDE_DEFS, at, format!("`{reference}` leads elsewhere than into `$defs`"));
    }
}

/// A fragment as the pointer that it is.
fn decoded(fragment: &str) -> String {
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hex = after.get(..2).and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        if let (b'%', Some(decoded)) = (byte, hex) {
            bytes.push(decoded);
            rest = after.get(2..).unwrap_or_default();
        } else {
            bytes.push(byte);
            rest = after;
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
