//! What of a container a client can rely on.

use serde_json::{Value as Json, json};

use crate::catalog::{Container, State};

/// The facts of one container.
pub(super) fn facts(container: &Container) -> Json {
    let Container { id, label, doc, states } = container;
    let states = states.iter().map(|state| {
        // How it is read is what its schema says.
        let State { name, doc, reducer, value_type, max_size, initial, lifetime, reset_on, checked, normal: _ } = state;
        json!({
            "name": name,
            "doc": doc,
            "reducer": reducer.as_str(),
            "value_type": value_type,
            "max_size": max_size,
            "initial": initial,
            "lifetime": lifetime.as_str(),
            "reset_on": reset_on,
            "schema": checked,
        })
    });
    json!({ "id": id, "label": label, "doc": doc, "states": states.collect::<Vec<_>>() })
}
