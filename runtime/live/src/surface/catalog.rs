//! What is served: the declared table with the names of one application in it.

use nodecast::Error;
use nodecast::catalog::{Catalog, Entry, Resource, Text};
use serde_json::{Value as Json, json};

use super::arguments::{LONGEST_WAIT, MOST_MESSAGES};
use super::{STATE, Surface};
use crate::live::Shared;
use crate::message::Messages;
use crate::serve::Options;

/// How long a version is waited for where nobody says, in milliseconds.
pub(super) const DEFAULT_WAIT: u64 = 5_000;

/// A catalog of these rows of the table.
pub(super) struct Fitted {
    pub(super) catalog: Catalog,
    /// The row of the table behind each entry.
    pub(super) rows: Vec<usize>,
    /// What each resource reads.
    pub(super) reads: Vec<Read>,
}

/// What a resource reads.
pub(super) enum Read {
    /// The whole state.
    State,
    /// The value of this name.
    Value(Text),
    /// The value that the URI names.
    Named,
}

/// The catalog of one application, under its name.
pub(super) fn fitted(name: &str, live: &Shared, options: &Options) -> Result<Fitted, Error> {
    let mut catalog = Catalog::of::<Surface>()?;
    catalog.name = Text::Owned(name.to_owned());
    let all = std::mem::take(&mut catalog.entries).into_iter().enumerate();
    let (rows, entries): (Vec<usize>, Vec<Entry>) = all
        .filter_map(|(row, entry)| Some((row, self::entry(entry, live.messages().map(|all| &**all), options)?)))
        .unzip();
    catalog.instructions = Some(instructions(&entries).into());
    catalog.entries = entries;
    let declared = std::mem::take(&mut catalog.resources);
    let mut reads = Vec::new();
    for resource in declared {
        if resource.is_template() {
            for value in live.names() {
                catalog.resources.push(of_value(&resource, value.clone()));
                reads.push(Read::Value(value.clone()));
            }
            catalog.resources.push(resource);
            reads.push(Read::Named);
        } else {
            catalog.resources.push(resource);
            reads.push(Read::State);
        }
    }
    Ok(Fitted { catalog, rows, reads })
}

/// An entry with what only the application knows; none for one that has no use there.
fn entry(mut entry: Entry, messages: Option<&Messages>, options: &Options) -> Option<Entry> {
    match &*entry.name {
        "dispatch" => {
            let messages = messages?;
            let lines: Vec<_> = messages.lines().map(|line| format!("- {line}")).collect();
            entry.doc = format!("{}\n\nMessages:\n{}", entry.doc, lines.join("\n")).into();
            entry.input_schema = closed(&[], json!(sequence(messages)));
        }
        "wait_version" => {
            entry.input_schema = closed(
                &["version"],
                json!({
                    "version": {
                        "type": "integer", "minimum": 0, "description": "The version; a later one will do too.",
                    },
                    "timeoutMs": {
                        "type": "integer", "minimum": 0, "maximum": LONGEST_WAIT, "default": DEFAULT_WAIT,
                        "description": "How long to wait, in milliseconds.",
                    },
                }),
            );
        }
        "explain" => {
            let described = json!({
                "type": "string", "description": "An exposed name, a node's name, `#id`, or a path.",
            });
            let mut properties = json!({ "node": described });
            if let (Some(messages), Some(properties)) = (messages, properties.as_object_mut()) {
                properties.extend(sequence(messages).remove_entry("messages"));
            }
            entry.input_schema = closed(&["node"], properties);
        }
        "trace_state" | "trace_lookup" | "why" | "why_not" | "waiting_on" if !options.raw_trace_tools => return None,
        _ => {}
    }
    if options.always_load && matches!(&*entry.name, "dispatch" | "explain") {
        entry.meta.insert("anthropic/alwaysLoad".to_owned(), true.into());
    }
    Some(entry)
}

/// The arguments that say which messages are sent.
pub(super) fn sequence(messages: &Messages) -> serde_json::Map<String, Json> {
    let name = json!({ "type": "string", "enum": messages.names().collect::<Vec<_>>() });
    let args = json!({ "type": "object", "description": "Its arguments, by the shape of the message." });
    let described = |mut schema: Json, text: &str| {
        if let Some(schema) = schema.as_object_mut() {
            schema.insert("description".to_owned(), text.into());
        }
        schema
    };
    let one = closed(&["message"], json!({ "message": name.clone(), "args": args.clone() }));
    let several = json!({
        "type": "array", "minItems": 1, "maxItems": MOST_MESSAGES, "items": one,
        "description": "Several messages, in order; in place of `message`.",
    });
    let members = [("message", described(name, "The name of one message.")), ("args", args), ("messages", several)];
    members.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

/// A plain object: no union at its root, which some clients cannot read.
fn closed(required: &[&str], properties: Json) -> Json {
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if let (false, Some(schema)) = (required.is_empty(), schema.as_object_mut()) {
        schema.insert("required".to_owned(), json!(required));
    }
    schema
}

/// The resource of one value.
fn of_value(template: &Resource, name: Text) -> Resource {
    Resource {
        name: format!("state.{name}").into(),
        full_name: format!("state.{name}").into(),
        uri: format!("{STATE}/{name}").into(),
        doc: format!("The value `{name}`, with the version that it is of.").into(),
        arguments: Vec::new(),
        ..template.clone()
    }
}

/// What a model is told to do first; names no tool that is not there.
fn instructions(entries: &[Entry]) -> String {
    let has = |name: &str| entries.iter().any(|entry| entry.name == name);
    if has("explain") && has("dispatch") {
        "A running application. To find why a value is wrong, begin with `explain {node, messages}`: it sends the messages \
         and says why the node holds its value. Fix the line that it names, and run the same call again."
            .to_owned()
    } else if has("explain") {
        "A running application. To find why a value is wrong, begin with `explain {node}`: it says why the node holds its \
         value. Fix the line that it names, and run the same call again. `snapshot` shows all values."
            .to_owned()
    } else if has("dispatch") {
        "A running application. Send messages with `dispatch`, whose result tells what each has changed; then `snapshot` \
         shows all values."
            .to_owned()
    } else {
        "A running application. `snapshot` shows all values; `wait_version` waits for the next change.".to_owned()
    }
}
