//! Each rule on a minimal pair of documents, and what the proof can and cannot show.

mod facts;
mod schemas;
mod subset;

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::{Change, Promises, RULES, Verdict, diff};

/// A contract document of one node, as small as one can be.
fn document(change: impl FnOnce(&mut Json)) -> Json {
    let mut document = json!({
        "version": "1.3.0",
        "contract": {
            "nodeset": {
                "name": "n", "prefix": "n", "title": null, "doc": "D.", "instructions": null, "parallelism": "shared",
                "exclusive": false, "gated": [], "sessions": "none", "modern": "stateless",
                "cache": {"ttl_ms": 1, "scope": "public"}, "icons": [], "meta": {},
            },
            "nodes": [{
                "name": "a", "full_name": "n__a", "title": null, "doc": "A.", "hints": {}, "unstable": false,
                "deprecated": null, "batched": null, "task": null, "waits": false, "fallback": false, "icons": [],
                "meta": {}, "result": "ports",
                "inputs": [{
                    "name": "x", "title": null, "doc": "X.", "wire_type": "TEXT", "optional": false, "int64": null,
                    "nan": null, "header": null, "deprecated": null, "config": null,
                }],
                "outputs": [], "errors": [{"name": "e", "doc": "E.", "retryable": false}],
                "input_schema": {
                    "type": "object", "properties": {"x": {"type": "string", "description": "X."}}, "required": ["x"],
                    "additionalProperties": false,
                },
                "output_schema": {"type": "object", "properties": {}},
            }],
            "resources": [{
                "name": "r", "full_name": "n__r", "uri": "r://x", "title": null, "doc": "R.", "mime": "text/plain",
                "cache": {"ttl_ms": 1, "scope": "public"}, "icons": [], "meta": {}, "deprecated": null,
                "arguments": [], "errors": [],
            }],
            "prompts": [{
                "name": "p", "full_name": "n__p", "title": null, "doc": "P.", "icons": [], "meta": {}, "deprecated": null,
                "arguments": [{
                    "name": "v", "title": null, "doc": "V.", "optional": true, "deprecated": null,
                    "schema": {"type": "string"}, "completion": null,
                }],
                "errors": [],
            }],
        },
        "projections": {"inline": {"hash": "h"}},
    });
    change(&mut document);
    document
}

/// The value at a place of the document's `contract`.
fn at<'a>(document: &'a mut Json, pointer: &str) -> &'a mut Json {
    document.pointer_mut(&format!("/contract{pointer}")).unwrap()
}

fn changes(old: impl FnOnce(&mut Json), new: impl FnOnce(&mut Json)) -> Vec<Change> {
    diff(&document(old), &document(new), Promises::default())
}

/// The ids and verdicts of all rows.
fn rows(changes: &[Change]) -> Vec<(&'static str, Verdict)> {
    changes.iter().map(|change| (change.rule.id, change.verdict)).collect()
}

#[test]
fn the_same_has_no_rows() {
    assert_eq!(changes(|_| (), |_| ()), []);
    // Nor a release without a change.
    assert_eq!(changes(|_| (), |document| document["version"] = json!("2.0.0")), []);
}

#[test]
fn every_rule_has_a_minimal_pair() {
    let shown: BTreeSet<&str> =
        facts::PAIRS.iter().map(|pair| pair.0).chain(schemas::pairs().into_iter().map(|pair| pair.rule)).collect();
    let known: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
    assert_eq!(shown, known);
}

/// What the document says and no rule looks at would be missed: each leaf is changed, and must have a row of a rule that
/// knows it.
#[test]
fn every_fact_of_a_document_is_looked_at() {
    fn leaves(value: &Json, at: String, found: &mut Vec<String>) {
        match value {
            Json::Object(members) if !members.is_empty() => {
                members.iter().for_each(|(key, member)| leaves(member, format!("{at}/{key}"), found));
            }
            Json::Array(items) if !items.is_empty() => {
                items.iter().enumerate().for_each(|(index, item)| leaves(item, format!("{at}/{index}"), found));
            }
            _ => found.push(at),
        }
    }
    let plain = document(|_| ());
    let mut all = Vec::new();
    leaves(&plain["contract"], "/contract".to_owned(), &mut all);
    assert!(all.len() > 70, "{}", all.len());
    for place in all {
        // The names by which things are found again are not facts of their own; what is no word of that fact is unknown.
        if place.ends_with("/full_name") || place.ends_with("/modern") {
            continue;
        }
        let mut other = plain.clone();
        let leaf = other.pointer_mut(&place).unwrap();
        *leaf = match &*leaf {
            Json::Bool(value) => json!(!*value),
            Json::String(value) => json!(format!("{value}2")),
            Json::Number(_) => json!(7),
            Json::Null => json!("new"),
            Json::Array(_) => json!([{"name": "new"}]),
            Json::Object(_) => json!({"read_only": true}),
        };
        let rows = diff(&plain, &other, Promises::default());
        assert!(!rows.is_empty(), "{place} changed, and nothing says so");
        assert!(rows.iter().all(|row| row.rule.id != "unknown_fact"), "{place}: {rows:?}");
    }
}

#[test]
fn what_this_version_does_not_know_is_not_passed_over() {
    let rows = rows(&changes(|_| (), |document| at(document, "/nodes/0")["telepathy"] = json!(true)));
    assert_eq!(rows, [("unknown_fact", Verdict::Warning)]);
}
