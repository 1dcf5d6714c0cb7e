//! The manifest document that a graph framework reads (`wire.md` 3): a pure reading of the catalog.
//!
//! The framework's client builds config and display fields by exact keyword, so their keys are closed; what is ours
//! stands under one key `nodecast`, last in its object.

mod arrays;
mod containers;
mod read;

use serde_json::{Map, Value as Json, json};

pub use read::{NoManifest, functions};

use crate::catalog::{Catalog, Config, Entry, Field};
use crate::decl::{Batching, DisplayDecl, JsonForm, OutputShape};
use crate::wire;

/// The one key of ours, last in its object.
pub const OURS: &str = "nodecast";

/// What of the running server stands in the manifest; no part of the contract.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest body of a call, in bytes.
    pub max_body: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_body: 64 << 20 }
    }
}

/// The document of one nodeset; `contract` is its hash.
pub fn document(catalog: &Catalog, contract: &str, limits: Limits) -> Json {
    let mut ours = Map::new();
    ours.insert("contract".into(), contract.into());
    insert_some(&mut ours, "title", catalog.title.as_deref());
    insert_some(&mut ours, "instructions", catalog.instructions.as_deref());
    ours.insert("parallelism".into(), catalog.parallelism.as_str().into());
    ours.insert("exclusive".into(), catalog.is_exclusive().into());
    if catalog.is_exclusive() {
        ours.insert("gated".into(), json!(catalog.exclusivity.gated()));
    }
    ours.insert("env_panel".into(), catalog.panel.is_some().into());
    ours.insert("regimes".into(), json!(["json", "msgpack"]));
    ours.insert("limits".into(), json!({"max_body": limits.max_body, "max_depth": wire::MAX_DEPTH}));
    json!({
        "name": catalog.name,
        "version": "1.0",
        "description": catalog.doc,
        "functions": catalog.functions().map(function).collect::<Vec<_>>(),
        "containers": catalog.containers.iter().map(containers::container).collect::<Vec<_>>(),
        OURS: ours,
    })
}

/// Takes what is ours out of a document, as a framework expects that refuses what it does not know.
pub fn strip(document: &mut Json) {
    let Some(members) = document.as_object_mut() else { return };
    members.shift_remove(OURS);
    let functions = members.get_mut("functions").and_then(Json::as_array_mut).into_iter().flatten();
    for function in functions.filter_map(Json::as_object_mut) {
        function.shift_remove(OURS);
        for ports in ["input_ports", "output_ports"] {
            let ports = function.get_mut(ports).and_then(Json::as_array_mut).into_iter().flatten();
            ports.filter_map(Json::as_object_mut).for_each(|port| drop(port.shift_remove(OURS)));
        }
    }
}

/// One element of `functions`.
pub fn function(entry: &Entry) -> Json {
    let ports = entry.inputs.iter().filter(|field| field.config.is_none());
    let config_fields = entry.inputs.iter().filter_map(|field| Some(config_field(field, field.config.as_ref()?)));
    let mut ours = Map::new();
    insert_some(&mut ours, "title", entry.title.as_deref());
    let hints: Map<String, Json> =
        entry.hints.declared().map(|(name, declared)| (name.to_owned(), declared.into())).collect();
    ours.insert("hints".into(), Json::Object(hints));
    if let Some(Batching { max, wait_ms, concurrency: _ }) = entry.batched {
        ours.insert("batched".into(), json!({"max": max, "wait_ms": wait_ms}));
    }
    if entry.shape == OutputShape::FireList {
        ours.insert("fire_list".into(), true.into());
    }
    ours.insert("input_schema".into(), entry.input_schema.clone());
    ours.insert("output_schema".into(), entry.output_schema.clone());
    json!({
        "name": entry.full_name,
        "description": entry.description(),
        "input_ports": ports.map(port).collect::<Vec<_>>(),
        "output_ports": entry.outputs.iter().map(port).collect::<Vec<_>>(),
        "config_schema": {},
        "ui_config": {
            "color": "",
            "layout": "block",
            "width": "",
            "min_height": "",
            "rounding": "",
            "min_width": "",
            "max_width": "",
            "config_fields": config_fields.collect::<Vec<_>>(),
            "display_fields": entry.outputs.iter().filter_map(display_field).collect::<Vec<_>>(),
        },
        OURS: ours,
    })
}

fn port(field: &Field) -> Json {
    let mut port = json!({
        "name": field.name,
        "wire_type": field.wire_type,
        "description": field.doc,
        "optional": field.optional,
    });
    let JsonForm { integers_as_text, non_finite_as_null } = field.form;
    let mut ours = Map::new();
    insert_some(&mut ours, "title", field.title.as_deref());
    arrays::describe(&mut ours, &field.checked);
    insert_some(&mut ours, "nan", non_finite_as_null.then_some("null"));
    insert_some(&mut ours, "int64", integers_as_text.then_some("string"));
    if let (false, Some(port)) = (ours.is_empty(), port.as_object_mut()) {
        port.insert(OURS.into(), Json::Object(ours));
    }
    port
}

fn display_field(field: &Field) -> Option<Json> {
    let DisplayDecl { widget, label, max_visible, accumulate } = field.display?;
    Some(json!({
        "name": field.name,
        "display_type": widget.as_str(),
        "label": label,
        "data_key": field.name,
        "max_visible": max_visible,
        "accumulate": accumulate,
    }))
}

fn config_field(field: &Field, config: &Config) -> Json {
    let options = config.options.as_ref().map(|options| {
        options.iter().map(|(value, label)| json!({"value": value, "label": label})).collect::<Vec<_>>()
    });
    json!({
        "name": field.name,
        "field_type": config.field_type,
        "label": config.label,
        "default": config.default,
        "min": config.min,
        "max": config.max,
        "step": config.step,
        "options": options,
        "placeholder": config.placeholder,
        "show_persist_toggle": config.persist,
        "section": config.section.as_str(),
        "on_card": config.on_card,
        "unset_label": config.unset_label,
    })
}

fn insert_some(object: &mut Map<String, Json>, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        object.insert(key.to_owned(), value.into());
    }
}
