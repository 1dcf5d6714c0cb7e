//! What a nodeset remembers between calls (`wire.md` 5): the store behind all faces, and how nodes reach it.
//!
//! Each operation is atomic: one lock a container, held for as long as it takes to clone a handle or to change a value,
//! never across an `await`. Values are shared, so that who reads waits for nobody who computes.

mod cell;
mod handle;
mod preview;
mod typed;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub use handle::{Broker, ContainerRef, Execution, Operation};
pub use typed::{
    Accumulator, Container, ContainerRow, Counter, LastWrite, Slot, StateOf, StateRow, StateType, States, Stored,
    container_row, state,
};

use super::{FieldCheck, Finding, nearest};
use crate::Error;
use crate::decl::{RUN, Reducer};
use crate::wire::{Map, Regime, Value, WireError};
use cell::Cell;

/// Reads what was sent in a regime as the type of the state, and gives it as that type writes it.
pub type Normal = fn(Value, Regime) -> Result<Value, WireError>;

/// A container as it is kept.
#[derive(Debug)]
pub struct ContainerSpec {
    /// Its id on every face.
    pub id: Cow<'static, str>,
    /// The text beside it.
    pub label: Cow<'static, str>,
    /// In declared order.
    pub states: Vec<StateSpec>,
}

/// A state as it is kept.
#[derive(Debug)]
pub struct StateSpec {
    /// Its name.
    pub name: Cow<'static, str>,
    /// What a write does.
    pub reducer: Reducer,
    /// The `value_type` of the manifest.
    pub value_type: Cow<'static, str>,
    /// Most entries of an accumulator.
    pub max_size: Option<usize>,
    /// What it begins with.
    pub initial: Value,
    /// The signals that reset it.
    pub reset_on: BTreeSet<String>,
    /// What may be written.
    pub check: FieldCheck,
    /// How that is read.
    pub normal: Normal,
}

/// The containers of one nodeset; cloning shares them.
#[derive(Clone, Default)]
pub struct Containers(Arc<Shared>);

#[derive(Default)]
struct Shared {
    kept: Vec<Kept>,
    max_keys: usize,
    /// The execution of a graph that called last.
    execution: Mutex<Option<String>>,
}

struct Kept {
    spec: ContainerSpec,
    cells: Mutex<Vec<Cell>>,
}

impl Kept {
    fn cells(&self) -> MutexGuard<'_, Vec<Cell>> {
        // Nothing panics while it holds one of these.
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One state, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatePlace {
    container: usize,
    state: usize,
}

impl Containers {
    /// Keeps these, each state with what it begins with; a state has at most so many keys.
    pub fn new(specs: Vec<ContainerSpec>, max_keys: usize) -> Self {
        let kept = specs.into_iter().map(|spec| {
            let cells = spec.states.iter().map(|state| Cell::new(&state.initial)).collect();
            Kept { spec, cells: Mutex::new(cells) }
        });
        Self(Arc::new(Shared { kept: kept.collect(), max_keys, execution: Mutex::default() }))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.kept.is_empty()
    }

    /// The ids, in declared order.
    pub fn ids(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.kept.iter().map(|kept| &*kept.spec.id)
    }

    /// The container of this id.
    pub fn find(&self, id: &str) -> Option<usize> {
        self.0.kept.iter().position(|kept| kept.spec.id == id)
    }

    /// A state of a container by its name, or what names there are.
    pub fn state(&self, container: usize, name: &str) -> Result<StatePlace, Error> {
        let states = self.0.kept.get(container).map_or(&[] as &[_], |kept| &kept.spec.states);
        let state = states.iter().position(|state| state.name == name);
        state.map(|state| StatePlace { container, state }).ok_or_else(|| {
            let id = self.0.kept.get(container).map_or("", |kept| &kept.spec.id);
            unknown(format!("`{id}` has no state `{name}`"), name, states.iter().map(|state| &*state.name))
        })
    }

    /// The value of a state, or of one key of it; a key that nobody wrote has the value that the state begins with.
    pub fn read(&self, place: StatePlace, key: Option<&str>) -> Result<Arc<Value>, Error> {
        let (kept, _) = self.at(place)?;
        kept.cells().get(place.state).map(|cell| cell.read(key)).ok_or_else(gone)
    }

    /// Writes what was sent in a regime; what does not fit is refused, with pointers below `/data`.
    pub fn write(&self, place: StatePlace, key: Option<&str>, mut data: Value, regime: Regime) -> Result<(), Error> {
        let (_, spec) = self.at(place)?;
        let wrong = spec.check.findings(&data, regime);
        if !wrong.is_empty() {
            return Err(Error::refused(wrong.into_iter().map(|finding| finding.under("/data")).collect()));
        }
        spec.check.read(&mut data, regime);
        let data = (spec.normal)(data, regime).map_err(|error| Error::refused(vec![error.under("data").into()]))?;
        self.put(place, key, data)
    }

    /// Writes a value that fits.
    pub(super) fn put(&self, place: StatePlace, key: Option<&str>, data: Value) -> Result<(), Error> {
        let (kept, spec) = self.at(place)?;
        let mut cells = kept.cells();
        let cell = cells.get_mut(place.state).ok_or_else(gone)?;
        if key.is_some_and(|key| !cell.has(key)) && cell.keys() >= self.0.max_keys {
            let detail = format!(
                "`{}` of `{}` has {} keys and may have no more; evict one, or raise --max-keys",
                spec.name, kept.spec.id, self.0.max_keys
            );
            return Err(Error::refused(vec![Finding {
                kind: "too_many_keys",
                pointer: "/key".to_owned(),
                detail,
                ..Finding::default()
            }]));
        }
        cell.write(spec, key, data).map_err(|error| Error::refused(vec![error.under("data").into()]))
    }

    /// What went wrong as a node wrote: its own failure, and nothing that stands in what its caller sent.
    pub(super) fn of_node(&self, place: StatePlace, error: &Error) -> Error {
        let (id, state) = self.at(place).map_or(("", ""), |(kept, spec)| (&*kept.spec.id, &*spec.name));
        // What is written is a member `data` of a body to clients of `/containers` alone.
        let said = error.message().replace("`/data", "`data");
        let detail = format!("the node cannot write to the state `{state}` of the container `{id}`: {said}");
        Error::at(super::Stage::AdapterExecution, error.kind().to_owned(), detail)
    }

    /// Forgets a key in all states of a container; says whether there was one.
    pub fn evict(&self, container: usize, key: &str) -> bool {
        let Some(kept) = self.0.kept.get(container) else { return false };
        let mut found = false;
        for cell in kept.cells().iter_mut() {
            found |= cell.evict(key);
        }
        found
    }

    /// The same in all containers: in how many of them there was one.
    pub fn evict_everywhere(&self, key: &str) -> usize {
        (0..self.0.kept.len()).filter(|container| self.evict(*container, key)).count()
    }

    /// Resets what ends with this signal, or one key of it: how many states.
    pub fn signal(&self, signal: &str, key: Option<&str>) -> usize {
        let mut reset = 0;
        for kept in &self.0.kept {
            let mut cells = kept.cells();
            let ends = |spec: &&StateSpec| spec.reset_on.contains(signal);
            for (spec, cell) in kept.spec.states.iter().zip(cells.iter_mut()).filter(|(spec, _)| ends(spec)) {
                match key {
                    Some(key) => drop(cell.evict(key)),
                    None => *cell = Cell::new(&spec.initial),
                }
                reset += 1;
            }
        }
        reset
    }

    /// Says which execution of a graph calls now; another than the last one begins a run.
    pub fn enter(&self, execution: &str) {
        if self.is_empty() {
            return;
        }
        let mut last = self.0.execution.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_deref() == Some(execution) {
            return;
        }
        if last.replace(execution.to_owned()).is_some() {
            self.signal(RUN, None);
        }
    }

    /// What an editor shows of all of them (`wire.md` 5).
    pub fn preview(&self) -> Value {
        let shown = self.0.kept.iter().map(|kept| (&*kept.spec.id, preview::container(&kept.spec, &kept.cells())));
        shown.collect::<Map>().into()
    }

    /// There is no container of this id.
    pub fn unknown(&self, id: &str) -> Error {
        unknown(format!("there is no container `{id}`"), id, self.ids())
    }

    fn at(&self, StatePlace { container, state }: StatePlace) -> Result<(&Kept, &StateSpec), Error> {
        let kept = self.0.kept.get(container).ok_or_else(gone)?;
        Ok((kept, kept.spec.states.get(state).ok_or_else(gone)?))
    }
}

impl fmt::Debug for Containers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.ids()).finish()
    }
}

fn unknown<'a>(what: String, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Error {
    let nearest = nearest(name, known.clone()).map(str::to_owned);
    let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    Error::refused(vec![Finding {
        kind: super::NOT_FOUND,
        detail: format!("{what}{way_out}"),
        known: known.map(str::to_owned).collect(),
        nearest,
        ..Finding::default()
    }])
}

/// Places are made by this store alone, so this is out of reach.
fn gone() -> Error {
    Error::at(super::Stage::InternalRuntime, "no_state", "there is no such state")
}

#[cfg(test)]
mod tests;
