//! The variables of a command line: one that is empty says nothing, and what one says wrong is told with its name.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgMatches, Command, ValueHint};

/// Reads these arguments, the first of which is the program, and the variables of flags that are not among them.
pub(super) fn matches(command: Command, arguments: &[OsString]) -> Result<ArgMatches, clap::Error> {
    let is_empty = |flag: &Arg| flag.get_env().and_then(std::env::var_os).is_some_and(|value| value.is_empty());
    let mut command = command.mut_args(|flag| if is_empty(&flag) { flag.env(None::<&str>) } else { flag });
    command.try_get_matches_from_mut(arguments).map_err(|error| named(error, &mut command, arguments))
}

/// The same error with the variable that it is about; as it is where it is about an argument.
fn named(mut error: clap::Error, command: &mut Command, arguments: &[OsString]) -> clap::Error {
    if error.kind() == ErrorKind::InvalidUtf8 {
        let variable = command.get_arguments().filter(|flag| !is_given(flag, arguments)).find_map(no_text);
        return match variable {
            Some(variable) => command.error(error.kind(), format!("the variable {variable} is not text in UTF-8")),
            None => error,
        };
    }
    let Some(ContextValue::String(shown)) = error.get(ContextKind::InvalidArg) else { return error };
    let long = shown.strip_prefix("--").and_then(|shown| shown.split(' ').next());
    let is_shown = |flag: &&Arg| flag.get_long().is_some() && flag.get_long() == long;
    let flag = command.get_arguments().find(is_shown).filter(|flag| !is_given(flag, arguments));
    if let Some(variable) = flag.and_then(Arg::get_env) {
        let shown = format!("{} ({shown})", variable.display());
        error.insert(ContextKind::InvalidArg, ContextValue::String(shown));
    }
    error
}

/// Whether a flag is among the arguments, so that its variable is not read.
fn is_given(flag: &Arg, arguments: &[OsString]) -> bool {
    let given = |argument: &OsString| argument.to_str()?.strip_prefix("--")?.split('=').next().map(str::to_owned);
    let mut given = arguments.iter().filter_map(given);
    given.any(|given| flag.get_long() == Some(given.as_str()))
}

/// The variable of a flag, where it holds what is no text; a path need not be.
fn no_text(flag: &Arg) -> Option<String> {
    let name = flag.get_env().filter(|_| flag.get_value_hint() != ValueHint::AnyPath)?;
    let value = std::env::var_os(name)?;
    value.to_str().is_none().then(|| name.display().to_string())
}
