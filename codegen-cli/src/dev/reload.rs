//! A new build in the place of the old one: started, told what the client had said, and brought to the same state.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Dev;
use super::app::{App, Stamp};
use super::client::OURS;
use super::memory::{is_error, rejected, text};

/// A new build has so long to answer the handshake, and each batch of messages.
const ANSWERS: Duration = Duration::from_secs(30);
/// What is in flight has so long to end before the old build goes.
const IN_FLIGHT: Duration = Duration::from_secs(5);
/// So many characters of a state line, with room for what is said of the rest.
const LONGEST_STATE: usize = 7_940;

impl Dev {
    /// Takes a new build, if there is one; gives the first line of the next result.
    pub(super) async fn refresh(&mut self) -> Option<String> {
        let now = Stamp::of(&self.binary);
        let is_same = self.app.as_ref().is_some_and(|app| now == Some(app.stamp));
        if is_same {
            self.failing = None;
            return None;
        }
        if let (Some((stamp, reason)), Some(_)) = (&self.failing, &self.app)
            && now == Some(*stamp)
        {
            return Some(still(reason));
        }
        // It ended too often, or does not start: with no new build it is not tried more often than one that ends.
        let is_tried = self.failing.as_ref().map(|(stamp, _)| *stamp) == now;
        if self.app.is_none() && self.died.is_some() && is_tried && !self.restarts.take(Instant::now()) {
            return None;
        }
        let stamp = match Stamp::settled(&self.binary).await {
            Ok(stamp) => stamp,
            Err(reason) => return Some(still(&reason)),
        };
        match self.replace(stamp).await {
            Ok(line) => Some(line),
            Err(reason) => {
                let line = still(&reason);
                if self.app.is_none() {
                    self.died = Some(does_not_start(&reason));
                }
                self.failing = Some((stamp, reason));
                Some(line)
            }
        }
    }

    /// Starts this build in the place of what runs; says what it was brought to. What runs stays where it does not start.
    pub(super) async fn replace(&mut self, stamp: Stamp) -> Result<String, String> {
        let started = App::start(&self.binary, &self.arguments, stamp).await;
        let mut app = started.map_err(|failure| failure.sentence().to_owned())?;
        let before = self.known_tools().await;
        if let Err(reason) = self.greet(&mut app).await {
            let words = app.last_words();
            app.end().await;
            self.tools = before;
            let last = words.lines().last().unwrap_or_default().to_owned();
            return Err(if last.is_empty() { reason } else { format!("{reason}: {last}") });
        }
        self.finish_in_flight().await;
        let line = self.replay(&mut app).await;
        self.subscribe(&mut app).await;
        let old = self.app.replace(app);
        (self.died, self.failing) = (None, None);
        if let Some(mut old) = old {
            for pending in self.client.abandoned() {
                let text = "the application was reloaded in the middle of the call; call it again";
                self.give_up(pending, "cancelled", text).await;
            }
            tokio::spawn(async move { old.end().await });
        }
        let changed = before.is_some() && before != self.tools;
        for note in self.client.notes(changed) {
            self.tell(&note).await;
        }
        Ok(line)
    }

    /// The tools of what runs, which is asked where no client has: so that a change of them is seen.
    async fn known_tools(&mut self) -> Option<Value> {
        if self.tools.is_none()
            && let Some(mut app) = self.app.take()
        {
            let listed = self.ask(&mut app, "tools/list", json!({})).await;
            self.tools = listed.ok().and_then(|listed| listed.pointer("/result/tools").cloned());
            self.app = Some(app);
        }
        self.tools.take()
    }

    /// Waits for what the old build works on: its answers are the client's, and its messages are replayed.
    async fn finish_in_flight(&mut self) {
        let finished = async {
            while self.client.is_answered_soon() {
                let Some(app) = &mut self.app else { return };
                let Some(message) = app.next().await else { return };
                self.on_app(message).await;
            }
        };
        // What takes longer is answered as reloaded.
        let _ = tokio::time::timeout(IN_FLIGHT, finished).await;
    }

    /// Tells a new build what the client has said, and asks for its tools.
    async fn greet(&mut self, app: &mut App) -> Result<(), String> {
        match self.client.initialize.clone() {
            Some(params) => {
                self.ask(app, "initialize", params).await?;
                app.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
                if let Some(level) = self.client.level.clone() {
                    // One that keeps no log refuses it, and the client hears nothing either way.
                    let _ = self.ask(app, "logging/setLevel", level).await;
                }
            }
            None => drop(self.ask(app, "server/discover", json!({})).await?),
        }
        let tools = self.ask(app, "tools/list", json!({})).await?;
        self.tools = tools.pointer("/result/tools").cloned();
        Ok(())
    }

    /// Asks for what the client watches, once the messages have been sent again: of those, it is told by one note.
    async fn subscribe(&mut self, app: &mut App) {
        let watched: Vec<String> = self.client.watched().cloned().collect();
        for uri in watched {
            // A value that is gone is watched by nobody.
            let _ = self.ask(app, "resources/subscribe", json!({ "uri": uri })).await;
        }
        for listen in self.client.listens_again() {
            app.send(&listen).await;
        }
    }

    /// Sends the accepted messages again; the lines that tell of it.
    async fn replay(&mut self, app: &mut App) -> String {
        let name = self.binary.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let (mut lines, mut rejections, mut state) = (Vec::new(), Vec::new(), None);
        let (mut from, mut replayed) = (0, 0);
        while let Some(batch) = self.memory.batch(from) {
            let size = batch.len();
            let call = json!({ "name": "dispatch", "arguments": { "messages": batch } });
            let answer = match self.ask(app, "tools/call", call).await {
                Ok(answer) => answer,
                Err(reason) => {
                    lines.push(format!("replay: {reason}"));
                    break;
                }
            };
            let result = answer.get("result").cloned().unwrap_or_default();
            match (is_error(&result), rejected(text(&result))) {
                (false, _) => {
                    state = text(&result).lines().last().map(str::to_owned);
                    (from, replayed) = (from + size, replayed + size);
                }
                (true, Some((place, reason))) => {
                    lines.push(format!("replay: message {} rejected: {reason}", from + place));
                    rejections.push(from + place - 1);
                    (from, replayed) = (from + place, replayed + place - 1);
                    state = None;
                }
                (true, None) => {
                    lines.push(format!("replay: {}", text(&result).lines().next().unwrap_or_default()));
                    break;
                }
            }
        }
        self.memory.forget(&rejections);
        let state = match state {
            Some(state) => state,
            None => self.state(app).await,
        };
        if self.memory.take_overflow() {
            lines.insert(0, "more messages were sent than are remembered, so it starts empty".to_owned());
        }
        lines.insert(0, format!("reloaded {name}: {replayed} messages replayed, {state}"));
        lines.join("\n")
    }

    /// The state line of an application that was sent nothing.
    async fn state(&mut self, app: &mut App) -> String {
        let call = json!({ "name": "snapshot", "arguments": {} });
        let answer = self.ask(app, "tools/call", call).await.unwrap_or_default();
        // The text has whole integers, which structured content rounds.
        let state = answer.get("result").and_then(|result| serde_json::from_str::<Value>(text(result)).ok());
        let Some(state) = state else { return "its state is not known".to_owned() };
        let values = state.get("values").and_then(Value::as_object).into_iter().flatten();
        let values: Vec<_> = values.map(|(name, value)| format!(" {name}={}", cut(&value.to_string()))).collect();
        let mut line = format!("v{}:", state.get("version").unwrap_or(&Value::Null));
        let mut length = line.len();
        for (at, value) in values.iter().enumerate() {
            let separator = if at > 0 { "," } else { "" };
            length += value.chars().count() + separator.len();
            if length > LONGEST_STATE {
                let _ = write!(line, "{separator} +{} more, read live://state", values.len() - at);
                return line;
            }
            line.push_str(separator);
            line.push_str(value);
        }
        line
    }

    /// Asks an application on our own account; what else it says meanwhile goes to the client.
    async fn ask(&mut self, app: &mut App, method: &str, params: Value) -> Result<Value, String> {
        self.asked += 1;
        let id = format!("{OURS}{}", self.asked);
        app.send(&self.client.request(&id, method, params)).await;
        let answered = async {
            loop {
                let message = app.next().await.ok_or("it ended")?;
                if message.get("id").and_then(Value::as_str) == Some(&id) {
                    return Ok::<_, &str>(message);
                }
                self.on_app(message).await;
            }
        };
        let answer = match tokio::time::timeout(ANSWERS, answered).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(end)) => return Err(format!("{end} ({})", app.status().await)),
            Err(_) => return Err(format!("it did not answer `{method}` within {} s", ANSWERS.as_secs())),
        };
        match answer.pointer("/error/message").and_then(Value::as_str) {
            Some(refusal) => Err(format!("it refused `{method}`: {refusal}")),
            None => Ok(answer),
        }
    }
}

/// Why there is no application.
pub(super) fn does_not_start(reason: &str) -> String {
    format!("the application does not start: {reason}")
}

fn still(reason: &str) -> String {
    format!("reload failed, still serving the previous build: {reason}")
}

/// As a state line shows a value.
fn cut(value: &str) -> String {
    match value.char_indices().nth(60) {
        None => value.to_owned(),
        Some(_) => value.chars().take(59).chain(['…']).collect(),
    }
}
