//! A program built on `nodecast::serve`, asked for a document instead of started as a server.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nodecast::contract::Profile;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::printed::Printed;
use crate::cli::Projection;
use crate::exit::Exit;
use crate::failure::Failure;

/// The variable by which a host is asked for a document.
const PRINT: &str = "NODECAST_PRINT";

/// How native binaries begin: ELF, Mach-O of either width, PE. A script in front of a host begins otherwise.
const NATIVE: [&[u8]; 4] = [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"MZ"];

/// A program that is not built on `nodecast::serve` would run as whatever it is; this long is it let.
const PATIENCE: Duration = Duration::from_secs(60);

/// A host that was generated prints sooner or later, however busy the machine is.
const PATIENCE_WITH_OURS: Duration = Duration::from_secs(600);

/// A host: generated, or a user's own binary.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    /// Its absolute path.
    pub(crate) exe: PathBuf,
    /// The nodesets asked for; empty for all.
    pub(crate) nodesets: Vec<String>,
    /// Name of the crate that it was generated for.
    pub(crate) name: Option<String>,
    /// The folder in which what it prints is kept, of a generated host.
    pub(crate) kept: Option<PathBuf>,
    /// Whether its own words are shown.
    pub(crate) verbose: bool,
}

impl Program {
    /// How it is started, whatever for.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.exe);
        if let Some(name) = &self.name
            && std::env::var_os("NODECAST_NAME").is_none()
        {
            command.env("NODECAST_NAME", name);
        }
        if !self.nodesets.is_empty() {
            command.env("NODECAST_NODESET", self.nodesets.join(","));
        }
        command
    }

    /// The document that it prints, to the byte; of several nodesets, an object nodeset → document.
    ///
    /// Without a profile, tools are printed in the one that the program is set to.
    pub(crate) fn print(&self, projection: Projection, profile: Option<Profile>) -> Result<String, Failure> {
        if self.nodesets.len() == 1 {
            return self.document(projection.word(), profile);
        }
        let all = self.document(&format!("{}:all", projection.word()), profile)?;
        #[allow(clippy::zero_sized_map_values, reason = "the names alone of a JSON object")]
        let mut names = serde_json::from_str::<BTreeMap<String, IgnoredAny>>(&all).unwrap_or_default().into_keys();
        match (names.next(), names.next()) {
            (None, _) => Err(Failure::new(Exit::Refused, "no_nodeset", self.named("has no nodeset"))
                .hint("declare one with `#[nodeset(…)]`, in what the chosen features compile")),
            (Some(name), None) => match alone(&all, &name) {
                Some(document) => Ok(document),
                None => self.document(projection.word(), profile),
            },
            _ => Ok(all),
        }
    }

    /// Whatever it prints for these words.
    pub(crate) fn document(&self, what: &str, profile: Option<Profile>) -> Result<String, Failure> {
        let kept = self.kept.as_ref().and_then(|folder| Printed::of(&self.exe, folder, &self.nodesets, profile));
        if let Some(text) = kept.as_ref().and_then(|kept| kept.find(what)) {
            return Ok(text);
        }
        let text = self.printed(what, profile)?;
        if let Some(kept) = kept {
            kept.keep(what, &text);
        }
        Ok(text)
    }

    fn printed(&self, what: &str, profile: Option<Profile>) -> Result<String, Failure> {
        self.check()?;
        let mut command = self.command();
        command.env(PRINT, what);
        if let Some(profile) = profile {
            command.env("NODECAST_PROFILE", profile.as_str());
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| self.failure(format!("cannot be started: {error}")))?;
        let stdout = read_aside(child.stdout.take());
        let stderr = read_aside(child.stderr.take());
        let begun = Instant::now();
        let patience = if self.name.is_some() { PATIENCE_WITH_OURS } else { PATIENCE };
        let status = loop {
            match child.try_wait().map_err(|error| self.failure(format!("cannot be waited for: {error}")))? {
                Some(status) => break status,
                None if begun.elapsed() > patience => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(self
                        .failure(format!("did not print its {} in time", what.trim_end_matches(":all")))
                        .hint("a binary target must call `nodecast::serve` before anything that waits"));
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let (stdout, stderr) = (join(stdout), join(stderr));
        if !status.success() {
            if let Some(sentence) = said(&stderr) {
                return Err(Failure::new(Exit::of_host(status.code()), "host_failed", sentence));
            }
            return Err(self.no_host(what).quoting(first_lines(&stderr)));
        }
        if serde_json::from_str::<IgnoredAny>(&stdout).is_err() {
            return Err(self.no_host(what).quoting(first_lines(&stdout)));
        }
        Ok(stdout)
    }

    /// Refuses a binary that is no host before it runs: whatever else it does, nobody asked for that.
    fn check(&self) -> Result<(), Failure> {
        if self.name.is_some() {
            return Ok(());
        }
        let bytes = std::fs::read(&self.exe).map_err(|error| Failure::file(&self.exe, error))?;
        let is_native = NATIVE.iter().any(|magic| bytes.starts_with(magic));
        if is_native && memchr::memmem::find(&bytes, PRINT.as_bytes()).is_none() {
            return Err(Failure::usage(self.named("is not built on `nodecast::serve`"))
                .hint("name the binary of a host, or the crate that declares the nodes: -p CRATE"));
        }
        Ok(())
    }

    fn no_host(&self, what: &str) -> Failure {
        self.failure(format!("printed no {}", what.trim_end_matches(":all")))
            .hint("a binary target calls `nodecast::serve` before it reads arguments of its own")
    }

    fn failure(&self, what: String) -> Failure {
        Failure::new(Exit::Unreachable, "host_failed", self.named(&what))
    }

    fn named(&self, what: &str) -> String {
        match &self.name {
            Some(name) => format!("the host of `{name}` {what}"),
            None => format!("{} {what}", self.exe.display()),
        }
    }
}

/// The document of the only nodeset, as it stands in an object nodeset → document: to the byte, and without a second start.
fn alone(all: &str, name: &str) -> Option<String> {
    let document = all.trim_end().strip_prefix(&format!("{{{}:", Value::from(name)))?.strip_suffix('}')?;
    Some(format!("{document}\n"))
}

/// Whether a binary was built on our servers, and so takes `--stdio`.
pub(crate) fn is_ours(exe: &std::path::Path) -> bool {
    std::fs::read(exe).is_ok_and(|bytes| memchr::memmem::find(&bytes, PRINT.as_bytes()).is_some())
}

/// A pipe that nobody reads would block the program.
fn read_aside(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

fn join(reader: thread::JoinHandle<String>) -> String {
    reader.join().unwrap_or_default()
}

/// The sentence of a host's own `error: …`, which is all that it says.
fn said(stderr: &str) -> Option<String> {
    let text = console::strip_ansi_codes(stderr.trim());
    let sentence = text.strip_prefix("error: ")?;
    (!sentence.contains("\n\n")).then(|| sentence.to_owned())
}

/// Enough to see what a program is.
fn first_lines(text: &str) -> String {
    console::strip_ansi_codes(text).lines().take(5).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::alone;

    #[test]
    fn the_only_document_is_cut_out_as_it_stands() {
        assert_eq!(alone("{\"n\":{\"b\": 1.0}}\n", "n").as_deref(), Some("{\"b\": 1.0}\n"));
        assert_eq!(alone("{ \"n\": {}}\n", "n"), None);
    }
}
