//! The spawn alias (`wire.md` 9.2): a framework that starts `python -m app.server.auto_host …` is given our binary in the
//! interpreter's place, and finds its server.

use std::ffi::OsString;

use clap::{CommandFactory, FromArgMatches, Parser};

use super::host::HostError;
use super::options::Options;
use super::variables;
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
    let named: Vec<OsString> = [OsString::from(MODULE)].into_iter().chain(given.iter().cloned()).collect();
    let matches = variables::matches(command, &named);
    let parsed = matches.and_then(|matches| AutoHost::from_arg_matches(&matches));
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
    let mut at = 1;
    while let Some(switch) = arguments.get(at).and_then(|argument| argument.to_str())
        && switch != "-m"
        && switch.len() > 1
        && switch.starts_with('-')
        && !switch.starts_with("--")
    {
        // `-X` and `-W` have a value, which may stand behind them as an argument of its own.
        let takes_next = switch.find(['X', 'W']).is_some_and(|place| place + 1 == switch.len());
        at += if takes_next { 2 } else { 1 };
    }
    let (module, rest) = arguments.get(at..)?.split_at_checked(2)?;
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
///
/// Of several that it may stand for, it is the one that is `chosen`, where any is.
pub(super) fn of_class(nodesets: &[Linked], class: &str, chosen: &[String]) -> Result<Linked, HostError> {
    if let [only] = nodesets {
        tracing::info!(class, nodeset = only.name, "the only nodeset stands for the class");
        return Ok(*only);
    }
    let wanted = plain(class);
    let fits = |linked: &&Linked| plain(linked.strukt()) == wanted || plain(linked.name) == wanted;
    let fitting: Vec<&Linked> = nodesets.iter().filter(fits).collect();
    let eligible = fitting.iter().filter(|linked| chosen.is_empty() || chosen.iter().any(|name| name == linked.name));
    let mut found = eligible.copied();
    match (found.next(), found.next()) {
        (Some(only), None) => Ok(*only),
        (Some(one), Some(other)) => Err(HostError::NoNodeset(format!(
            "the class `{class}` may be `{}` or `{}`; name one with --nodeset",
            one.name, other.name
        ))),
        (None, _) if !fitting.is_empty() => {
            let names: Vec<_> = fitting.iter().map(|linked| format!("`{}`", linked.name)).collect();
            Err(HostError::Usage(format!(
                "--nodeset {}: the class `{class}` stands for {}; name it, or leave --nodeset out",
                chosen.join(","),
                names.join(" or ")
            )))
        }
        (None, _) => {
            let names: Vec<_> = nodesets.iter().map(|linked| linked.name).collect();
            let hint = match near(nodesets, &wanted) {
                Some(near) => format!("; did you mean `{near}`?"),
                None => format!("; there are: {}", names.join(", ")),
            };
            Err(HostError::NoNodeset(format!("no nodeset stands for the class `{class}`{hint}")))
        }
    }
}

/// The nodeset that a class most likely stands for, the class without what frameworks write differently.
fn near(nodesets: &[Linked], wanted: &str) -> Option<&'static str> {
    let both = |linked: &Linked| [linked.strukt(), linked.name].map(|name| (plain(name), linked.name));
    let names: Vec<_> = nodesets.iter().flat_map(both).collect();
    let near = nearest(wanted, names.iter().map(|(name, _)| name.as_str()))?;
    names.iter().find(|(name, _)| name == near).map(|(_, nodeset)| *nodeset)
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
        for switches in ["-X dev", "-uX dev", "-Xdev -W ignore -u", "-Wignore"] {
            let given = words(&format!("host {switches} -m app.server.auto_host --port 0"));
            assert_eq!(after_module(&given).map(<[_]>::len), Some(2), "{switches}");
        }
        for other in ["host", "host --port 0", "host -m other", "host -m", "host --stdio -m app.server.auto_host"] {
            assert_eq!(after_module(&words(other)), None, "{other}");
        }
        assert_eq!(after_module(&words("host -X")), None);
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
