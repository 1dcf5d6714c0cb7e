//! `_exec`: the execution of a graph that a call is part of, and what it lends to the call (`wire.md` 6).

use super::call::{EXECUTION, not_a_map};
use crate::Error;
use crate::call::{Finding, Stage, nearest};
use crate::wire::Value;

const ID: &str = "execution_id";
const GRANTS: &str = "grants";

/// Refuses what is no execution, and grants that nobody here can honour.
pub(super) fn check(execution: Value, batched: bool) -> Result<(), Error> {
    let Value::Map(execution) = execution else { return Err(not_a_map("`_exec`", format!("/{EXECUTION}"))) };
    let mut findings = Vec::new();
    for (key, value) in &execution {
        match (key.as_text(), value) {
            (Some(ID | GRANTS), Value::Null) | (Some(ID), Value::Text(_)) => {}
            (Some(ID), _) => findings.push(not_text(format!("/{EXECUTION}/{ID}"), value)),
            (Some(GRANTS), Value::List(grants)) => {
                let wrong = grants.iter().enumerate().filter(|(_, grant)| grant.as_text().is_none());
                findings.extend(wrong.map(|(at, grant)| not_text(format!("/{EXECUTION}/{GRANTS}/{at}"), grant)));
            }
            (Some(GRANTS), _) => {
                findings.push(wrong(format!("/{EXECUTION}/{GRANTS}"), "a list of container ids", value));
            }
            _ => findings.push(unknown(key)),
        }
    }
    if !findings.is_empty() {
        return Err(Error::refused(findings));
    }
    let granted = execution.get(GRANTS).and_then(Value::as_list).is_some_and(|grants| !grants.is_empty());
    // Without an execution there is nothing that a grant could be part of.
    if !granted || execution.get(ID).is_none_or(Value::is_null) {
        return Ok(());
    }
    if batched {
        return Err(Error::refused(vec![Finding {
            kind: "grants_on_batched",
            pointer: format!("/{EXECUTION}/{GRANTS}"),
            detail: "a batched node runs for several callers at once, so none can grant it a container".to_owned(),
            ..Finding::default()
        }]));
    }
    let detail = "the call grants containers, and this host knows no executor that has them";
    Err(Error::at(Stage::InternalRuntime, "grants_unavailable", detail))
}

fn not_text(pointer: String, value: &Value) -> Finding {
    wrong(pointer, "text", value)
}

fn wrong(pointer: String, expected: &str, value: &Value) -> Finding {
    Finding {
        kind: "wrong_type",
        detail: format!("`{pointer}` must be {expected}, got {}", value.describe()),
        pointer,
        expected: Some(expected.to_owned()),
        ..Finding::default()
    }
}

fn unknown(key: &Value) -> Finding {
    let name = key.as_text().map_or_else(|| key.to_string(), str::to_owned);
    let nearest = nearest(&name, [ID, GRANTS]).map(str::to_owned);
    let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    Finding {
        kind: "unknown_field",
        pointer: format!("/{EXECUTION}/{}", crate::call::escape(&name)),
        detail: format!("`{name}` is no part of `{EXECUTION}`{way_out}"),
        known: vec![ID.to_owned(), GRANTS.to_owned()],
        nearest,
        ..Finding::default()
    }
}
