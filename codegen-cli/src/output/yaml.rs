//! JSON written as YAML 1.2: blocks instead of brackets, every scalar as JSON writes it, which YAML reads as the same.
//!
//! Only this direction is needed, and texts stay quoted, so that no reader takes `no` for a bool or `1.10` for a number.

use serde_json::Value;

/// The document, with a line break at its end.
pub(super) fn text(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text
}

/// Writes a value from where the line stands; further lines begin at `indent`. The last line is ended.
fn write(value: &Value, indent: usize, text: &mut String) {
    let begin = |index: usize, text: &mut String| {
        if index > 0 {
            text.push_str(&" ".repeat(indent));
        }
    };
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (index, (name, member)) in members.iter().enumerate() {
                begin(index, text);
                text.extend([key(name).as_str(), ":"]);
                if is_block(member) {
                    text.extend(["\n", " ".repeat(indent + 2).as_str()]);
                    write(member, indent + 2, text);
                } else {
                    text.extend([" ", member.to_string().as_str(), "\n"]);
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                begin(index, text);
                text.push_str("- ");
                write(item, indent + 2, text);
            }
        }
        scalar => text.extend([scalar.to_string().as_str(), "\n"]),
    }
}

fn is_block(value: &Value) -> bool {
    match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    }
}

/// A name that no reader takes for anything but text stands as it is.
fn key(name: &str) -> String {
    let mut chars = name.chars();
    let is_plain = chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && chars.all(|char| char.is_ascii_alphanumeric() || char == '_' || char == '-')
        && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(&name.to_lowercase().as_str());
    if is_plain { name.to_owned() } else { Value::from(name).to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::text;

    /// The layout as `PyYAML` 6 reads it back to the same value.
    #[test]
    fn blocks_are_indented_and_scalars_are_those_of_json() {
        let value = json!({"a": [1, {"b": "x: y", "c": []}, [true, null]], "no": {}, "$ref": {"d": 1.5}});
        let lines = [
            "a:",
            "  - 1",
            "  - b: \"x: y\"",
            "    c: []",
            "  - - true",
            "    - null",
            "\"no\": {}",
            "\"$ref\":",
            "  d: 1.5",
        ];
        assert_eq!(text(&value), lines.map(|line| format!("{line}\n")).concat());
        assert_eq!(text(&json!("x")), "\"x\"\n");
    }
}
