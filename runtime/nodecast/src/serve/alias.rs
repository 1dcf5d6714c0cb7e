//! The spawn alias (`wire.md` 9.2): a framework that starts `python -m app.server.auto_host …` is given our binary in the
//! interpreter's place, and finds its server.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser};

use super::host::HostError;
use super::options::Options;
use crate::call::nearest;
use crate::catalog::Linked;

/// The module that the framework runs.
const MODULE: &str = "app.server.auto_host";
/// The ending of the variable that says where the framework's executor is.
const EXECUTOR: &str = "_EXECUTOR_URL";
/// Our own, which is read with the other options.
const OWN_EXECUTOR: &str = "NODECAST_EXECUTOR_URL";

/// What the framework says, beside our own options.
#[derive(Debug, Parser)]
#[command(name = MODULE, about = "Stands in for the Python server of a graph framework.")]
struct AutoHost {
    #[command(flatten)]
    options: Options,
    /// The file of the class; not read, since the nodesets are linked into this binary
    #[arg(long)]
    file: Option<String>,
    /// The module of the class; not read either
    #[arg(long)]
    module: Option<String>,
    /// The class to serve, by which the nodeset is picked
    #[arg(long)]
    class: Option<String>,
}

/// Reads the process's arguments, as ours or as those of the framework: with the class that a framework names.
pub(super) fn command_line(version: &'static str) -> Result<(Options, Option<String>), u8> {
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let Some(given) = after_module(&arguments) else {
        return Options::from_command_line(version).map(|options| (options, None));
    };
    let command = AutoHost::command().version(version);
    let named = [OsString::from(MODULE)].into_iter().chain(given.iter().cloned());
    let parsed = command.try_get_matches_from(named).and_then(|matches| AutoHost::from_arg_matches(&matches));
    let AutoHost { mut options, file: _, module: _, class } = parsed.map_err(|error| {
        // A closed pipe behind `--help` is no failure of ours.
        let _ = error.print();
        u8::try_from(error.exit_code()).unwrap_or(2)
    })?;
    options.reference = true;
    options.die_with_parent = true;
    if options.executor_url.is_none() {
        let variables =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        options.executor_url = executor(variables).map_err(|problem| {
            let _ = clap::Error::raw(clap::error::ErrorKind::ArgumentConflict, format!("{problem}\n")).print();
            2
        })?;
    }
    Ok((options, class))
}

/// What follows `-m app.server.auto_host`, behind switches of the interpreter such as `-u`.
fn after_module(arguments: &[OsString]) -> Option<&[OsString]> {
    let switches = arguments.iter().skip(1).take_while(|argument| {
        let text = argument.to_str().unwrap_or_default();
        text != "-m" && text.len() > 1 && text.starts_with('-') && !text.starts_with("--")
    });
    let (module, rest) = arguments.get(1 + switches.count()..)?.split_at_checked(2)?;
    (module == ["-m", MODULE]).then_some(rest)
}

/// The executor that the only variable of this ending names.
fn executor(variables: impl Iterator<Item = (String, String)>) -> Result<Option<String>, String> {
    // One that is set to nothing names none.
    let names_one = |name: &str, url: &str| name.ends_with(EXECUTOR) && name != OWN_EXECUTOR && !url.is_empty();
    let mut found: Vec<_> = variables.filter(|(name, url)| names_one(name, url)).collect();
    found.sort();
    match found.as_slice() {
        [] => Ok(None),
        [(_, url)] => Ok(Some(url.clone())),
        several => {
            let names: Vec<_> = several.iter().map(|(name, _)| name.as_str()).collect();
            Err(format!(
                "several variables say where an executor is: {}; set {OWN_EXECUTOR} to the one that is meant",
                names.join(", ")
            ))
        }
    }
}

/// The nodeset that a class of the framework stands for; the only one of the binary, whatever the class.
pub(super) fn of_class(nodesets: Vec<Linked>, class: &str) -> Result<Linked, HostError> {
    if let [only] = nodesets.as_slice() {
        tracing::info!(class, nodeset = only.name, "the only nodeset stands for the class");
        return Ok(*only);
    }
    let wanted = plain(class);
    let fits = |linked: &&Linked| plain(linked.strukt()) == wanted || plain(linked.name) == wanted;
    let mut found = nodesets.iter().filter(fits);
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(*only),
        (Some(one), Some(other)) => Err(HostError::NoNodeset(format!(
            "the class `{class}` may be `{}` or `{}`; name one with --nodeset",
            one.name, other.name
        ))),
        (None, _) => {
            let names = || nodesets.iter().map(|linked| linked.name);
            let hint = match nearest(class, names()) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; there are: {}", names().collect::<Vec<_>>().join(", ")),
            };
            Err(HostError::NoNodeset(format!("no nodeset stands for the class `{class}`{hint}")))
        }
    }
}

/// A name without what frameworks write differently: case, `_`, and `NodeSet` or `StubNodeSet` at its end.
fn plain(name: &str) -> String {
    let name = name.replace('_', "").to_lowercase();
    let short =
        name.strip_suffix("stubnodeset").or_else(|| name.strip_suffix("nodeset")).filter(|short| !short.is_empty());
    short.map_or_else(|| name.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn the_alias_is_known_by_its_module() {
        let given = words("host -m app.server.auto_host --file F --class C");
        assert_eq!(after_module(&given), Some(&given[3..]));
        let switched = words("host -u -B -m app.server.auto_host --port 0");
        assert_eq!(after_module(&switched), Some(&switched[5..]));
        for other in ["host", "host --port 0", "host -m other", "host -m", "host --stdio -m app.server.auto_host"] {
            assert_eq!(after_module(&words(other)), None, "{other}");
        }
    }

    #[test]
    fn classes_and_nodesets_meet() {
        for name in ["SamNodeSet", "Sam", "sam", "SAM", "SamStubNodeSet", "sam_node_set"] {
            assert_eq!(plain(name), "sam", "{name}");
        }
        assert_eq!(plain("ModelSamNodeSet"), plain("model_sam"));
        assert_eq!(plain("NodeSet"), "nodeset");
    }

    #[test]
    fn one_variable_names_the_executor_and_two_are_named() {
        let of = |names: &[&str]| executor(names.iter().map(|name| ((*name).to_owned(), format!("http://{name}"))));
        assert_eq!(of(&["PATH", "NODECAST_EXECUTOR_URL"]), Ok(None));
        assert_eq!(of(&["PATH", "CANVAS_EXECUTOR_URL"]), Ok(Some("http://CANVAS_EXECUTOR_URL".to_owned())));
        let empty = [("A_EXECUTOR_URL".to_owned(), String::new())];
        assert_eq!(executor(empty.into_iter()), Ok(None));
        let problem = of(&["B_EXECUTOR_URL", "A_EXECUTOR_URL"]).unwrap_err();
        assert!(problem.contains("A_EXECUTOR_URL, B_EXECUTOR_URL"), "{problem}");
    }
}
