//! The command line of nodecast: looks at, serves and calls nodesets.
//!
//! Verbs stand on targets (`target/`: what is looked at) and on the MCP client (`mcp/`); each writes through `output`
//! and fails through `failure`, so that people and programs get the same facts.

#![forbid(unsafe_code)]

mod call;
mod check;
mod cli;
mod contracts;
mod cost;
mod dev;
mod diff;
mod exit;
mod expand;
mod failure;
mod files;
mod generate;
mod inspect;
mod install;
mod kept;
mod lint;
mod list;
mod mcp;
mod new;
mod output;
mod report;
mod serve;
mod snapshot;
mod target;
mod tokens;
mod tools;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use cli::{Cli, Completions, Verb};
use exit::Exit;
use failure::Failure;
use output::Format;

fn main() -> ExitCode {
    // For https targets. The only caller, so nothing was installed before.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return misused(&error).into(),
    };
    let format = format(&cli.verb);
    // The panic's own message is on stderr by then.
    let done = panic::catch_unwind(AssertUnwindSafe(|| run(&cli.verb)));
    let exit = match done {
        Ok(Ok(exit)) => exit,
        Ok(Err(failure)) => failure.report(format),
        Err(_) => Exit::Internal,
    };
    exit.into()
}

fn run(verb: &Verb) -> Result<Exit, Failure> {
    let done = match verb {
        Verb::Snapshot(verb) => return snapshot::run(verb),
        Verb::Check(verb) => return wait(check::run(verb)),
        Verb::Diff(verb) => return wait(diff::run(verb)),
        Verb::Generate(verb) => return wait(generate::run(verb)),
        Verb::Lint(verb) => return wait(lint::run(verb)),
        Verb::Tokens(verb) => return wait(tokens::run(verb)),
        Verb::New(verb) => new::new(verb),
        Verb::Init(verb) => new::init(verb),
        Verb::Inspect(verb) => wait(inspect::run(verb)),
        Verb::Serve(verb) => serve::run(verb),
        Verb::List(verb) => wait(list::run(verb)),
        Verb::Call(verb) => block_on(call::run(verb)),
        Verb::Dev(verb) => block_on(dev::run(verb)),
        Verb::Install(verb) => wait(install::run(verb)),
        Verb::Expand(verb) => expand::run(verb),
        Verb::Completions(verb) => completions(verb),
    };
    done.map(|()| Exit::Done)
}

/// For verbs that at Ctrl-C have nothing to do but to end. What they started ends with them.
fn wait<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    block_on(mcp::interruptible(work))
}

fn block_on<T>(work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(Exit::Internal, "internal", format!("no runtime: {error}")))?;
    let done = runtime.block_on(work);
    // A read of standard input that nobody waits for any more would hold us until there is a line.
    runtime.shutdown_background();
    done
}

/// How this verb's failures are written.
fn format(verb: &Verb) -> Format {
    match verb {
        Verb::Inspect(verb) => verb.format.or_text(),
        Verb::List(verb) => verb.format.or_text(),
        Verb::Call(verb) => verb.format.or_text(),
        Verb::Snapshot(verb) => verb.format.asked(),
        Verb::Check(verb) => verb.format.asked(),
        Verb::Diff(verb) => verb.format.asked(),
        Verb::Lint(verb) => verb.format.asked(),
        Verb::Tokens(verb) => verb.format.asked(),
        Verb::New(verb) => verb.format.asked(),
        Verb::Init(verb) => verb.format.asked(),
        Verb::Generate(verb) => verb.format.asked(),
        Verb::Install(verb) => verb.format.asked(),
        Verb::Expand(verb) => verb.format.asked(),
        Verb::Serve(_) | Verb::Dev(_) | Verb::Completions(_) => Format::Text,
    }
}

fn completions(verb: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(verb.shell, &mut Cli::command(), "codegen-cli", &mut script);
    output::answer(&String::from_utf8_lossy(&script))
}

/// Help, the version, or a mistake on the command line, which programs get in their form too.
fn misused(error: &clap::Error) -> Exit {
    // What is not UTF-8 is such a mistake itself, and `args` would panic at it.
    let arguments = std::env::args_os().map(|argument| argument.to_string_lossy().into_owned());
    if error.use_stderr() && asks_for_json(arguments) {
        let text = error.render().to_string();
        let text = text.trim_start_matches("error: ");
        let (message, rest) = text.split_once("\n\n").unwrap_or((text, ""));
        let tip = rest.lines().find_map(|line| line.trim().strip_prefix("tip: "));
        let failure = Failure::usage(message.trim());
        return match tip {
            Some(tip) => failure.hint(tip).report(Format::Json),
            None => failure.report(Format::Json),
        };
    }
    // A closed pipe behind `--help` is no failure of ours.
    let _ = error.print();
    if error.use_stderr() { Exit::Usage } else { Exit::Done }
}

fn asks_for_json(arguments: impl Iterator<Item = String>) -> bool {
    // What follows -- is another program's.
    let arguments: Vec<String> = arguments.take_while(|argument| argument != "--").collect();
    arguments.iter().any(|argument| argument == "--json" || argument == "--format=json")
        || arguments.windows(2).any(|pair| matches!(pair, [flag, value] if flag == "--format" && value == "json"))
}
