//! `_exec`: the execution of a graph that a call is part of, and what it lends to the call (`wire.md` 6).

use std::sync::Arc;

use super::call::EXECUTION;
use super::codec::not_a_map;
use crate::Error;
use crate::call::{Broker, Containers, Dropped, Execution, Finding, Stage, nearest};
use crate::wire::{Map, Value};

const ID: &str = "execution_id";
const GRANTS: &str = "grants";

/// Who can lend what to a call of one nodeset.
pub(super) struct Lender<'a> {
    /// Those of the nodeset itself, which nobody needs to lend.
    pub(super) own: &'a Containers,
    /// Who has the others.
    pub(super) broker: Option<&'a Arc<dyn Broker>>,
    /// Whether the call runs with those of others.
    pub(super) batched: bool,
    /// Where names go that are no part of an execution, where the reference takes no note of them.
    pub(super) dropped: Option<&'a Dropped>,
}

/// What a failed call is told as part of, whatever else is wrong with what it says of its execution.
pub(super) fn named(sent: &Value) -> Option<Arc<Execution>> {
    let id = id(sent.as_map()?)?;
    Some(Arc::new(Execution { id: id.to_owned(), ..Execution::default() }))
}

fn id(execution: &Map) -> Option<&str> {
    execution.get(ID).and_then(Value::as_text).filter(|id| !id.is_empty())
}

impl Lender<'_> {
    /// Reads the execution; refuses what is none, and grants that nobody here can honour.
    pub(super) fn read(&self, execution: Value) -> Result<Option<Arc<Execution>>, Error> {
        let Value::Map(execution) = execution else { return Err(not_a_map("`_exec`", format!("/{EXECUTION}"))) };
        check(&execution, self.dropped)?;
        // Without an execution there is nothing that a grant could be part of.
        let Some(id) = id(&execution) else { return Ok(None) };
        let granted = execution.get(GRANTS).and_then(Value::as_list).unwrap_or_default();
        let grants: Vec<String> = granted.iter().filter_map(Value::as_text).map(str::to_owned).collect();
        if self.batched && !grants.is_empty() {
            return Err(Error::refused(vec![Finding {
                kind: "grants_on_batched",
                pointer: format!("/{EXECUTION}/{GRANTS}"),
                detail: "a batched node runs for several callers at once, so none can grant it a container".to_owned(),
                ..Finding::default()
            }]));
        }
        if self.broker.is_none() && grants.iter().any(|granted| self.own.find(granted).is_none()) {
            let detail = "the call grants containers, and this host knows no executor that has them; name it with --executor-url";
            return Err(Error::at(Stage::InternalRuntime, "grants_unavailable", detail));
        }
        Ok(Some(Arc::new(Execution { id: id.to_owned(), grants, broker: self.broker.cloned() })))
    }
}

fn check(execution: &Map, dropped: Option<&Dropped>) -> Result<(), Error> {
    let mut findings = Vec::new();
    for (key, value) in execution {
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
            (name, _) => match dropped {
                Some(dropped) => dropped.note(&format!("/{EXECUTION}"), name.unwrap_or_default()),
                None => findings.push(unknown(key)),
            },
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(Error::refused(findings)) }
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
