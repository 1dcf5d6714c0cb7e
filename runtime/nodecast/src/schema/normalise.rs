//! What every published schema has been through (`mcp.md` 2): standard formats only, integers with bounds, unit enums
//! as plain `enum`, no typeless property, none of our own marks.
//!
//! The marks stay in what calls are checked against: a refusal says by them what was meant.

use serde_json::{Map, Value as Json, json};

use super::close::base;
use super::inline::resolve;
use super::walk;
use crate::wire::{MARKS, X_INTEGER};

/// How far an integer may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Range {
    /// ±(2^53−1), what JSON carries exactly.
    Json,
    /// All of the type's own range; msgpack carries it.
    Type,
}

/// The largest integer that every JSON reader holds exactly.
const JSON_MAX: i64 = (1 << 53) - 1;

/// The formats of JSON Schema 2020-12; all others are somebody's own.
pub(crate) const STANDARD_FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

pub(super) fn normalise(schema: &mut Json, range: Range) {
    walk::all_mut(schema, &mut |schema| {
        let Some(members) = schema.as_object_mut() else { return };
        if members.get("default").is_some_and(Json::is_null) {
            members.shift_remove("default");
        }
        unit_enum(members);
        canonical_keys(members);
        format(members, range);
    });
    list_types(schema, Place::Value);
}

/// What a schema is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A value of its own: a field, an element.
    Value,
    /// The value of the schema around it, of which it says a part.
    Same,
}

/// Lists the types where a schema allows any value, since clients refuse a typeless property. A part that says nothing
/// keeps saying nothing: with types it would speak for the members that the other parts leave open.
fn list_types(schema: &mut Json, place: Place) {
    walk::parts_mut(schema, &mut |at, part| {
        let is_part = ["/allOf/", "/anyOf/", "/oneOf/", "/not", "/if", "/then", "/else"];
        let same = is_part.iter().any(|prefix| at.starts_with(prefix));
        list_types(part, if same { Place::Same } else { Place::Value });
    });
    if schema == &Json::Bool(true) {
        *schema = json!({});
    }
    let Some(members) = schema.as_object_mut() else { return };
    let says_nothing = members.keys().all(|key| matches!(key.as_str(), "title" | "description" | "default"));
    if let (Place::Value, true, Json::Object(any)) = (place, says_nothing, any()) {
        members.extend(any);
    }
}

/// Takes our own marks out, which are nobody else's business.
pub(super) fn unmark(schema: &mut Json) {
    walk::all_mut(schema, &mut |schema| {
        if let Some(members) = schema.as_object_mut() {
            members.retain(|key, _| !MARKS.contains(&key.as_str()));
        }
    });
}

/// Every JSON value, with its types listed, since clients refuse a typeless property.
fn any() -> Json {
    json!({"anyOf": [
        {"type": "null"}, {"type": "boolean"}, {"type": "number"}, {"type": "string"},
        {"type": "array", "items": {}}, {"type": "object", "additionalProperties": true},
    ]})
}

/// Whether a schema is that of every JSON value.
pub(super) fn is_any(schema: &Json) -> bool {
    let types = |schema: &Json| -> Option<Vec<Json>> {
        Some(schema.get("anyOf")?.as_array()?.iter().filter_map(|branch| branch.get("type").cloned()).collect())
    };
    types(schema).is_some_and(|listed| Some(listed) == types(&any()))
}

/// The texts of a unit enum; empty for every other type.
pub(super) fn variants(schema: &Json, definitions: &Map<String, Json>) -> Vec<String> {
    let mut schema = resolve(schema, definitions);
    if let Some(branches) = schema.get("anyOf").and_then(Json::as_array)
        && let Some(branch) = branches.iter().find(|branch| !super::wire_type::is_null(branch))
    {
        schema = resolve(branch, definitions);
    }
    match schema.get("oneOf").and_then(Json::as_array) {
        Some(branches) => branches.iter().map(constants).collect::<Option<Vec<_>>>().unwrap_or_default().concat(),
        None => constants(schema).unwrap_or_default(),
    }
}

/// The texts that a schema lists, as one `const` or as an `enum`; `None` when it is anything else.
fn constants(schema: &Json) -> Option<Vec<String>> {
    let text = |value: &Json| value.as_str().map(str::to_owned);
    match (schema.get("const"), schema.get("enum")) {
        (Some(constant), _) => Some(vec![text(constant)?]),
        (None, Some(Json::Array(options))) => options.iter().filter(|option| !option.is_null()).map(text).collect(),
        _ => None,
    }
}

/// schemars writes a unit enum with documented variants as `oneOf`, those without docs first; clients know `enum`.
fn unit_enum(members: &mut Map<String, Json>) {
    let Some(branches) = members.get("oneOf").and_then(Json::as_array) else { return };
    let listed: Option<Vec<Vec<String>>> = branches.iter().map(constants).collect();
    let Some(texts) = listed.map(|listed| listed.concat()).filter(|texts| !texts.is_empty()) else { return };
    let docs: Vec<String> = branches
        .iter()
        .filter_map(|branch| Some((branch.get("const")?.as_str()?, branch.get("description")?.as_str()?)))
        .map(|(text, doc)| format!("`{text}`: {doc}"))
        .collect();
    members.shift_remove("oneOf");
    members.insert("type".to_owned(), "string".into());
    members.insert("enum".to_owned(), texts.into());
    if !docs.is_empty() {
        let own = members.get("description").and_then(Json::as_str).map(|own| format!("{own}\n"));
        members.insert("description".to_owned(), format!("{}{}", own.unwrap_or_default(), docs.join("\n")).into());
    }
}

/// Keys of integer maps in their one canonical form, as the decoder takes them.
fn canonical_keys(members: &mut Map<String, Json>) {
    let Some(Json::Object(patterns)) = members.get_mut("patternProperties") else { return };
    *patterns = std::mem::take(patterns)
        .into_iter()
        .map(|(pattern, schema)| {
            let canonical = match pattern.as_str() {
                r"^\d+$" => r"^(0|[1-9]\d*)$".to_owned(),
                r"^-?\d+$" => r"^(0|-?[1-9]\d*)$".to_owned(),
                _ => pattern,
            };
            (canonical, schema)
        })
        .collect();
}

/// std's spans and moments of time hold less than their parts do, whose types are all that schemars says of them: parts
/// of a second that make none, and moments that every platform and RFC 3339 have, until the end of the year 9999.
pub(super) fn bound_times(definitions: &mut Map<String, Json>) {
    for (name, definition) in definitions {
        let Some(Json::Object(properties)) = definition.get_mut("properties") else { continue };
        let most: &[(&str, u64)] = match (base(name), properties.len()) {
            ("Duration", 2) => &[("nanos", 999_999_999)],
            ("SystemTime", 2) => &[("nanos_since_epoch", 999_999_999), ("secs_since_epoch", 253_402_300_799)],
            _ => &[],
        };
        for (part, most) in most {
            if let Some(Json::Object(part)) = properties.get_mut(*part) {
                at_most(part, (*most).into());
            }
        }
    }
}

fn format(members: &mut Map<String, Json>, range: Range) {
    let Some(Json::String(format)) = members.get("format") else { return };
    if STANDARD_FORMATS.contains(&format.as_str()) {
        return;
    }
    let bounds: Option<(Json, Json)> = match format.as_str() {
        "int8" => Some((i8::MIN.into(), i8::MAX.into())),
        "int16" => Some((i16::MIN.into(), i16::MAX.into())),
        "int32" => Some((i32::MIN.into(), i32::MAX.into())),
        "uint8" => Some((0.into(), u8::MAX.into())),
        "uint16" => Some((0.into(), u16::MAX.into())),
        "uint32" => Some((0.into(), u32::MAX.into())),
        "int64" | "int" if range == Range::Type => Some((i64::MIN.into(), i64::MAX.into())),
        "uint64" | "uint" if range == Range::Type => Some((0.into(), u64::MAX.into())),
        "int64" | "int" => Some(((-JSON_MAX).into(), JSON_MAX.into())),
        "uint64" | "uint" => Some((0.into(), JSON_MAX.into())),
        "float" => Some((f64::from(f32::MIN).into(), f64::from(f32::MAX).into())),
        _ => None,
    };
    let ip = format == "ip";
    let wide = match format.as_str() {
        "int128" => Some(json!([i128::MIN.to_string(), i128::MAX.to_string()])),
        "uint128" => Some(json!(["0", u128::MAX.to_string()])),
        _ => None,
    };
    members.shift_remove("format");
    if let Some(range) = wide {
        members.insert(X_INTEGER.to_owned(), range);
    }
    if ip {
        members.insert("anyOf".to_owned(), json!([{"format": "ipv4"}, {"format": "ipv6"}]));
    }
    if let Some((minimum, maximum)) = bounds {
        at_least(members, minimum);
        at_most(members, maximum);
    }
}

/// Sets a lower bound unless the schema has a higher one.
pub(super) fn at_least(members: &mut Map<String, Json>, bound: Json) {
    narrow(members, "minimum", bound, |declared, bound| declared > bound);
}

/// Sets an upper bound unless the schema has a lower one.
pub(super) fn at_most(members: &mut Map<String, Json>, bound: Json) {
    narrow(members, "maximum", bound, |declared, bound| declared < bound);
}

fn narrow(members: &mut Map<String, Json>, key: &str, bound: Json, narrower: fn(f64, f64) -> bool) {
    let declared = members.get(key).and_then(Json::as_f64);
    let keep = declared.zip(bound.as_f64()).is_some_and(|(declared, bound)| narrower(declared, bound));
    if !keep {
        members.insert(key.to_owned(), bound);
    }
}
