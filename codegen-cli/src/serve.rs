//! `serve`: builds a crate's host and becomes it, so that signals, streams and the exit code are the host's own.

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Args, Command, FromArgMatches};
use nodecast::serve::Options;

use crate::cli::Serve;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::target::Target;

/// The flags of a host, read here for help, completion and early refusal, and handed on as they were given.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostArgs {
    given: Vec<String>,
}

impl Args for HostArgs {
    fn augment_args(command: Command) -> Command {
        Options::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Options::augment_args_for_update(command)
    }
}

impl FromArgMatches for HostArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut args = Self::default();
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for flag in Options::augment_args(Command::new("")).get_arguments() {
            let id = flag.get_id().as_str();
            // Variables reach the host by themselves.
            if matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            let Some(long) = flag.get_long() else { continue };
            if matches!(flag.get_action(), ArgAction::SetTrue) {
                self.given.push(format!("--{long}"));
            } else {
                let values = matches.get_raw(id).into_iter().flatten();
                self.given.extend(values.map(|value| format!("--{long}={}", value.to_string_lossy())));
            }
        }
        Ok(())
    }
}

/// Builds the host and runs it; returns only if that fails.
pub(crate) fn run(verb: &Serve) -> Result<(), Failure> {
    let at = crate::cli::TargetArgs { krate: verb.krate.clone(), ..Default::default() };
    let Target::Program(program) = Target::resolve(verb.binary.as_deref(), &at)? else {
        return Err(Failure::usage("only a crate or a binary can be served"));
    };
    let mut command = program.command();
    command.args(&verb.host.given);
    become_it(command).map_err(|error| {
        Failure::new(Exit::Unreachable, "host_failed", format!("{} cannot be started: {error}", program.exe.display()))
    })
}

/// The same process from here on: whoever started us talks to the host itself.
#[cfg(unix)]
fn become_it(mut command: std::process::Command) -> std::io::Result<()> {
    use std::os::unix::process::CommandExt;
    Err(command.exec())
}

/// Where a process cannot turn into another, it waits for it. Ctrl-C reaches both; the host's end is what counts.
#[cfg(not(unix))]
fn become_it(mut command: std::process::Command) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let code = runtime.block_on(async {
        tokio::spawn(async { while tokio::signal::ctrl_c().await.is_ok() {} });
        let status = tokio::process::Command::from(command).status().await?;
        std::io::Result::Ok(status.code().unwrap_or(i32::from(Exit::Unreachable.code())))
    })?;
    std::process::exit(code)
}
