//! What a hand-written schema asks of all arguments together, beside what each field's type asks.

use super::{Arg, Finding, Validator, escape};
use crate::wire::{Map, Value};

/// What is wrong with the arguments as a whole.
///
/// Only what was sent counts: the schema is published to whoever sends, so defaults are no part of it.
pub(super) fn findings(validator: &Validator, slots: &mut [Arg]) -> Vec<Finding> {
    // Taken and put back, since values may be large.
    let sent: Map = slots.iter_mut().filter_map(|slot| Some((slot.name.to_string(), slot.value.take()?))).collect();
    let whole = Value::Map(sent);
    let findings = validator.findings(&whole);
    if let Value::Map(sent) = whole {
        for (name, value) in sent {
            if let Some(slot) = slots.iter_mut().find(|slot| name.as_text() == Some(&slot.name)) {
                slot.value = Some(value);
            }
        }
    }
    let origin = |finding: &Finding| {
        let first = finding.pointer.split('/').nth(1).unwrap_or_default();
        slots.iter().find(|slot| escape(&slot.name) == first).map_or("", |slot| slot.origin.pointer())
    };
    let at_its_origin = |finding: Finding| {
        let origin = origin(&finding);
        finding.under(origin)
    };
    findings.into_iter().map(at_its_origin).collect()
}

/// Adds what is wrong with the whole; a place that is known to be wrong is not told twice.
pub(super) fn add(findings: &mut Vec<Finding>, together: Vec<Finding>) {
    let new: Vec<Finding> =
        together.into_iter().filter(|one| !findings.iter().any(|known| known.pointer == one.pointer)).collect();
    findings.extend(new);
}
