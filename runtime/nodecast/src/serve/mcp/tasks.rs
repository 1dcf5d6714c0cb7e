//! Calls that outlive their request (the Tasks extension, SEP-2663): started, looked at, answered and cancelled by id.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{CallToolResult, DetailedTask, ErrorData, InputResponses, Task};
use rmcp::task_manager::{TaskContext, TaskExit, TaskFuture, TaskManager, TaskOptions};
use serde_json::json;

use super::{content, lock};
use crate::Error;
use crate::call::{Stage, shown};

/// A task runs so long at most, and its result is kept as long again.
const LIFETIME: Duration = Duration::from_secs(3600);
/// How often a client looks, unless it knows better.
const POLL: Duration = Duration::from_secs(1);
/// Tasks at a time, those that ended and wait to be seen included.
const MOST: usize = 256;

/// The tasks of one face.
#[derive(Default)]
pub(super) struct Tasks {
    manager: TaskManager,
    /// Who started each: with tokens, an id alone opens nothing.
    owners: Mutex<HashMap<String, Option<String>>>,
}

impl Tasks {
    /// Starts a task; it can be looked at when this returns.
    pub(super) fn start(
        self: &Arc<Self>,
        principal: Option<String>,
        run: impl FnOnce(TaskContext) -> TaskFuture,
    ) -> Result<Task, Error> {
        self.sweep();
        let mut owners = lock(&self.owners);
        if owners.len() >= MOST {
            let detail = format!("{MOST} tasks run or wait to be seen; look at yours, or try again later");
            return Err(Error::at(Stage::Busy, "too_many_tasks", detail).retry_after(60));
        }
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let options = TaskOptions::new().with_ttl_ms(millis(LIFETIME)).with_poll_interval_ms(millis(POLL));
        let task = self.manager.spawn(options, run);
        owners.insert(task.task_id.clone(), principal);
        drop(owners);
        // Forgotten in time even where nobody ever asks for it.
        let tasks = self.clone();
        tokio::spawn(async move {
            tokio::time::sleep(2 * LIFETIME).await;
            tasks.sweep();
        });
        Ok(task)
    }

    /// `tasks/get`.
    pub(super) fn get(&self, id: &str, principal: Option<&str>) -> Result<DetailedTask, ErrorData> {
        self.check(id, principal)?;
        self.manager.get_task(id)
    }

    /// `tasks/update`: answers to what the task asks.
    pub(super) fn update(&self, id: &str, answers: InputResponses, principal: Option<&str>) -> Result<(), ErrorData> {
        self.check(id, principal)?;
        self.manager.update_task(id, answers)
    }

    /// `tasks/cancel`.
    pub(super) fn cancel(&self, id: &str, principal: Option<&str>) -> Result<(), ErrorData> {
        self.check(id, principal)?;
        self.manager.cancel_task(id)
    }

    fn check(&self, id: &str, principal: Option<&str>) -> Result<(), ErrorData> {
        let owners = lock(&self.owners);
        // Somebody else's task is none at all.
        match owners.get(id) {
            Some(owner) if owner.as_deref() == principal => Ok(()),
            _ => Err(ErrorData::invalid_params(
                format!("there is no task {}; it has ended long ago, or never was", shown(id)),
                None,
            )),
        }
    }

    /// Forgets what the manager has forgotten.
    fn sweep(&self) {
        lock(&self.owners).retain(|id, _| self.manager.get_task(id).is_ok());
    }
}

/// The end of a task: what failed as a call is a result that says so, and only what is no fault of the node's fails the
/// task itself.
pub(super) fn end(result: Result<CallToolResult, Error>) -> Result<CallToolResult, TaskExit> {
    result.or_else(|error| match error.stage() {
        Stage::Cancelled => Err(TaskExit::Cancelled),
        Stage::InternalRuntime => {
            let data = json!({ "type": error.kind(), "stage": error.stage().as_str() });
            Err(TaskExit::Error(ErrorData::internal_error(error.message().to_owned(), Some(data))))
        }
        _ => Ok(content::failure(&error)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(_: TaskContext) -> TaskFuture {
        Box::pin(std::future::pending())
    }

    #[tokio::test(start_paused = true)]
    async fn a_task_is_its_owners() {
        let tasks = Arc::new(Tasks::default());
        let id = tasks.start(Some("ada".to_owned()), waits).unwrap().task_id;
        assert!(tasks.get(&id, Some("ada")).is_ok());
        for stranger in [None, Some("bob")] {
            assert_eq!(tasks.get(&id, stranger).unwrap_err().code.0, -32602);
            assert!(
                tasks.update(&id, InputResponses::new(), stranger).is_err() && tasks.cancel(&id, stranger).is_err()
            );
        }
        assert_eq!(tasks.get("another", Some("ada")).unwrap_err().code.0, -32602);
        assert!(tasks.get(&"x".repeat(50_000), None).unwrap_err().message.len() < 1000);
    }

    #[tokio::test(start_paused = true)]
    async fn tasks_are_bounded() {
        let tasks = Arc::new(Tasks::default());
        (0..MOST).for_each(|_| drop(tasks.start(None, waits).unwrap()));
        assert_eq!(tasks.start(None, waits).unwrap_err().kind(), "too_many_tasks");
    }
}
