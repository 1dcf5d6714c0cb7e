//! `dev`: one connection of a client across the rebuilds of an application.
//!
//! The client's messages go through to the application as they are; before each call of a tool the binary is looked at, and
//! a new build takes the place of the old one, with the messages that the old one had accepted.

mod app;
mod client;
mod memory;
mod reload;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Split, Stdin, Stdout};

use crate::cli::Dev as Verb;
use crate::exit::Exit;
use crate::failure::Failure;
use app::{App, GOODBYE, Stamp};
use client::{Client, Pending, failed, put_before};
use memory::Memory;

/// An application that ends more often within [`WINDOW`] is not started again.
const MOST_RESTARTS: usize = 3;
const WINDOW: Duration = Duration::from_secs(60);

/// Serves until the client hangs up.
pub(crate) async fn run(verb: &Verb) -> Result<(), Failure> {
    let missing = |error: std::io::Error| {
        let text = format!("{} cannot be started: {error}", verb.binary.display());
        Failure::new(Exit::Unreachable, "unreachable", text)
    };
    // A link stays one: where it leads may change with a build.
    let binary = std::path::absolute(&verb.binary).map_err(missing)?;
    std::fs::metadata(&binary).map_err(missing)?;
    let mut dev = Dev::start(binary, verb).await?;
    // However it ends, the application ends with it, and its copy is removed.
    let ended = tokio::select! {
        ended = dev.serve() => ended,
        ended = told_to_stop() => ended,
    };
    let Some(mut app) = dev.app.take() else { return ended };
    app.hang_up();
    let last = async {
        // What it still answers is the client's, who may have sent all and read on.
        while let Some(message) = app.next().await {
            dev.on_app(message).await;
        }
        app.end().await
    };
    let status = tokio::time::timeout(GOODBYE, last).await.unwrap_or_default();
    match status {
        // A client may hang up sooner than we see that there is nothing to talk to.
        Some(status) if ended.is_ok() && !app.answered && !status.success() => {
            Err(not_started(&dev.binary, &app, &status.to_string()))
        }
        _ => ended,
    }
}

/// Ends when somebody stops us: as a client that hangs up, or by Ctrl-C.
async fn told_to_stop() -> Result<(), Failure> {
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        Ok(()) = tokio::signal::ctrl_c() => Err(Failure::new(Exit::Interrupted, "interrupted", "interrupted")),
        () = terminated => Ok(()),
    }
}

fn not_started(binary: &Path, app: &App, status: &str) -> Failure {
    let text = format!("{} ended before it answered ({status})", binary.display());
    Failure::new(Exit::Unreachable, "unreachable", text).quoting(app.last_words())
}

/// When an application was started again, within the last [`WINDOW`].
#[derive(Debug, Default)]
struct Restarts(VecDeque<Instant>);

impl Restarts {
    /// Whether it may be started again now, which is counted then.
    fn take(&mut self, now: Instant) -> bool {
        self.0.retain(|before| now.duration_since(*before) < WINDOW);
        let has_room = self.0.len() < MOST_RESTARTS;
        if has_room {
            self.0.push_back(now);
        }
        has_room
    }
}

/// One client, and the application of the moment.
struct Dev {
    binary: PathBuf,
    arguments: Vec<String>,
    app: Option<App>,
    client: Client,
    memory: Memory,
    /// Lines as bytes: one that is no text is answered, and ends nothing.
    input: Split<BufReader<Stdin>>,
    output: Stdout,
    /// What a result has to say first that did not get to one.
    unsaid: Option<String>,
    /// The tools of the application, where they are known.
    tools: Option<Value>,
    restarts: Restarts,
    /// The build that did not start, and why.
    failing: Option<(Stamp, String)>,
    /// How the application ended, where it has.
    died: Option<String>,
    asked: u64,
}

impl Dev {
    async fn start(binary: PathBuf, verb: &Verb) -> Result<Self, Failure> {
        let mut arguments = verb.arguments.clone();
        if crate::target::program::is_ours(&binary) && !arguments.iter().any(|argument| argument == "--stdio") {
            arguments.push("--stdio".to_owned());
        }
        let stamp = Stamp::of(&binary).ok_or_else(|| Failure::usage(format!("{} is gone", binary.display())))?;
        let app = App::start(&binary, &arguments, stamp).await?;
        Ok(Self {
            binary,
            arguments,
            app: Some(app),
            client: Client::default(),
            memory: Memory::new(verb.no_replay),
            input: BufReader::new(tokio::io::stdin()).split(b'\n'),
            output: tokio::io::stdout(),
            unsaid: None,
            tools: None,
            restarts: Restarts::default(),
            failing: None,
            died: None,
            asked: 0,
        })
    }

    async fn serve(&mut self) -> Result<(), Failure> {
        loop {
            let told = async {
                match &mut self.app {
                    Some(app) => app.next().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                line = self.input.next_segment() => match line {
                    Ok(Some(line)) => self.on_client(&line).await,
                    _ => return Ok(()),
                },
                message = told => match message {
                    Some(message) => self.on_app(message).await,
                    None => self.on_end().await?,
                },
            }
        }
    }

    async fn on_client(&mut self, line: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Value>(line) else {
            let error = json!({ "code": -32700, "message": "the line is no JSON" });
            return self.tell(&json!({ "jsonrpc": "2.0", "id": null, "error": error })).await;
        };
        self.client.heard(&message);
        let is_call = message.get("method").and_then(Value::as_str) == Some("tools/call");
        let prefix = if is_call {
            let lines: Vec<String> = self.unsaid.take().into_iter().chain(self.refresh().await).collect();
            (!lines.is_empty()).then(|| lines.join("\n"))
        } else {
            None
        };
        if let Some(app) = &mut self.app {
            self.client.waits(&message, prefix);
            return app.send(&message).await;
        }
        let Some(id) = message.get("id") else { return };
        let why = self.died.clone().unwrap_or_default();
        let answer = if is_call {
            failed(id, "internal_runtime", &why)
        } else {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32603, "message": why } })
        };
        self.tell(&answer).await;
    }

    async fn on_app(&mut self, mut message: Value) {
        if self.client.is_spared(&message) {
            return;
        }
        if let Some(pending) = self.client.answered(&message) {
            if let (Some((tool, arguments)), Some(result)) = (&pending.call, message.get("result")) {
                self.memory.note(tool, arguments, result);
            }
            if pending.lists {
                self.tools = message.pointer("/result/tools").cloned();
            }
            if let Some(line) = pending.prefix
                && !put_before(&mut message, &line)
            {
                // A refusal of the protocol has no text of ours.
                self.unsaid = Some(line);
            }
        }
        self.tell(&message).await;
    }

    /// The application has ended by itself.
    async fn on_end(&mut self) -> Result<(), Failure> {
        let Some(mut app) = self.app.take() else { return Ok(()) };
        let status = app.status().await;
        if !app.answered {
            return Err(not_started(&self.binary, &app, &status));
        }
        let died = format!("the application ended in the middle of the call ({status})");
        // What was in flight is not sent again: it may be what ended it.
        let abandoned = self.client.abandoned();
        let again = self.restart(&status).await;
        let text = format!("{died}; {again}");
        for pending in abandoned {
            self.give_up(pending, "internal_runtime", &text).await;
        }
        Ok(())
    }

    /// Answers a request that no application will answer; a call says first what its result would have.
    async fn give_up(&mut self, pending: Pending, stage: &str, why: &str) {
        let mut answer = match pending.call {
            Some(_) => failed(&pending.id, stage, why),
            None => json!({ "jsonrpc": "2.0", "id": pending.id, "error": { "code": -32603, "message": why } }),
        };
        if let Some(line) = pending.prefix {
            // Calls alone have such a line, and each has a text.
            put_before(&mut answer, &line);
        }
        self.tell(&answer).await;
    }

    /// Starts it again, unless it has ended too often; says what came of it.
    async fn restart(&mut self, status: &str) -> String {
        if !self.restarts.take(Instant::now()) {
            let text = format!(
                "it has ended {} times within a minute ({status}); a call starts it again when that minute is over, or \
                 when its binary changes",
                MOST_RESTARTS + 1
            );
            self.died = Some(text.clone());
            self.failing = Stamp::of(&self.binary).map(|stamp| (stamp, text.clone()));
            return text;
        }
        match Stamp::settled(&self.binary).await {
            Ok(stamp) => match self.replace(stamp).await {
                Ok(replayed) => format!("it was started again: {replayed}"),
                Err(reason) => {
                    self.failing = Some((stamp, reason.clone()));
                    self.died = Some(reload::does_not_start(&reason));
                    format!("it does not start again: {reason}")
                }
            },
            Err(reason) => {
                self.died = Some(reason.clone());
                reason
            }
        }
    }

    async fn tell(&mut self, message: &Value) {
        let line = format!("{message}\n");
        // A client that does not read hangs up, and that is the end.
        let _ = self.output.write_all(line.as_bytes()).await;
        let _ = self.output.flush().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `live.md` 9: at most three times a minute, and again when it is over.
    #[test]
    fn an_application_is_started_again_three_times_a_minute() {
        let (mut restarts, begun) = (Restarts::default(), Instant::now());
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        assert!([0, 10, 20].into_iter().all(|seconds| restarts.take(at(seconds))));
        assert!(!restarts.take(at(30)) && !restarts.take(at(59)));
        assert!(restarts.take(at(60)) && !restarts.take(at(61)));
        assert!(restarts.take(at(70)));
    }
}
