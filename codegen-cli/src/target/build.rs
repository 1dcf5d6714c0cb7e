//! Runs cargo: quiet while it goes well and fast, otherwise word for word what cargo says.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use cargo_metadata::Message;
use console::Term;
use indicatif::{ProgressBar, ProgressStyle};

use crate::cli::CrateArgs;
use crate::exit::Exit;
use crate::failure::Failure;

/// Into a pipe or a log, a build that takes longer than this is shown as it goes, so that nobody waits in the dark.
const PATIENCE: Duration = Duration::from_secs(2);

/// One host to build.
pub(crate) struct Build<'a> {
    /// Name of the user's crate, for messages.
    pub(crate) krate: &'a str,
    /// Manifest of the host.
    pub(crate) manifest: &'a Path,
    /// Where cargo builds.
    pub(crate) target_folder: &'a Path,
    /// Where cargo is started.
    pub(crate) current_folder: &'a Path,
    /// How it is built.
    pub(crate) args: &'a CrateArgs,
}

/// Builds the host and says where the program is.
pub(crate) fn run(build: &Build<'_>) -> Result<PathBuf, Failure> {
    let mut cargo = start(build)?;
    let executable = cargo.stdout.take().map(|stdout| thread::spawn(move || executable(stdout)));
    let said = match cargo.stderr.take() {
        Some(stderr) => follow(stderr, build),
        None => Said::default(),
    };
    let status = cargo.wait().map_err(|error| cannot_run(&error))?;
    let executable = executable.and_then(|reader| reader.join().ok()).flatten();
    match executable {
        Some(executable) if status.success() => Ok(executable),
        _ => {
            said.show_rest();
            Err(Failure::new(
                Exit::Unreachable,
                "build_failed",
                format!("the host of `{}` could not be built", build.krate),
            )
            .hint("cargo's own errors stand above"))
        }
    }
}

fn start(build: &Build<'_>) -> Result<Child, Failure> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(build.current_folder).args(["build", "--message-format=json-render-diagnostics"]);
    cargo.arg("--manifest-path").arg(build.manifest).arg("--target-dir").arg(build.target_folder);
    if build.args.release {
        cargo.arg("--release");
    }
    if build.args.offline {
        cargo.arg("--offline");
    }
    if build.args.verbose {
        cargo.stderr(Stdio::inherit());
    } else {
        // Cargo writes into our pipe, so what it would see of the terminal has to be told.
        cargo.stderr(Stdio::piped()).env("CARGO_TERM_PROGRESS_WHEN", "never");
        cargo.args(["--color", if console::colors_enabled_stderr() { "always" } else { "never" }]);
    }
    cargo.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(|error| cannot_run(&error))
}

fn cannot_run(error: &io::Error) -> Failure {
    Failure::new(Exit::Unreachable, "cargo", format!("cargo cannot be run: {error}"))
        .hint("install Rust from https://rustup.rs, or name a binary's path or a URL as the target")
}

fn executable(stdout: impl Read) -> Option<PathBuf> {
    let messages = Message::parse_stream(BufReader::new(stdout)).map_while(Result::ok);
    let artifacts = messages.filter_map(|message| match message {
        Message::CompilerArtifact(artifact) => artifact.executable,
        _ => None,
    });
    artifacts.last().map(Into::into)
}

/// What cargo said and nobody has seen yet.
#[derive(Default)]
struct Said(Vec<u8>);

impl Said {
    fn show_rest(&self) {
        let _ = io::stderr().lock().write_all(&self.0);
    }
}

fn follow(stderr: impl Read, build: &Build<'_>) -> Said {
    let terminal = Term::stderr().is_term();
    let begun = Instant::now();
    let bar = spinner(build.krate);
    let mut said = Said::default();
    let mut lines = BufReader::new(stderr);
    loop {
        let mut line = Vec::new();
        match lines.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        let shown = console::strip_ansi_codes(&String::from_utf8_lossy(&line)).trim().to_owned();
        if shown.starts_with("Compiling") || shown.starts_with("Downloading") || shown.starts_with("Blocking") {
            bar.set_message(shown);
        }
        said.0.extend(line);
        if !terminal && begun.elapsed() > PATIENCE {
            said.show_rest();
            said.0.clear();
        }
    }
    bar.finish_and_clear();
    said
}

/// Hidden unless stderr is a terminal.
fn spinner(krate: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_prefix(format!("building the host of `{krate}`"));
    if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix} {elapsed} {wide_msg:.dim}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(120));
    bar
}
