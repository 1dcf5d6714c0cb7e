//! What an editor can know of the arrays of a port: element type and number of dimensions, where the type fixes them.

use serde_json::{Map, Value as Json};

/// Says so of a port whose schema is the marker of an array (`wire.md` 1.1).
pub(super) fn describe(ours: &mut Map<String, Json>, schema: &Json) {
    let Some(marker) = marker(schema) else { return };
    if let Some(dtype) = marker.get("dtype").and_then(|dtype| dtype.get("const")) {
        ours.insert("dtype".to_owned(), dtype.clone());
    }
    let bound = |key: &str| marker.get("shape")?.get(key)?.as_u64();
    if let (Some(least), Some(most)) = (bound("minItems"), bound("maxItems"))
        && least == most
    {
        // The extents are the caller's.
        ours.insert("shape".to_owned(), (0..most).map(|_| Json::Null).collect());
    }
}

/// The properties of the marker, behind the null of an `Option`.
fn marker(schema: &Json) -> Option<&Map<String, Json>> {
    let forms = schema.get("anyOf").and_then(Json::as_array).map_or(std::slice::from_ref(schema), Vec::as_slice);
    let resolved = forms.iter().map(|form| {
        let target = form.get("$ref").and_then(Json::as_str).and_then(|target| target.strip_prefix('#'));
        target.and_then(|target| schema.pointer(target)).unwrap_or(form)
    });
    let mut others = resolved.filter(|form| form.get("type").is_none_or(|ty| ty != "null"));
    let only = others.next().filter(|_| others.next().is_none())?;
    only.get("properties")?.as_object().filter(|properties| properties.contains_key("__ndarray__"))
}
