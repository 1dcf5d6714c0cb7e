//! The account of a call: opened when it begins, closed once when it ends, however it ends; one log line, and word to
//! whoever counts calls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::exported::Exported;
use super::invoke::{INPUT_REQUIRED, is_question};
use super::{Context, Error, Stage};

/// Learns of the calls of a host, whichever face they came by. Nothing of a call's arguments or result is told.
pub trait CallObserver: Send + Sync {
    /// A call of `function` has begun, which is this part of its nodeset.
    fn begun(&self, function: &str, part: &'static str);
    /// A call that has begun has ended.
    fn ended(&self, end: &CallEnd<'_>);
}

/// How a call ended.
#[derive(Clone, Copy, Debug)]
pub struct CallEnd<'a> {
    /// Full name of the node, the resource or the prompt.
    pub function: &'a str,
    /// Which of these it is: `node`, `resource` or `prompt`; a nodeset may have one of each under one name.
    pub part: &'static str,
    /// Which face: `http`, `mcp`, `stdio` or `local`.
    pub face: &'static str,
    /// With what.
    pub outcome: Outcome,
    /// From the arguments as the face read them to the reply as the face sends it.
    pub duration: Duration,
    /// What failed.
    pub error: Option<&'a Error>,
    /// The execution of a graph that it was part of.
    pub execution: Option<&'a str>,
}

/// With what a call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A result.
    Done,
    /// A question to its client, which calls again with the answer.
    Asked,
    /// A failure of this stage.
    Failed(Stage),
}

impl Outcome {
    fn of(error: Option<&Error>) -> Self {
        match error {
            None => Self::Done,
            Some(error) if is_question(error) => Self::Asked,
            Some(error) => Self::Failed(error.stage()),
        }
    }

    /// `ok`, `input_required`, or the stage that failed: a closed list of words.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "ok",
            Self::Asked => INPUT_REQUIRED,
            Self::Failed(stage) => stage.as_str(),
        }
    }
}

/// An open account. A caller that goes away drops the call, and with it this; that is an end like others.
pub(super) struct Account<'a> {
    function: &'a str,
    part: &'static str,
    face: &'static str,
    execution: Option<&'a str>,
    observer: Option<&'a Arc<dyn CallObserver>>,
    exported: &'a Exported,
    started: Instant,
    closed: bool,
}

impl<'a> Account<'a> {
    pub(super) fn open((part, function): (&'static str, &'a str), cx: &'a Context, exported: &'a Exported) -> Self {
        let observer = cx.observer();
        if let Some(observer) = observer {
            observer.begun(function, part);
        }
        Self::new((part, function), cx, observer, exported)
    }

    /// Of what has a line in the log and is no call to count, as a completion.
    pub(super) fn uncounted(
        (part, function): (&'static str, &'a str),
        cx: &'a Context,
        exported: &'a Exported,
    ) -> Self {
        Self::new((part, function), cx, None, exported)
    }

    fn new(
        (part, function): (&'static str, &'a str),
        cx: &'a Context,
        observer: Option<&'a Arc<dyn CallObserver>>,
        exported: &'a Exported,
    ) -> Self {
        let (face, execution) = (cx.caller().face, cx.execution());
        Self { function, part, face, execution, observer, exported, started: Instant::now(), closed: false }
    }

    /// The call ended so.
    pub(super) fn close(mut self, error: Option<&Error>) {
        self.end(error);
    }

    fn end(&mut self, error: Option<&Error>) {
        self.closed = true;
        let duration = self.started.elapsed();
        let outcome = Outcome::of(error);
        super::invoke::log(error, duration);
        self.exported.end(outcome, error);
        if let Some(observer) = self.observer {
            let Self { function, part, face, execution, .. } = *self;
            observer.ended(&CallEnd { function, part, face, outcome, duration, error, execution });
        }
    }
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        if !self.closed {
            self.end(Some(&Error::at(Stage::Cancelled, "abandoned", "the caller went away")));
        }
    }
}
