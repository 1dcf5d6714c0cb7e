//! One entry into a file that is somebody's: comments, order and everything else stay as they are.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstInputValue, CstObject, CstRootNode};
use serde_json::{Map, Value};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

use super::client::Syntax;

/// What the entry met.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Merged {
    /// The file has it already.
    Same,
    /// There was none of that name; the new text.
    Added(String),
    /// There was another of that name; the text with the new one in its place.
    Replaced(String),
}

/// Puts `entry` under `keys` and `name` into `text`; fails with what is wrong with the text.
pub(super) fn merge(syntax: Syntax, text: &str, keys: &[String], name: &str, entry: &Value) -> Result<Merged, String> {
    match syntax {
        Syntax::Json => json(text, keys, name, entry),
        Syntax::Toml => toml(text, keys, name, entry),
    }
}

/// The smallest file with the entry in it.
pub(super) fn alone(syntax: Syntax, keys: &[String], name: &str, entry: &Value) -> Result<String, String> {
    match syntax {
        Syntax::Json => {
            let whole = keys.iter().rev().fold(object(name, entry.clone()), |inner, key| object(key, inner));
            Ok(format!("{whole:#}\n"))
        }
        Syntax::Toml => match toml("", keys, name, entry)? {
            Merged::Added(text) | Merged::Replaced(text) => Ok(text),
            Merged::Same => Ok(String::new()),
        },
    }
}

fn object(key: &str, value: Value) -> Value {
    Value::Object(Map::from_iter([(key.to_owned(), value)]))
}

fn json(text: &str, keys: &[String], name: &str, entry: &Value) -> Result<Merged, String> {
    // Nothing yet, as after a first start of the client.
    let text = if text.trim().is_empty() { "{}\n" } else { text };
    let root = CstRootNode::parse(text, &options()).map_err(|error| error.to_string())?;
    let mut place = root.object_value().ok_or("it is not a JSON object")?;
    for key in keys {
        place = child(&place, key)?;
    }
    let merged = match place.get(name) {
        Some(property) if property.to_serde_value().as_ref() == Some(entry) => return Ok(Merged::Same),
        Some(property) => {
            property.set_value(input(entry));
            Merged::Replaced
        }
        None => {
            place.append(name, input(entry));
            Merged::Added
        }
    };
    Ok(merged(root.to_string()))
}

fn child(parent: &CstObject, key: &str) -> Result<CstObject, String> {
    if parent.get(key).is_none() {
        parent.append(key, CstInputValue::Object(Vec::new()));
    }
    let object = parent.object_value(key).ok_or_else(|| format!("its `{key}` is not an object"))?;
    object.ensure_multiline();
    Ok(object)
}

/// JSON with the comments and the last commas that editors' files have, and nothing else.
fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_trailing_commas: true,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(values) => CstInputValue::Array(values.iter().map(input).collect()),
        Value::Object(members) => {
            CstInputValue::Object(members.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}

fn toml(text: &str, keys: &[String], name: &str, entry: &Value) -> Result<Merged, String> {
    let mut document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| error.to_string())?;
    let mut place: &mut dyn TableLike = document.as_table_mut();
    for key in keys {
        let item = place.entry(key).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        place = item.as_table_like_mut().ok_or_else(|| format!("its `{key}` is not a table"))?;
    }
    let new = table(entry);
    let merged = match place.get(name) {
        Some(old) if plain(old) == plain(&new) => return Ok(Merged::Same),
        Some(_) => Merged::Replaced,
        None => Merged::Added,
    };
    place.insert(name, new);
    Ok(merged(document.to_string()))
}

fn table(entry: &Value) -> Item {
    let members = entry.as_object().into_iter().flatten();
    let mut table = Table::new();
    for (key, value) in members {
        table.insert(key, Item::Value(toml_value(value)));
    }
    Item::Table(table)
}

fn toml_value(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Array(values) => values.iter().map(toml_value).collect::<Array>().into(),
        Value::Object(members) => {
            members.iter().map(|(key, value)| (key.as_str(), toml_value(value))).collect::<InlineTable>().into()
        }
        Value::String(text) => text.as_str().into(),
        // Entries hold neither numbers nor nulls.
        other => other.to_string().into(),
    }
}

/// What an item says, however it is written.
fn plain(item: &Item) -> Option<toml::Value> {
    let mut document = DocumentMut::new();
    document.insert("item", item.clone());
    toml::from_str::<toml::Table>(&document.to_string()).ok()?.remove("item")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys(key: &str) -> Vec<String> {
        vec![key.to_owned()]
    }

    fn merged(syntax: Syntax, text: &str, entry: &Value) -> Merged {
        let key = if syntax == Syntax::Json { "mcpServers" } else { "mcp_servers" };
        merge(syntax, text, &keys(key), "vision", entry).unwrap()
    }

    #[test]
    fn comments_order_and_layout_of_json_stay() {
        let before = "{\n    // mine\n    \"theme\": \"dark\",\n    \"mcpServers\": {\n        \"other\": { \"url\": \"x\" }, // keep\n    },\n    \"last\": 1.50\n}\n";
        let entry = json!({"command": "/bin/host", "args": ["--stdio"]});
        let Merged::Added(after) = merged(Syntax::Json, before, &entry) else { panic!("not added") };
        // Where the file ends its lists with a comma, so does what is added.
        assert_eq!(
            after,
            "{\n    // mine\n    \"theme\": \"dark\",\n    \"mcpServers\": {\n        \"other\": { \"url\": \"x\" }, // keep\n        \"vision\": {\n            \"command\": \"/bin/host\",\n            \"args\": [\"--stdio\"],\n        },\n    },\n    \"last\": 1.50\n}\n"
        );
        assert_eq!(merged(Syntax::Json, &after, &entry), Merged::Same);
        let other = json!({"url": "http://h/mcp"});
        let Merged::Replaced(replaced) = merged(Syntax::Json, &after, &other) else { panic!("not replaced") };
        assert!(replaced.contains("// keep") && !replaced.contains("/bin/host"), "{replaced}");
    }

    #[test]
    fn an_empty_file_becomes_one() {
        for empty in ["", "\n", "{}"] {
            let Merged::Added(after) = merged(Syntax::Json, empty, &json!({"url": "u"})) else { panic!("not added") };
            let read: Value = serde_json::from_str(&after).unwrap();
            assert_eq!(read, json!({"mcpServers": {"vision": {"url": "u"}}}), "{after}");
        }
    }

    #[test]
    fn comments_and_order_of_toml_stay() {
        let before = "model = \"o\" # mine\n\n[mcp_servers.other]\nurl = \"x\"\n\n[tui]\ntheme = \"dark\"\n";
        let entry = json!({"command": "/bin/host", "args": ["--stdio"], "env": {"A": "b"}});
        let Merged::Added(after) = merged(Syntax::Toml, before, &entry) else { panic!("not added") };
        assert!(after.starts_with("model = \"o\" # mine\n\n[mcp_servers.other]\nurl = \"x\"\n"), "{after}");
        assert!(after.contains("[tui]\ntheme = \"dark\"\n"), "{after}");
        let new = "[mcp_servers.vision]\ncommand = \"/bin/host\"\nargs = [\"--stdio\"]\nenv = { A = \"b\" }\n";
        assert!(after.contains(new), "{after}");
        assert_eq!(merged(Syntax::Toml, &after, &entry), Merged::Same);
        let written_otherwise =
            "[mcp_servers.vision]\nargs = [ '--stdio', ]\ncommand = '/bin/host'\n[mcp_servers.vision.env]\nA = 'b'\n";
        assert_eq!(merged(Syntax::Toml, written_otherwise, &entry), Merged::Same);
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        let entry = json!({});
        for (syntax, text) in [
            (Syntax::Json, "{"),
            (Syntax::Json, "[]"),
            (Syntax::Json, "{\"mcpServers\": []}"),
            (Syntax::Json, "{mcpServers: {}}"),
            (Syntax::Toml, "mcp_servers = 1"),
            (Syntax::Toml, "[mcp_servers"),
        ] {
            let key = if syntax == Syntax::Json { "mcpServers" } else { "mcp_servers" };
            assert!(merge(syntax, text, &keys(key), "vision", &entry).is_err(), "{text}");
        }
    }
}
