//! The checked arguments of one call, and the reply that a node's outputs are put into.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;

use super::work::is_heavy;
use super::{Containers, Execution, Finding, Input};
use crate::Error;
use crate::call::Stage;
use crate::decl::FieldDecl;
use crate::wire::{self, Regime, Value, WireError, escape};

/// Where in the body an argument stood, so that a refusal can point at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Origin {
    /// At the root: the flat form of `/call`, and MCP's arguments.
    #[default]
    Root,
    /// Under `inputs`.
    Inputs,
    /// Under `config`.
    Config,
}

impl Origin {
    /// The pointer of what stands in it.
    pub const fn pointer(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Inputs => "/inputs",
            Self::Config => "/config",
        }
    }
}

/// One argument: its value, its name, and where it stood.
#[derive(Clone, Debug)]
pub struct Arg {
    /// The field's name.
    pub name: Cow<'static, str>,
    /// Where it stood.
    pub origin: Origin,
    /// What was sent, or the default; `None` for what was left out.
    pub value: Option<Value>,
}

impl Arg {
    /// The JSON pointer of the argument in the body as sent.
    pub fn pointer(&self) -> String {
        format!("{}/{}", self.origin.pointer(), escape(&self.name))
    }
}

/// The arguments of one call, one slot a declared field and in declared order.
#[derive(Clone, Debug, Default)]
pub struct Args {
    slots: Vec<Arg>,
    next: usize,
    regime: Regime,
    /// The execution that the call enters once nothing of it can be refused any more, and the containers of it.
    execution: Option<(Containers, Arc<Execution>)>,
}

impl Args {
    /// Checked arguments, in the order of the declaration.
    ///
    /// The regime decides whether text may stand for bytes and pictures.
    pub fn new(slots: Vec<Arg>, regime: Regime) -> Self {
        Self { slots, next: 0, regime, execution: None }
    }

    /// The arguments of a call that is part of an execution.
    #[must_use]
    pub(super) fn part_of(mut self, execution: Option<(Containers, Arc<Execution>)>) -> Self {
        self.execution = execution;
        self
    }

    /// Says that the arguments are good: another execution than the last begins a run, which a refused call does not.
    pub(super) fn enter(&mut self) {
        if let Some((containers, execution)) = self.execution.take() {
            containers.enter(&execution.id);
        }
    }

    /// The slots, in declared order.
    pub fn slots(&self) -> &[Arg] {
        &self.slots
    }

    /// The slots, for entries that are made at run time.
    pub fn into_slots(self) -> Vec<Arg> {
        self.slots
    }

    /// Whether decoding them may take long.
    pub(super) fn is_heavy(&self) -> bool {
        is_heavy(self.slots.iter().filter_map(|slot| slot.value.as_ref()), self.regime)
    }

    /// Takes the next field out as a `T`, in declared order; what was left out decodes as an `Option` does.
    pub fn take<T: Input>(&mut self) -> Result<T, Invalid> {
        let Some(slot) = self.slots.get_mut(self.next) else {
            let detail = format!("the call has {} arguments, and the node takes more", self.slots.len());
            return Err(Invalid(Box::new(Finding { kind: "missing_field", detail, ..Finding::default() })));
        };
        self.next += 1;
        let decoded = match slot.value.take() {
            Some(value) => wire::from_value_in(value, self.regime),
            None => wire::from_missing(),
        };
        decoded.map_err(|error| {
            let mut finding = Finding::from(error);
            finding.pointer.insert_str(0, &slot.pointer());
            Invalid(Box::new(finding))
        })
    }
}

/// Why an argument did not decode.
#[derive(Clone, Debug)]
pub struct Invalid(Box<Finding>);

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Self {
        Self::refused(vec![*invalid.0])
    }
}

impl From<WireError> for Finding {
    fn from(error: WireError) -> Self {
        Self {
            kind: error.kind,
            pointer: error.pointer,
            detail: error.detail,
            expected: error.expected,
            ..Self::default()
        }
    }
}

/// What a node returned cannot be said in this regime: the node's failure, not the caller's.
pub fn unsaid(error: WireError) -> Error {
    Error::refused(vec![error.into()]).stage_of(Stage::AdapterExecution)
}

/// The values of the output ports, in declared order.
#[derive(Clone, Debug, Default)]
pub struct Reply {
    ports: &'static [FieldDecl],
    values: Vec<Value>,
    failure: Option<Error>,
}

impl Reply {
    /// An empty reply for these ports.
    pub fn new(ports: &'static [FieldDecl]) -> Self {
        Self { ports, values: Vec::with_capacity(ports.len()), failure: None }
    }

    /// A reply of an entry that is made at run time.
    pub fn from_values(values: Vec<Value>) -> Self {
        Self { ports: &[], values, failure: None }
    }

    /// Puts the value of the next port.
    pub fn put<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let value = wire::to_value(value).map_err(|error| {
            let port = self.ports.get(self.values.len()).map_or("", |port| port.name);
            unsaid(error.under(port).under("outputs"))
        })?;
        self.values.push(value);
        Ok(())
    }

    /// Puts the next value as it is.
    pub(super) fn push(&mut self, value: Value) {
        self.values.push(value);
    }

    /// Says that what the node returned tells of a failure.
    pub(super) fn fail(&mut self, failure: Error) {
        self.failure = Some(failure);
    }

    /// The failure that the reply tells of, for a face that passes it on as it stands.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }

    /// The reply, unless it tells of a failure.
    pub fn succeeded(self) -> Result<Self, Error> {
        match self.failure {
            Some(failure) => Err(failure),
            None => Ok(self),
        }
    }

    /// The values, in the order of the ports.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    pub(super) fn values_mut(&mut self) -> &mut [Value] {
        &mut self.values
    }

    /// The values, in the order of the ports.
    pub fn into_values(self) -> Vec<Value> {
        self.values
    }
}
