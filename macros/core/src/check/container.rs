//! Containers: ids, names and signals.

use super::names;
use super::types::{self, Context, Direction};
use crate::errors::Errors;
use crate::model::{Container, LifetimeRule, Name, State};
use crate::symbol::{self, CUSTOM, LIFETIME, NAME, NDARRAY, RESET_ON, STATE, VALUE_TYPE, VALUE_TYPES};

pub(crate) fn container(errors: &mut Errors, container: &Container) {
    names::container(errors, &container.id);
    for (at, state) in container.states.iter().enumerate() {
        let before = container.states.get(..at).unwrap_or_default();
        name(errors, state, before);
        // Integers of 128 bits are found at start: there is no word here that would send them as text.
        types::check(errors, &state.ty, Context { direction: Direction::Input, attribute: STATE, as_string: true });
        signals(errors, state);
        if let Some(text) = &state.value_type
            && !VALUE_TYPES.iter().any(|known| text.value() == known.0)
        {
            let way_out = match symbol::nearest(&text.value().to_uppercase(), VALUE_TYPES) {
                Some(word) => format!("write `{VALUE_TYPE} = \"{word}\"`"),
                None => format!("expected {}", symbol::list(VALUE_TYPES)),
            };
            errors.error(text, format!("unknown value type `{}`; {way_out}", text.value()));
        }
    }
}

fn name(errors: &mut Errors, state: &State, before: &[State]) {
    let Name { text, span } = &state.name;
    if text.is_empty() {
        errors.at(*span, format!("the name of a state cannot be empty; remove `{NAME}`, or write one"));
    }
    if *text == NDARRAY.0 {
        errors.at(*span, format!("`{NDARRAY}` marks an array in JSON, so no state can have this name; rename it"));
    }
    let is_same = |other: &&State| other.name.text == *text && !state.cfgs.may_differ(&other.cfgs);
    if let Some(other) = before.iter().find(is_same) {
        let (first, second) = (&other.ident, &state.ident);
        let message =
            format!("`{first}` and `{second}` are both named `{text}`; rename one with `#[{STATE}({NAME} = \"…\")]`");
        errors.at(*span, message);
    }
}

fn signals(errors: &mut Errors, state: &State) {
    for (at, signal) in state.reset_on.iter().enumerate() {
        if signal.value().is_empty() {
            errors.error(signal, "the name of a signal cannot be empty; write one, such as `\"moved\"`");
        } else if state.reset_on.iter().take(at).any(|other| other.value() == signal.value()) {
            errors
                .error(signal, format!("the signal `{}` stands in `{RESET_ON}(…)` twice; remove one", signal.value()));
        }
    }
    if let Some(lifetime) = state.lifetime
        && lifetime.said == LifetimeRule::Custom
        && state.reset_on.is_empty()
    {
        let message = format!(
            "a state of the lifetime `\"{CUSTOM}\"` ends with signals of its own; add `{RESET_ON}(\"…\")`, or remove `{LIFETIME}`"
        );
        errors.at(lifetime.span, message);
    }
}
