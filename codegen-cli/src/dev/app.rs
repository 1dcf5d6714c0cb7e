//! The application that is developed, as a process: started from a copy of its binary, spoken to in lines.

use std::collections::VecDeque;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde_json::Value;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::mpsc::{self, Receiver};
use tokio::task::JoinHandle;

use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;

/// A binary that is being written is left alone until it has not changed for so long.
const STABLE: Duration = Duration::from_millis(500);
/// It is waited for so long.
const PATIENCE: Duration = Duration::from_secs(30);
/// Between two looks at it.
const LOOK: Duration = Duration::from_millis(20);
/// The time that an application has to end by itself.
pub(super) const GOODBYE: Duration = Duration::from_secs(2);
/// What it said last is waited for so long: a process that it started may hold the pipe for longer.
const LAST_WORDS: Duration = Duration::from_millis(200);
/// So much of what it says on stderr is kept.
const KEPT: usize = 8 * 1024;

/// What tells two builds apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    changed: SystemTime,
    size: u64,
}

impl Stamp {
    /// That of a file; none where there is none just now.
    pub(super) fn of(binary: &Path) -> Option<Self> {
        let facts = fs::metadata(binary).ok()?;
        Some(Self { changed: facts.modified().ok()?, size: facts.len() })
    }

    /// Waits until the file has not changed for a while.
    pub(super) async fn settled(binary: &Path) -> Result<Self, String> {
        let begun = Instant::now();
        let (mut last, mut since) = (Self::of(binary), Instant::now());
        loop {
            if let Some(stamp) = last.filter(|_| since.elapsed() >= STABLE) {
                return Ok(stamp);
            }
            if begun.elapsed() > PATIENCE {
                return Err(format!("{} is still being written", binary.display()));
            }
            tokio::time::sleep(LOOK).await;
            let now = Self::of(binary);
            if now != last {
                (last, since) = (now, Instant::now());
            }
        }
    }
}

/// A running application.
pub(super) struct App {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    said: Arc<Mutex<VecDeque<u8>>>,
    /// Ends when it says nothing more.
    ear: Option<JoinHandle<()>>,
    /// The build that it is of.
    pub(super) stamp: Stamp,
    /// Whether it has answered anything.
    pub(super) answered: bool,
    /// The copy that it runs from, as long as it runs.
    _copy: TempDir,
}

impl App {
    /// Starts a copy of the binary, so that a build can replace it meanwhile.
    pub(super) async fn start(binary: &Path, arguments: &[String], stamp: Stamp) -> Result<Self, Failure> {
        let failed = |what: &str, error: std::io::Error| {
            Failure::new(Exit::Unreachable, "unreachable", format!("{} cannot be {what}: {error}", binary.display()))
        };
        let folder = tempfile::tempdir().map_err(|error| failed("copied", error))?;
        let copy = folder.path().join(binary.file_name().unwrap_or(binary.as_os_str()));
        fs::copy(binary, &copy).map_err(|error| failed("copied", error))?;
        let mut child = spawn(&copy, arguments).await.map_err(|error| failed("started", error))?;
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (tell, lines) = mpsc::channel(256);
        if let Some(output) = output {
            tokio::spawn(async move {
                let mut output = BufReader::new(output).split(b'\n');
                while let Ok(Some(line)) = output.next_segment().await {
                    // What is no message, or no text at all, is for no client.
                    let Ok(message) = serde_json::from_slice(&line) else { continue };
                    if tell.send(message).await.is_err() {
                        return;
                    }
                }
            });
        }
        let said: Arc<Mutex<VecDeque<u8>>> = Arc::default();
        let ear = errors.map(|mut errors| {
            let said = said.clone();
            tokio::spawn(async move {
                let mut bytes = vec![0; 4096];
                while let Ok(read @ 1..) = errors.read(&mut bytes).await {
                    let text = bytes.get(..read).unwrap_or_default();
                    keep(&said, text);
                    output::note(String::from_utf8_lossy(text).trim_end_matches('\n'));
                }
            })
        });
        Ok(Self { child, input, lines, said, ear, stamp, answered: false, _copy: folder })
    }

    /// Sends a message; one that has ended hears nothing, and its end is told by [`next`](Self::next).
    pub(super) async fn send(&mut self, message: &Value) {
        if let Some(input) = &mut self.input {
            let line = format!("{message}\n");
            let _ = input.write_all(line.as_bytes()).await;
            let _ = input.flush().await;
        }
    }

    /// Its next message; none when it has ended.
    pub(super) async fn next(&mut self) -> Option<Value> {
        let message = self.lines.recv().await;
        self.answered |= message.is_some();
        message
    }

    /// Says that nobody will send it anything more.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Lets it end: hangs up, and kills it when that does not help.
    pub(super) async fn end(&mut self) -> Option<ExitStatus> {
        self.hang_up();
        if let Ok(status) = tokio::time::timeout(GOODBYE, self.child.wait()).await {
            self.hear_out().await;
            return status.ok();
        }
        let _ = self.child.kill().await;
        None
    }

    /// How it ended, once it has.
    pub(super) async fn status(&mut self) -> String {
        match tokio::time::timeout(GOODBYE, self.child.wait()).await {
            Ok(Ok(status)) => {
                self.hear_out().await;
                status.to_string()
            }
            _ => "it closed its output and runs on".to_owned(),
        }
    }

    /// Waits for the end of what it says, which may be read later than its exit is seen.
    async fn hear_out(&mut self) {
        if let Some(ear) = self.ear.take() {
            let _ = tokio::time::timeout(LAST_WORDS, ear).await;
        }
    }

    /// The end of what it said on stderr.
    pub(super) fn last_words(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = said.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().skip(lines.len().saturating_sub(10)).copied().collect::<Vec<_>>().join("\n")
    }
}

fn keep(said: &Mutex<VecDeque<u8>>, text: &[u8]) {
    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
    said.extend(text);
    let surplus = said.len().saturating_sub(KEPT);
    said.drain(..surplus);
}

/// Starts a program. A file that was just written may be busy for a moment, while another process holds our copy of it.
async fn spawn(copy: &PathBuf, arguments: &[String]) -> std::io::Result<Child> {
    for _ in 0..50 {
        let mut command = Command::new(copy);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        // Ctrl-C is ours to hand on as the end of its input.
        #[cfg(unix)]
        command.process_group(0);
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => tokio::time::sleep(LOOK).await,
            done => return done,
        }
    }
    Err(ErrorKind::ExecutableFileBusy.into())
}
