//! The manifest: as text, and for the outputs of tools, which MCP does not always tell.

use std::collections::BTreeMap;

use serde_json::Value;

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
        Target::Program(program) => program.print(Projection::Manifest),
        Target::Remote(remote) => remote.document("manifest").await,
        Target::Command(_) | Target::Document(_) => return BTreeMap::new(),
    };
    // Without a manifest the view only knows less.
    let manifest = printed.and_then(|printed| output::json(&printed)).unwrap_or_default();
    functions(&manifest).map(|function| (name(function).to_owned(), outputs_in_words(function))).collect()
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

/// With the words of an argument's type in place of a wire type, which is coarser.
fn outputs_in_words(function: &Value) -> Vec<Line> {
    let schema = |name: &str| function.pointer("/nodecast/output_schema/properties").and_then(|all| all.get(name));
    let in_words = |line: Line| {
        let ty = match (line.ty.as_str(), schema(&line.name)) {
            ("IMAGE", _) => "image".to_owned(),
            ("LIST[IMAGE]", _) => "list of image".to_owned(),
            (_, Some(schema)) => words::of(schema),
            (wire_type, None) => wire_type.to_owned(),
        };
        Line { ty, ..line }
    };
    output_lines(function).into_iter().map(in_words).collect()
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
