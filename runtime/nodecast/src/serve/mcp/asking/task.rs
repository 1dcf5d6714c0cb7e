//! A call that may become a task: before it has, its client is asked as for any other call, and afterwards when it looks
//! at the task.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use futures_util::future::try_join_all;
use rmcp::model::ClientCapabilities;
use rmcp::task_manager::{TaskContext, TaskExit};
use serde_json::Value as Json;

use super::super::lock;
use super::{Asking, TRIES, can, convert, lacks, wrong_answer};
use crate::Error;
use crate::call::{Ability, Asker, BoxFuture, CallEvents, LogLevel, Question, Stage};

/// The way to a client that looks at its task.
pub(in crate::serve::mcp) struct TaskAsker {
    before: Option<Arc<dyn Asker>>,
    capabilities: ClientCapabilities,
    task: OnceLock<TaskContext>,
    /// The last progress before the call was a task.
    before_task: Mutex<Option<String>>,
    /// How often each key was used: a task never asks two things under one name.
    used: Mutex<HashMap<String, usize>>,
}

impl TaskAsker {
    pub(in crate::serve::mcp) fn new(before: &Asking, capabilities: ClientCapabilities) -> Self {
        Self {
            before: before.asker(),
            capabilities,
            task: OnceLock::new(),
            before_task: Mutex::default(),
            used: Mutex::default(),
        }
    }

    /// From here on the call is this task.
    pub(in crate::serve::mcp) fn becomes(&self, task: TaskContext) {
        let mut said = lock(&self.before_task);
        if let Some(said) = said.take() {
            task.set_status_message(said);
        }
        // A call becomes one task, so the cell is empty.
        let _ = self.task.set(task);
    }

    async fn put(&self, task: &TaskContext, question: &Question) -> Result<Json, Error> {
        let mut request = question.request.clone();
        let mut problem = String::new();
        for _ in 0..TRIES {
            let input = convert::input(&request)?;
            let answer = task.request_input(self.key(&question.key), input).await.map_err(ended)?;
            match question.check(&answer) {
                Ok(()) => return Ok(answer),
                Err(wrong) => {
                    request = question.again(&wrong);
                    problem = wrong;
                }
            }
        }
        Err(wrong_answer(question, &problem))
    }

    fn key(&self, key: &str) -> String {
        let mut used = lock(&self.used);
        let times = used.entry(key.to_owned()).or_default();
        *times += 1;
        if *times == 1 { key.to_owned() } else { format!("{key}-{times}") }
    }
}

impl Asker for TaskAsker {
    fn can(&self, ability: Ability) -> bool {
        can(&self.capabilities, ability)
    }

    fn ask<'a>(&'a self, questions: &'a [Question]) -> BoxFuture<'a, Result<Vec<Json>, Error>> {
        match (self.task.get(), &self.before) {
            (None, Some(before)) => before.ask(questions),
            (None, None) => Box::pin(std::future::ready(Err(no_task()))),
            (Some(task), _) => Box::pin(async move {
                let needs = questions.iter().map(|question| question.request.needs());
                if let Some(lacking) = needs.into_iter().find(|ability| !self.can(*ability)) {
                    return Err(lacks(lacking));
                }
                try_join_all(questions.iter().map(|question| self.put(task, question))).await
            }),
        }
    }

    fn suspended(&self) -> BoxFuture<'_, ()> {
        match &self.before {
            Some(before) => before.suspended(),
            None => Box::pin(std::future::pending()),
        }
    }
}

/// Progress is what a task says of itself; log messages have no way out of it.
impl CallEvents for TaskAsker {
    fn progress(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        let share = total.map_or_else(|| done.to_string(), |total| format!("{done} of {total}"));
        let said = message.map_or_else(|| share.clone(), |message| format!("{message} ({share})"));
        let mut before_task = lock(&self.before_task);
        match self.task.get() {
            Some(task) => task.set_status_message(said),
            None => *before_task = Some(said),
        }
    }

    fn log(&self, _: LogLevel, _: &str) {}
}

fn ended(exit: TaskExit) -> Error {
    match exit {
        TaskExit::Cancelled => Error::at(Stage::Cancelled, "cancelled", "the task was cancelled"),
        TaskExit::Error(error) => Error::at(Stage::InternalRuntime, "task", error.message.into_owned()),
    }
}

fn no_task() -> Error {
    Error::new("cannot_ask", "the node asks its client before the call is a task, and this client has no session")
}
