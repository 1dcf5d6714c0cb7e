//! The manifest: as text, and for the outputs of tools, which MCP does not always tell.

use std::collections::BTreeMap;

use serde_json::Value;

use super::contract;
use super::table::{self, Line};
use super::words;
use crate::cli::Projection;
use crate::output;
use crate::target::Target;
use crate::tools::{self, name};

/// The outputs of every tool, by its name. `tools/list` leaves them out where a picture is among them; a target without
/// a manifest has none.
pub(crate) async fn outputs(target: &Target) -> BTreeMap<String, Vec<Line>> {
    let printed = match target {
        Target::Program(program) => program.print(Projection::Manifest, None),
        Target::Remote(remote) => remote.document("manifest").await,
        Target::Document(document) => return outputs_of(document.json()),
        Target::Command(_) => return BTreeMap::new(),
    };
    // Without a manifest the view only knows less.
    outputs_of(&printed.and_then(|printed| output::json(&printed)).unwrap_or_default())
}

/// Those that a manifest tells, or a contract.
fn outputs_of(document: &Value) -> BTreeMap<String, Vec<Line>> {
    let functions = functions(document).map(|function| {
        let schema = function.pointer("/nodecast/output_schema");
        (name(function).to_owned(), in_words(list(function, "output_ports"), schema))
    });
    let nodes = contract::nodes(document)
        .map(|node| (contract::full_name(node).to_owned(), in_words(list(node, "outputs"), node.get("output_schema"))));
    functions.chain(nodes).collect()
}

/// A manifest as text: a table a function.
pub(crate) fn text(manifest: &Value) -> String {
    let texts = functions(manifest).map(|function| {
        let hints = function.pointer("/nodecast/hints").map(table::hints).unwrap_or_default();
        let inputs = list(function, "input_ports").iter().map(port).collect::<Vec<_>>();
        let config = list(function, "ui_config/config_fields").iter().map(field).collect::<Vec<_>>();
        let sections = [("input", inputs), ("config", config), ("output", output_lines(function))];
        table::entry(name(function), &hints, word(function, "description"), &sections)
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn functions(manifest: &Value) -> impl Iterator<Item = &Value> {
    tools::documents(manifest, "functions").into_iter().flat_map(|manifest| tools::entries(manifest, "functions"))
}

/// With the words of the schema's type in place of a wire type, which is coarser, and the fields of what has some.
fn in_words(ports: &[Value], schema: Option<&Value>) -> Vec<Line> {
    let schema = schema.map(nodecast::schema::inline);
    let of_port = |port: &str| schema.as_ref()?.get("properties")?.get(port);
    let lines = ports.iter().flat_map(|port| {
        let line = Line { default: String::new(), ..self::port(port) };
        match (line.ty.as_str(), of_port(&line.name)) {
            ("IMAGE", _) => vec![Line { ty: "image".to_owned(), ..line }],
            ("LIST[IMAGE]", _) => vec![Line { ty: "list of image".to_owned(), ..line }],
            (_, Some(schema)) => table::with_fields(Line { ty: words::of(schema), ..line }, schema, false),
            (_, None) => vec![line],
        }
    });
    lines.collect()
}

fn output_lines(function: &Value) -> Vec<Line> {
    list(function, "output_ports").iter().map(|port| Line { default: String::new(), ..self::port(port) }).collect()
}

/// A port, of a manifest or of a contract.
pub(crate) fn port(port: &Value) -> Line {
    let optional = port.get("optional") == Some(&Value::Bool(true));
    Line {
        name: name(port).to_owned(),
        ty: word(port, "wire_type").to_owned(),
        default: if optional { "optional" } else { "required" }.to_owned(),
        doc: word(port, if port.get("doc").is_some() { "doc" } else { "description" }).to_owned(),
    }
}

/// A config field, of a manifest or of a contract.
pub(crate) fn field(field: &Value) -> Line {
    let number = |key: &str| field.get(key).filter(|value| !value.is_null()).map(words::scalar);
    let range = match (number("min"), number("max")) {
        (Some(min), Some(max)) => format!(" {min}…{max}"),
        _ => String::new(),
    };
    let step = number("step").map(|step| format!(" step {step}")).unwrap_or_default();
    let options = list(field, "options").iter().filter_map(|option| option.get("value").or_else(|| option.get(0)));
    let options = options.map(words::scalar);
    let options = options.collect::<Vec<_>>().join(" | ");
    let ty = if options.is_empty() { format!("{}{range}{step}", word(field, "field_type")) } else { options };
    Line {
        name: name(field).to_owned(),
        ty,
        default: number("default").unwrap_or_default(),
        doc: word(field, "label").to_owned(),
    }
}

fn list<'a>(value: &'a Value, path: &str) -> &'a [Value] {
    value.pointer(&format!("/{path}")).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn word<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}
