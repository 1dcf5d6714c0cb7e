//! The settings of nodesets: a file, then variables, then flags; the later wins, member by member.

use std::path::Path;

use serde_json::{Map, Value as Json};

use super::options::Options;

/// Reads the settings of one nodeset; `several` says whether the host serves others beside it.
pub(super) fn read(
    nodeset: &str,
    several: bool,
    options: &Options,
    variables: impl IntoIterator<Item = (String, String)>,
) -> Result<Json, String> {
    let mut settings = match &options.settings {
        Some(path) => from_file(path, nodeset, several)?,
        None => Map::new(),
    };
    let prefix = format!("{}__", variable(nodeset));
    let mut set: Vec<_> = variables
        .into_iter()
        .filter_map(|(name, value)| Some((name.strip_prefix(&prefix)?.to_ascii_lowercase(), value)))
        .collect();
    // The environment has no order of its own.
    set.sort_unstable();
    for (path, value) in set {
        insert(&mut settings, path.split("__"), parsed(&value));
    }
    for one in &options.set {
        let (path, value) = one.split_once('=').ok_or_else(|| format!("--set {one}: expected KEY=VALUE"))?;
        let path = match path.split_once('.') {
            Some((name, path)) if several && name == nodeset => path,
            _ if several => continue,
            _ => path,
        };
        insert(&mut settings, path.split('.'), parsed(value));
    }
    Ok(Json::Object(settings))
}

/// Refuses `--set` items of a host with several nodesets that name none of them.
pub(super) fn check(nodesets: &[&str], options: &Options) -> Result<(), String> {
    if nodesets.len() < 2 {
        return Ok(());
    }
    for one in &options.set {
        if !one.split_once('.').is_some_and(|(name, _)| nodesets.contains(&name)) {
            let known = nodesets.join("`, `");
            return Err(format!(
                "--set {one}: say which nodeset it is for, as in NODESET.KEY=VALUE; they are `{known}`"
            ));
        }
    }
    Ok(())
}

fn from_file(path: &Path, nodeset: &str, several: bool) -> Result<Map<String, Json>, String> {
    let what = |problem: &dyn std::fmt::Display| format!("--settings {}: {problem}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| what(&error))?;
    let Json::Object(mut all) = serde_json::from_str(&text).map_err(|error| what(&error))? else {
        return Err(what(&"expected a JSON object"));
    };
    if !several {
        return Ok(all);
    }
    match all.remove(nodeset) {
        Some(Json::Object(own)) => Ok(own),
        Some(_) => Err(what(&format_args!("`{nodeset}` is not an object"))),
        None => Ok(Map::new()),
    }
}

/// The prefix of a nodeset's variables: `model-sam` has `MODEL_SAM__…`.
fn variable(nodeset: &str) -> String {
    nodeset.chars().map(|char| if char.is_ascii_alphanumeric() { char.to_ascii_uppercase() } else { '_' }).collect()
}

/// JSON where it is JSON, else text: `4` is a number, `cpu` a string, `"4"` a string.
fn parsed(value: &str) -> Json {
    serde_json::from_str(value).unwrap_or_else(|_| value.into())
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
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let settings = read("model-sam", false, &with_set(&["device=cpu", "limits.depth=2"]), variables).unwrap();
        assert_eq!(settings, json!({ "device": "cpu", "limits": { "side": 512, "depth": 2 } }));
    }

    #[test]
    fn with_several_nodesets_a_flag_names_its_own() {
        let options = with_set(&["a.device=cpu", "b.device=gpu"]);
        assert_eq!(read("a", true, &options, []).unwrap(), json!({ "device": "cpu" }));
        assert!(check(&["a", "b"], &options).is_ok());
        assert!(check(&["a", "b"], &with_set(&["device=cpu"])).unwrap_err().contains("NODESET.KEY=VALUE"));
        assert!(read("a", false, &with_set(&["device"]), []).is_err());
    }
}
