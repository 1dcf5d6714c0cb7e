//! Reads a manifest document that anybody may have made: what is wrong with it is found before it is used, with the
//! place and the way out.

use serde_json::Value as Json;

/// Why a document is no manifest.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {problem}", place(pointer))]
pub struct NoManifest {
    /// JSON pointer of what is wrong.
    pub pointer: String,
    /// What is there, and what should be.
    pub problem: String,
}

fn place(pointer: &str) -> String {
    if pointer.is_empty() { "the document".to_owned() } else { format!("`{pointer}`") }
}

/// The functions of a manifest document, ours or another's.
///
/// Only what a reader of functions relies on is checked: what is missing or null has its default, and members that
/// `wire.md` 3 does not know are nobody's mistake.
pub fn functions(document: &Json) -> Result<&[Json], NoManifest> {
    let Some(members) = document.as_object() else {
        return Err(wrong("", document, "an object with a list of `functions`"));
    };
    let Some(functions) = members.get("functions") else {
        let problem =
            "has no `functions`; a manifest is what `GET /manifest` answers, or `inspect --projection manifest`";
        return Err(NoManifest { pointer: String::new(), problem: problem.to_owned() });
    };
    let Some(list) = functions.as_array() else {
        return Err(wrong("/functions", functions, "a list"));
    };
    for (index, function) in list.iter().enumerate() {
        check_function(&format!("/functions/{index}"), function)?;
    }
    Ok(list)
}

fn check_function(at: &str, function: &Json) -> Result<(), NoManifest> {
    if !function.is_object() {
        return Err(wrong(at, function, "an object with a `name`"));
    }
    match function.get("name") {
        Some(Json::String(name)) if !name.is_empty() => {}
        Some(name) => return Err(wrong(&format!("{at}/name"), name, "the function's name")),
        None => return Err(NoManifest { pointer: at.to_owned(), problem: "has no `name`".to_owned() }),
    }
    for ports in ["input_ports", "output_ports"] {
        check_list(&format!("{at}/{ports}"), function.get(ports), "ports", &["name", "wire_type", "description"])?;
    }
    let ui = function.get("ui_config").filter(|ui| !ui.is_null());
    if let Some(wrong_ui) = ui.filter(|ui| !ui.is_object()) {
        return Err(wrong(&format!("{at}/ui_config"), wrong_ui, "an object"));
    }
    let fields = ui.and_then(|ui| ui.get("config_fields"));
    let place = format!("{at}/ui_config/config_fields");
    check_list(&place, fields, "config fields", &["name", "field_type", "label"])?;
    for (index, field) in fields.and_then(Json::as_array).into_iter().flatten().enumerate() {
        check_list(&format!("{place}/{index}/options"), field.get("options"), "options, each with a `value`", &[])?;
    }
    Ok(())
}

/// A list of objects whose members `texts` are text where they are.
fn check_list(at: &str, list: Option<&Json>, of: &str, texts: &[&str]) -> Result<(), NoManifest> {
    let Some(list) = list.filter(|list| !list.is_null()) else { return Ok(()) };
    let Some(items) = list.as_array() else { return Err(wrong(at, list, &format!("a list of {of}"))) };
    for (index, item) in items.iter().enumerate() {
        let at = format!("{at}/{index}");
        if !item.is_object() {
            return Err(wrong(&at, item, "an object"));
        }
        for key in texts {
            if let Some(member) = item.get(*key).filter(|member| !member.is_string() && !member.is_null()) {
                return Err(wrong(&format!("{at}/{key}"), member, "text"));
            }
        }
    }
    Ok(())
}

fn wrong(at: &str, found: &Json, expected: &str) -> NoManifest {
    let found = match found {
        Json::Null => "null",
        Json::Bool(_) => "a bool",
        Json::Number(_) => "a number",
        Json::String(text) if text.is_empty() => "empty",
        Json::String(_) => "text",
        Json::Array(_) => "a list",
        Json::Object(_) => "an object",
    };
    NoManifest { pointer: at.to_owned(), problem: format!("is {found}, and should be {expected}") }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::functions;

    #[test]
    fn what_is_no_manifest_is_told_with_its_place() {
        let cases = [
            (json!([]), "the document: is a list, and should be an object with a list of `functions`"),
            (json!({"functions": {}}), "`/functions`: is an object, and should be a list"),
            (json!({"functions": [{}]}), "`/functions/0`: has no `name`"),
            (json!({"functions": [{"name": ""}]}), "`/functions/0/name`: is empty, and should be the function's name"),
            (
                json!({"functions": [{"name": "f", "input_ports": "text"}]}),
                "`/functions/0/input_ports`: is text, and should be a list of ports",
            ),
            (
                json!({"functions": [{"name": "f", "input_ports": [{"name": 5}]}]}),
                "`/functions/0/input_ports/0/name`: is a number, and should be text",
            ),
            (
                json!({"functions": [{"name": "f", "ui_config": {"config_fields": [{"name": "a", "options": ["b"]}]}}]}),
                "`/functions/0/ui_config/config_fields/0/options/0`: is text, and should be an object",
            ),
        ];
        for (document, sentence) in cases {
            assert_eq!(functions(&document).unwrap_err().to_string(), sentence);
        }
        assert!(functions(&json!({"tools": []})).unwrap_err().to_string().contains("GET /manifest"));
    }

    #[test]
    fn what_is_missing_has_its_default() {
        let sparse = json!({"functions": [{"name": "f", "input_ports": null}, {"name": "g", "more": 1}]});
        assert_eq!(functions(&sparse).unwrap().len(), 2);
    }
}
