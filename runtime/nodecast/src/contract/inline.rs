//! The profile `inline`: schemas that every client reads. References are put in place, and what only some clients can
//! take is left out, each piece recorded.

use serde_json::{Map, Value as Json};

use super::loss::Places;
use crate::schema::{self, walk};

/// Notes a keyword that a schema has no longer.
pub(super) fn lose(lost: &mut Places, at: &str, keyword: &'static str) {
    lost.note(keyword, || format!("{at}/{keyword}"));
}

/// Leaves of a schema these keywords alone.
pub(super) fn only(members: &mut Map<String, Json>, keywords: &[&str], at: &str, lost: &mut Places) {
    members.retain(|key, _| {
        let is_kept = keywords.contains(&key.as_str()) || key.starts_with("x-");
        if !is_kept {
            lost.note(key, || format!("{at}/{}", crate::call::escape(key)));
        }
        is_kept
    });
}

/// The schema of the arguments. The null of an optional argument is left out, since clients count a property with null
/// as required or refuse type arrays; so is the array form of a picture, which is for graph frameworks.
pub(super) fn input(full: &Json, lost: &mut Places) -> Json {
    let mut schema = schema::inline(full);
    visit(&mut schema, "/inputSchema", &mut |at, schema| {
        without_optional_nulls(at, schema, lost);
        if only_picture(schema) {
            lost.note("array form", || at.to_owned());
        }
    });
    schema
}

/// The schema of a result. Nulls stay: a client that checks a result must find each one allowed.
pub(super) fn output(full: &Json) -> Json {
    schema::inline(full)
}

/// Calls `act` with every schema and its pointer, the whole before its parts.
fn visit(schema: &mut Json, at: &str, act: &mut dyn FnMut(&str, &mut Json)) {
    act(at, schema);
    walk::parts_mut(schema, &mut |place, part| visit(part, &format!("{at}{place}"), act));
}

fn without_optional_nulls(at: &str, schema: &mut Json, lost: &mut Places) {
    let Some(members) = schema.as_object_mut() else { return };
    let required = members.get("required").and_then(Json::as_array).cloned().unwrap_or_default();
    let properties = members.get_mut("properties").and_then(Json::as_object_mut);
    for (name, property) in properties.into_iter().flatten() {
        let is_required = required.iter().any(|required| required == name);
        if !is_required && property.as_object_mut().is_some_and(without_null) {
            lost.note("null", || format!("{at}/properties/{}", crate::call::escape(name)));
        }
    }
}

/// Takes null out of what a schema allows; says whether it was there.
fn without_null(members: &mut Map<String, Json>) -> bool {
    let mut found = false;
    if let Some(Json::Array(types)) = members.get_mut("type") {
        let before = types.len();
        types.retain(|ty| ty != "null");
        found |= types.len() < before;
        if let [single] = types.as_slice() {
            let single = single.clone();
            members.insert("type".to_owned(), single);
        }
    }
    if let Some(Json::Array(options)) = members.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    let Some(Json::Array(branches)) = members.get_mut("anyOf") else { return found };
    // Every JSON value may be null too; that is what the type says, not that it may be left out.
    let listed = |ty: &str| branches.iter().any(|branch| branch.get("type").is_some_and(|listed| listed == ty));
    if ["boolean", "number", "string", "array", "object"].into_iter().all(listed) {
        return found;
    }
    let before = branches.len();
    branches.retain(|branch| branch.get("type").is_none_or(|ty| ty != "null"));
    found |= branches.len() < before;
    if branches.len() == 1
        && let Some(Json::Array(branches)) = members.shift_remove("anyOf")
        && let Some(Json::Object(branch)) = branches.into_iter().next()
    {
        for (key, member) in branch {
            // What the field says of itself comes before what its type says.
            members.entry(key).or_insert(member);
        }
    }
    found
}

/// Leaves of a picture its text form alone; says whether the schema was one.
fn only_picture(schema: &mut Json) -> bool {
    let Some(members) = schema.as_object_mut() else { return false };
    let branches = members.get("anyOf").and_then(Json::as_array);
    let picture = branches.and_then(|branches| {
        let is_marker = |branch: &&Json| branch.pointer("/properties/__ndarray__").is_some();
        branches.iter().find(is_marker)?;
        branches.iter().find(|branch| branch.get("contentMediaType").is_some())?.as_object()
    });
    let Some(mut form) = picture.cloned() else { return false };
    for (key, member) in std::mem::take(members).into_iter().filter(|(key, _)| key != "anyOf") {
        form.insert(key, member);
    }
    *members = form;
    true
}
