//! A container by its id: one of the nodeset's own, or one that the caller lends for the length of a call (`wire.md` 6).

use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Containers;
use crate::Error;
use crate::call::{BoxFuture, Stage, unsaid};
use crate::wire::{self, Regime, Value};

/// The execution of a graph that a call is part of, and what it lends to the call.
#[derive(Clone, Default)]
pub struct Execution {
    /// Its id.
    pub id: String,
    /// The ids of the containers that the call may use though they are homed elsewhere.
    pub grants: Vec<String>,
    /// Who has them.
    pub broker: Option<Arc<dyn Broker>>,
}

impl fmt::Debug for Execution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution").field("id", &self.id).field("grants", &self.grants).finish_non_exhaustive()
    }
}

/// Reaches the containers of an execution; a face implements it.
pub trait Broker: Send + Sync {
    /// Does one thing to a container: the value for a read, else anything.
    fn ask<'a>(
        &'a self,
        execution: &'a str,
        container: &'a str,
        what: Operation,
    ) -> BoxFuture<'a, Result<Value, Error>>;
}

/// One thing that is done to a container.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Reads a state.
    Read {
        /// Its name.
        state: String,
        /// Of this key of it.
        key: Option<String>,
    },
    /// Writes a state by its reducer.
    Write {
        /// Its name.
        state: String,
        /// What is written.
        data: Value,
        /// To this key of it.
        key: Option<String>,
    },
    /// Forgets a key in all states.
    Evict {
        /// Which.
        key: String,
    },
}

/// A container by its id, whoever has it: [`Context::container`](crate::Context::container).
///
/// Those of the nodeset itself answer at once; what is done to one that was granted travels to the executor and back.
#[derive(Clone, Debug)]
pub struct ContainerRef<'a> {
    id: &'a str,
    at: At<'a>,
    key: Option<&'a str>,
}

#[derive(Clone, Debug)]
enum At<'a> {
    Own(&'a Containers, usize),
    Granted(&'a Execution),
}

impl<'a> ContainerRef<'a> {
    /// One of its own, even where it is granted too: asking the executor for it would come back here.
    pub(crate) fn find(
        containers: &'a Containers,
        execution: Option<&'a Execution>,
        id: &'a str,
    ) -> Result<Self, Error> {
        if let Some(container) = containers.find(id) {
            return Ok(Self { id, at: At::Own(containers, container), key: None });
        }
        match execution {
            Some(execution) if execution.grants.iter().any(|granted| granted == id) => {
                Ok(Self { id, at: At::Granted(execution), key: None })
            }
            _ => Err(containers.unknown(id).stage_of(Stage::AdapterExecution)),
        }
    }

    /// The same container for one key, which has values of its own from its first write on.
    #[must_use]
    pub fn at(self, key: &'a str) -> Self {
        Self { key: Some(key), ..self }
    }

    /// The value of a state.
    pub async fn read<T: DeserializeOwned>(&self, state: &str) -> Result<T, Error> {
        let value = match &self.at {
            At::Own(containers, container) => {
                let place = containers.state(*container, state).map_err(own)?;
                Value::clone(&*containers.read(place, self.key)?)
            }
            At::Granted(execution) => {
                self.ask(execution, Operation::Read { state: state.to_owned(), key: self.key.map(str::to_owned) })
                    .await?
            }
        };
        wire::from_value(value).map_err(unsaid)
    }

    /// Writes a state: appends, replaces or adds, as the state is declared.
    pub async fn write(&self, state: &str, data: impl Serialize) -> Result<(), Error> {
        let data = wire::to_value(&data).map_err(unsaid)?;
        match &self.at {
            At::Own(containers, container) => {
                let place = containers.state(*container, state).map_err(own)?;
                let written = containers.write(place, self.key, data, Regime::Msgpack);
                written.map_err(|error| containers.of_node(place, &error))
            }
            At::Granted(execution) => {
                let write = Operation::Write { state: state.to_owned(), data, key: self.key.map(str::to_owned) };
                self.ask(execution, write).await.map(drop)
            }
        }
    }

    /// Forgets a key in all states.
    pub async fn evict(&self, key: &str) -> Result<(), Error> {
        match &self.at {
            At::Own(containers, container) => {
                containers.evict(*container, key);
                Ok(())
            }
            At::Granted(execution) => self.ask(execution, Operation::Evict { key: key.to_owned() }).await.map(drop),
        }
    }

    async fn ask(&self, execution: &Execution, what: Operation) -> Result<Value, Error> {
        let Some(broker) = &execution.broker else {
            let detail = "the call grants containers, and nobody here reaches the executor that has them";
            return Err(Error::at(Stage::InternalRuntime, "grants_unavailable", detail));
        };
        broker.ask(&execution.id, self.id, what).await
    }
}

/// What a node does wrong with a container is the node's failure, not its caller's.
fn own(error: Error) -> Error {
    error.stage_of(Stage::AdapterExecution)
}
