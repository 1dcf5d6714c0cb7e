//! A host whose client speaks on standard input and output, as clients do that start their servers.

use std::io::{BufRead as _, BufReader, Lines, Read as _, Write as _};
use std::process::{self, Child, ChildStdin, ChildStdout, Command};
use std::thread::JoinHandle;

use serde_json::Value as Json;

/// A client on standard input and output.
#[derive(Debug)]
pub struct Stdio {
    input: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
    /// The host, and who reads its log. Of a host with a port beside, [`Host`](crate::Host) has both.
    process: Option<(Child, JoinHandle<String>)>,
}

/// How a host on standard input and output has ended.
#[derive(Debug)]
pub struct Ended {
    /// The exit code.
    pub code: Option<i32>,
    /// The lines that had not been received before.
    pub lines: Vec<String>,
    /// What it logged.
    pub log: String,
}

impl Stdio {
    /// Starts `program` with these arguments on standard input and output.
    ///
    /// # Panics
    ///
    /// Where it does not start.
    pub fn start(program: &str, arguments: &[&str]) -> Self {
        Self::of(Command::new(program).args(arguments).env("RUST_LOG", "info,rmcp=off"))
    }

    /// The client of a host that is started by this command and `--stdio`.
    ///
    /// # Panics
    ///
    /// Where it does not start.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn of(command: &mut Command) -> Self {
        let (mut client, mut child) = Self::spawn(command);
        let mut stderr = child.stderr.take().expect("a pipe");
        // Read all the while, since a pipe holds little.
        let log = std::thread::spawn(move || {
            let mut log = Vec::new();
            stderr.read_to_end(&mut log).expect("a log");
            String::from_utf8_lossy(&log).into_owned()
        });
        client.process = Some((child, log));
        client
    }

    /// The client, and its host with the pipe of its log.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub(crate) fn spawn(command: &mut Command) -> (Self, Child) {
        let mut child = command
            .arg("--stdio")
            .stdin(process::Stdio::piped())
            .stdout(process::Stdio::piped())
            .stderr(process::Stdio::piped())
            .spawn()
            .expect("the host starts");
        let input = child.stdin.take().expect("a pipe");
        let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        (Self { input, lines, process: None }, child)
    }

    /// Sends a message.
    ///
    /// # Panics
    ///
    /// Where nobody reads it.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn send(&mut self, message: &Json) {
        writeln!(self.input, "{message}").expect("written");
    }

    /// Reads the next line.
    ///
    /// # Panics
    ///
    /// Where there is none.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn receive(&mut self) -> Json {
        let line = self.lines.next().expect("a line").expect("text");
        serde_json::from_str(&line).expect("JSON")
    }

    /// Sends a message, and reads the next line.
    ///
    /// # Panics
    ///
    /// Where there is none.
    pub fn ask(&mut self, message: &Json) -> Json {
        self.send(message);
        self.receive()
    }

    /// Sends the host a signal: `TERM` or `INT`.
    ///
    /// # Panics
    ///
    /// Where it is gone.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn signal(&self, name: &str) {
        let (child, _) = self.process.as_ref().expect("a host without a port");
        crate::signal(child, name);
    }

    /// Ends the input, and waits until the host has ended.
    ///
    /// # Panics
    ///
    /// Where it does not end.
    pub fn end(self) -> Ended {
        self.converse(Vec::new())
    }

    /// Sends these lines, ends the input, and waits until the host has ended.
    ///
    /// # Panics
    ///
    /// Where it does not read them all.
    #[allow(clippy::expect_used, reason = "a test ends here")]
    pub fn converse(self, said: Vec<u8>) -> Ended {
        let Self { mut input, lines, process } = self;
        // What is said and what comes back may both be more than a pipe holds.
        let sending = std::thread::spawn(move || input.write_all(&said));
        let ended = Ended::of(lines, process);
        sending.join().expect("a thread").expect("written");
        ended
    }

    /// Waits until the host has ended, with the input open all the while.
    ///
    /// # Panics
    ///
    /// Where it does not end.
    pub fn wait(self) -> Ended {
        let Self { input: _open, lines, process } = self;
        Ended::of(lines, process)
    }
}

impl Ended {
    #[allow(clippy::expect_used, reason = "a test ends here")]
    fn of(lines: Lines<BufReader<ChildStdout>>, process: Option<(Child, JoinHandle<String>)>) -> Self {
        let lines = lines.map(|line| line.expect("text")).collect();
        let (mut child, log) = process.expect("a host without a port");
        let code = child.wait().expect("an end").code();
        Self { code, lines, log: log.join().expect("a log") }
    }

    /// The answer to a request among the lines, of which each is a message.
    ///
    /// # Panics
    ///
    /// Where there is none.
    #[allow(clippy::expect_used, clippy::panic, reason = "a test ends here")]
    pub fn answer(&self, id: i64) -> Json {
        let messages: Vec<Json> = self.lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let answer = messages.into_iter().find(|message| message.get("id").and_then(Json::as_i64) == Some(id));
        answer.unwrap_or_else(|| panic!("no answer to {id}: {self:?}"))
    }
}
