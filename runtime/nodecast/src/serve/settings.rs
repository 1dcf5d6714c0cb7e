//! The settings of nodesets: a file, then variables, then flags; the later wins, member by member.

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Map, Value as Json};

use super::options::Options;
use crate::call::{nearest, shown};
use crate::wire;

/// Reads the settings of one nodeset; `several` says whether the host serves others beside it, and `schema` what is
/// text though it looks like JSON.
pub(super) fn read(
    nodeset: &str,
    several: bool,
    schema: Option<&Json>,
    options: &Options,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Json, String> {
    let mut settings = match &options.settings {
        Some(path) => from_file(path, nodeset, several)?,
        None => Map::new(),
    };
    let prefix = format!("{}__", variable(nodeset));
    let mut set = Vec::new();
    for (name, value) in variables {
        // What other programs are told by theirs need not be text.
        let Some(name) = name.to_str() else { continue };
        let Some(path) = name.strip_prefix(&prefix) else { continue };
        let value = value.into_string().map_err(|_| format!("the variable {name} is not text in UTF-8"))?;
        set.push((path.to_ascii_lowercase(), value));
    }
    // The environment has no order of its own.
    set.sort_unstable();
    for (path, value) in set {
        let place = Place::of(schema, path.split("__"));
        let value = place.parsed(&value);
        insert(&mut settings, place.names.iter().map(String::as_str), value);
    }
    for one in &options.set {
        let (path, value) = one.split_once('=').ok_or("--set: expected KEY=VALUE, such as device=cpu")?;
        let path = match path.split_once('.') {
            Some((name, path)) if several && name == nodeset => path,
            _ if several => continue,
            _ => path,
        };
        let value = Place::of(schema, path.split('.')).parsed(value);
        insert(&mut settings, path.split('.'), value);
    }
    Ok(Json::Object(settings))
}

/// Refuses `--set` items of a host with several nodesets that name none of them, and parts of its file that name none
/// of those that are `linked`: one file may serve hosts of which each has some.
pub(super) fn check(nodesets: &[&str], linked: &[&str], options: &Options) -> Result<(), String> {
    if nodesets.len() < 2 {
        return Ok(());
    }
    for one in &options.set {
        // The value may be a secret.
        let key = one.split('=').next().unwrap_or_default();
        if !key.split_once('.').is_some_and(|(name, _)| nodesets.contains(&name)) {
            let known = nodesets.join("`, `");
            return Err(format!(
                "--set {key}: say which nodeset it is for, as in NODESET.KEY=VALUE; they are `{known}`"
            ));
        }
    }
    let Some(path) = &options.settings else { return Ok(()) };
    match whole(path)?.keys().find(|name| !linked.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let near = nearest(name, linked.iter().copied());
            let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
            let known = linked.join("`, `");
            Err(about(path, &format_args!("there is no nodeset `{}`{near}; they are `{known}`", shown(name))))
        }
    }
}

fn about(path: &Path, problem: &dyn std::fmt::Display) -> String {
    format!("--settings {}: {problem}", path.display())
}

/// All of a file. Of a key that stands twice nobody knows which is meant.
fn whole(path: &Path) -> Result<Map<String, Json>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| about(path, &error))?;
    let read: Json = serde_json::from_str(&text).map_err(|error| about(path, &error))?;
    if let Err(error) = wire::json::decode(text.as_bytes())
        && error.kind == "duplicate_key"
    {
        return Err(about(path, &error.detail));
    }
    match read {
        Json::Object(all) => Ok(all),
        _ => Err(about(path, &"expected a JSON object")),
    }
}

fn from_file(path: &Path, nodeset: &str, several: bool) -> Result<Map<String, Json>, String> {
    let mut all = whole(path)?;
    if !several {
        return Ok(all);
    }
    match all.remove(nodeset) {
        Some(Json::Object(own)) => Ok(own),
        Some(_) => Err(about(path, &format_args!("`{nodeset}` is not an object"))),
        None => Ok(Map::new()),
    }
}

/// The prefix of a nodeset's variables: `model-sam` has `MODEL_SAM__…`.
pub(super) fn variable(nodeset: &str) -> String {
    nodeset.chars().map(|char| if char.is_ascii_alphanumeric() { char.to_ascii_uppercase() } else { '_' }).collect()
}

/// A place in the settings: its names as declared, and the schema there where it is known.
struct Place<'s> {
    names: Vec<String>,
    schema: Option<&'s Json>,
    root: Option<&'s Json>,
}

impl<'s> Place<'s> {
    /// Follows a path; variables have no case, so a name is found in any.
    fn of<'p>(root: Option<&'s Json>, path: impl Iterator<Item = &'p str>) -> Self {
        let mut place = Self { names: Vec::new(), schema: root, root };
        for name in path {
            let found = place.forms().into_iter().find_map(|schema| {
                let mut properties = schema.get("properties")?.as_object()?.iter();
                properties.find(|(known, _)| known.eq_ignore_ascii_case(name))
            });
            place.names.push(found.map_or(name, |(known, _)| known).to_owned());
            place.schema = found.map(|(_, schema)| schema);
        }
        place
    }

    /// The schema without its references and unions.
    fn forms(&self) -> Vec<&'s Json> {
        let mut forms: Vec<&Json> = self.schema.into_iter().collect();
        let mut at = 0;
        // Types of settings are shallow; what is deeper is read as JSON.
        while let (Some(schema), true) = (forms.get(at).copied(), forms.len() < 32) {
            let target = schema.get("$ref").and_then(Json::as_str).and_then(|target| target.strip_prefix('#'));
            forms.extend(target.and_then(|target| self.root?.pointer(target)));
            let unions = ["anyOf", "oneOf", "allOf"].iter().filter_map(|union| schema.get(*union)?.as_array());
            forms.extend(unions.flatten());
            at += 1;
        }
        forms
    }

    /// JSON where it is JSON, else text; where text is wanted, `4` and `true` are text too.
    fn parsed(&self, value: &str) -> Json {
        let Ok(json) = serde_json::from_str::<Json>(value) else { return value.into() };
        let kind = match &json {
            Json::Null => "null",
            Json::Bool(_) => "boolean",
            Json::Number(_) => "number",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        };
        let takes = |kind: &str| {
            let types = self.forms().into_iter().filter_map(|schema| schema.get("type"));
            types
                .flat_map(|types| types.as_array().map_or(std::slice::from_ref(types), Vec::as_slice))
                .any(|ty| ty == kind)
        };
        let is_taken = takes(kind) || (kind == "number" && takes("integer"));
        if takes("string") && !is_taken { value.into() } else { json }
    }
}

fn insert<'a>(settings: &mut Map<String, Json>, mut path: impl Iterator<Item = &'a str>, value: Json) {
    let Some(first) = path.next() else { return };
    let mut rest = path.peekable();
    if rest.peek().is_none() {
        settings.insert(first.to_owned(), value);
        return;
    }
    let inner = settings.entry(first).or_insert_with(|| Json::Object(Map::new()));
    if !inner.is_object() {
        *inner = Json::Object(Map::new());
    }
    if let Some(inner) = inner.as_object_mut() {
        // Boxed, since each level is another type of iterator otherwise.
        insert(inner, Box::new(rest) as Box<dyn Iterator<Item = &str>>, value);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with_set(set: &[&str]) -> Options {
        Options { set: set.iter().map(|one| (*one).to_owned()).collect(), ..Options::default() }
    }

    #[test]
    fn flags_win_over_variables() {
        let variables = [("MODEL_SAM__DEVICE", "gpu"), ("MODEL_SAM__LIMITS__SIDE", "512"), ("OTHER__DEVICE", "x")];
        let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let settings = read("model-sam", false, None, &with_set(&["device=cpu", "limits.depth=2"]), variables).unwrap();
        assert_eq!(settings, json!({ "device": "cpu", "limits": { "side": 512, "depth": 2 } }));
    }

    #[test]
    fn where_text_is_wanted_what_looks_like_json_is_text() {
        let schema = json!({
            "type": "object",
            "properties": {
                "pin": { "type": "string" },
                "note": { "type": ["string", "null"] },
                "maxSide": { "type": "integer" },
                "inner": { "$ref": "#/$defs/Inner" },
            },
            "$defs": { "Inner": { "type": "object", "properties": { "key": { "anyOf": [{ "type": "string" }] } } } },
        });
        let variables = [("A__PIN", "0123"), ("A__NOTE", "null"), ("A__MAXSIDE", "512"), ("A__INNER__KEY", "true")];
        let variables = variables.map(|(name, value)| (OsString::from(name), OsString::from(value)));
        let settings = read("a", false, Some(&schema), &with_set(&[]), variables.clone()).unwrap();
        assert_eq!(settings, json!({ "inner": { "key": "true" }, "maxSide": 512, "note": null, "pin": "0123" }));
        let quoted = read("a", false, Some(&schema), &with_set(&["pin=\"7\"", "note=7"]), []).unwrap();
        assert_eq!(quoted, json!({ "pin": "7", "note": "7" }));
    }

    #[cfg(unix)]
    #[test]
    fn of_variables_that_are_no_text_ours_alone_is_refused() {
        use std::os::unix::ffi::OsStringExt as _;

        let wild = || OsString::from_vec(vec![b'x', 0xff]);
        let foreign = [(OsString::from("OTHER"), wild()), (wild(), OsString::from("x"))];
        assert_eq!(read("a", false, None, &with_set(&[]), foreign), Ok(json!({})));
        let refused = read("a", false, None, &with_set(&[]), [(OsString::from("A__PIN"), wild())]).unwrap_err();
        assert_eq!(refused, "the variable A__PIN is not text in UTF-8");
    }

    #[test]
    fn a_refusal_does_not_show_the_value() {
        let refused = check(&["a", "b"], &["a", "b"], &with_set(&["token=hunter2"])).unwrap_err();
        assert!(!refused.contains("hunter2"), "{refused}");
        assert!(!read("a", false, None, &with_set(&["hunter2"]), []).unwrap_err().contains("hunter2"));
    }

    #[test]
    fn with_several_nodesets_a_flag_names_its_own() {
        let options = with_set(&["a.device=cpu", "b.device=gpu"]);
        assert_eq!(read("a", true, None, &options, []).unwrap(), json!({ "device": "cpu" }));
        let both = ["a", "b"];
        assert!(check(&both, &both, &options).is_ok());
        assert!(check(&both, &both, &with_set(&["device=cpu"])).unwrap_err().contains("NODESET.KEY=VALUE"));
        assert!(read("a", false, None, &with_set(&["device"]), []).is_err());
    }
}
