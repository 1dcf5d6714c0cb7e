//! Containers as a graph framework reads them (`wire.md` 3).

use serde_json::{Map, Value as Json, json};

use crate::catalog::{Container, State};
use crate::decl::Lifetime;

/// One element of `containers`.
pub(super) fn container(container: &Container) -> Json {
    let states: Map<String, Json> =
        container.states.iter().map(|state| (state.name.to_string(), self::state(state))).collect();
    json!({
        "id": container.id,
        "label": container.label,
        // Where an editor puts it is the editor's to say.
        "position": { "x": 0.0, "y": 0.0 },
        "states": states,
    })
}

/// What is as it is by default is left out.
fn state(state: &State) -> Json {
    let mut members = Map::new();
    members.insert("type".to_owned(), state.reducer.as_str().into());
    members.insert("value_type".to_owned(), state.value_type.as_ref().into());
    let mut config = Map::new();
    if let Some(most) = state.max_size {
        config.insert("max_size".to_owned(), most.into());
    }
    if let Some(initial) = &state.initial {
        config.insert("initial_value".to_owned(), initial.clone());
    }
    if !config.is_empty() {
        members.insert("config".to_owned(), config.into());
    }
    if state.lifetime != Lifetime::default() {
        members.insert("lifetime".to_owned(), state.lifetime.as_str().into());
    }
    if !state.reset_on.is_empty() {
        members.insert("reset_on".to_owned(), json!(state.reset_on));
    }
    members.into()
}
