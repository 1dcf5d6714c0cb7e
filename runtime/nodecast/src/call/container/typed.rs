//! A container as a struct: one field a state, whose type says what a write does.

use std::marker::PhantomData;
use std::sync::Arc;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Containers, Normal, StatePlace};
use crate::Error;
use crate::call::{Context, Input, Output, input, unsaid};
use crate::decl::{ContainerDecl, Reducer, StateAbout, StateDecl};
use crate::wire::{self, Regime, Value, WireError};

/// What a nodeset remembers between calls, made by `#[derive(Container)]`: a struct with one field a state.
///
/// Nodes, and clients of `/containers/…`, see the same states. The nodeset lists the struct in `containers(…)`.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Walks through a flat.
/// #[nodeset(nodes(See), containers(Memory))]
/// #[derive(Default)]
/// struct Robot;
///
/// /// What the robot remembers.
/// #[derive(Container)]
/// struct Memory {
///     /// How many things it has seen.
///     seen: Counter,
///     /// The last hundred of them; forgotten at the end of an episode.
///     #[state(max_size = 100, lifetime = "episode")]
///     things: Accumulator<String>,
///     /// Where it saw something last, by room.
///     #[state(reset_on("moved"))]
///     place: LastWrite<Pose>,
/// }
///
/// /// Sees something.
/// #[node]
/// struct See {
///     /// What.
///     thing: String,
///     /// In which room.
///     room: String,
/// }
///
/// impl Node<Robot> for See {
///     type Output = i64;
///     type Error = Error;
///
///     async fn run(self, _: &Robot, cx: &Context) -> Result<i64, Error> {
///         let memory = Memory::of(cx)?;
///         memory.things.push(self.thing)?;
///         memory.place.at(&self.room).write(Pose::default())?;
///         memory.seen.add(1)?;
///         memory.seen.read()
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no container",
    label = "not declared as a container",
    note = "add `#[derive(nodecast::Container)]` to the struct"
)]
pub trait Container: Sized + Send + 'static {
    /// What the struct says.
    const DECL: ContainerDecl;
    /// One a field, in declared order.
    const STATES: &'static [StateRow];

    /// The handles of its states.
    fn open(states: &mut States) -> Self;

    /// The handles of its states, for a node of a nodeset that has it.
    fn of(cx: &Context) -> Result<Self, Error> {
        let containers = cx.containers();
        let found = containers.find(Self::DECL.id).filter(|at| {
            let names = Self::STATES.iter().map(|row| row.decl.name);
            containers.0.kept.get(*at).is_some_and(|kept| kept.spec.states.iter().map(|state| &*state.name).eq(names))
        });
        let container =
            found.ok_or_else(|| containers.unknown(Self::DECL.id).stage_of(crate::call::Stage::AdapterExecution))?;
        Ok(Self::open(&mut States { containers: containers.clone(), container, next: 0 }))
    }
}

/// The row of a container in the table of a nodeset.
#[derive(Debug)]
pub struct ContainerRow {
    /// What the struct says.
    pub decl: ContainerDecl,
    /// One a field.
    pub states: &'static [StateRow],
}

/// The row of the container `C`.
pub const fn container_row<C: Container>() -> ContainerRow {
    ContainerRow { decl: C::DECL, states: C::STATES }
}

/// One state of a row.
#[derive(Debug)]
pub struct StateRow {
    /// What the field says.
    pub decl: StateDecl,
    /// How what is sent is read.
    pub normal: Normal,
}

/// The states of one container, to be opened in declared order.
#[derive(Debug)]
pub struct States {
    containers: Containers,
    container: usize,
    next: usize,
}

/// A type whose values are kept: read and written, whatever the regime.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be kept in a state",
    label = "not a type of states",
    note = "each type that `{Self}` is made of needs `#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]`"
)]
pub trait Stored: Input + Output {}

#[diagnostic::do_not_recommend]
impl<T: Input + Output> Stored for T {}

/// The type of a field of a container: what a write does, and to what.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no state",
    label = "not a state",
    note = "write `LastWrite<{Self}>` for the last value, `Accumulator<{Self}>` for a list of them, `Counter` for a sum"
)]
pub trait StateType: Sized {
    /// What a write does.
    const ABOUT: StateAbout;
    /// How what is sent is read.
    const NORMAL: Normal;

    /// The handle.
    fn open(slot: Slot) -> Self;
}

/// A state type as `#[derive(Container)]` needs it, in the table and in the constructor.
#[derive(Debug)]
pub struct StateOf<T> {
    /// The table's view.
    pub about: StateAbout,
    /// How what is sent is read.
    pub normal: Normal,
    /// Opens the next state.
    pub open: fn(&mut States) -> T,
}

/// The state type `T`.
pub const fn state<T: StateType>() -> StateOf<T> {
    StateOf { about: T::ABOUT, normal: T::NORMAL, open: next::<T> }
}

fn next<T: StateType>(states: &mut States) -> T {
    let place = StatePlace { container: states.container, state: states.next };
    states.next += 1;
    T::open(Slot { containers: states.containers.clone(), place, key: None })
}

fn normal<T: Serialize + DeserializeOwned>(value: Value, regime: Regime) -> Result<Value, WireError> {
    wire::to_value(&wire::from_value_in::<T>(value, regime)?)
}

/// Where a handle leads.
#[derive(Clone, Debug)]
pub struct Slot {
    containers: Containers,
    place: StatePlace,
    key: Option<Arc<str>>,
}

impl Slot {
    fn at(&self, key: &str) -> Self {
        Self { key: Some(key.into()), ..self.clone() }
    }

    fn put(&self, value: &impl Serialize) -> Result<(), Error> {
        let value = wire::to_value(value).map_err(unsaid)?;
        let written = self.containers.put(self.place, self.key.as_deref(), value);
        written.map_err(|error| self.containers.of_node(self.place, &error))
    }

    fn value(&self) -> Result<Arc<Value>, Error> {
        self.containers.read(self.place, self.key.as_deref())
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        wire::from_value(Value::clone(&*self.value()?)).map_err(unsaid)
    }
}

macro_rules! handle {
    ($(#[$doc:meta])* $name:ident<$param:ident $(= $default:ty)?>, $reducer:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<$param $(= $default)?> {
            slot: Slot,
            of: PhantomData<fn() -> $param>,
        }

        impl<$param> Clone for $name<$param> {
            fn clone(&self) -> Self {
                Self { slot: self.slot.clone(), of: PhantomData }
            }
        }

        impl<$param> $name<$param> {
            /// The same state for one key, which has a value of its own from its first write on.
            #[must_use]
            pub fn at(&self, key: &str) -> Self {
                Self { slot: self.slot.at(key), of: PhantomData }
            }
        }

        impl<$param: Stored> StateType for $name<$param> {
            const ABOUT: StateAbout = StateAbout { reducer: Reducer::$reducer, ty: input::<$param>() };
            const NORMAL: Normal = normal::<$param>;

            fn open(slot: Slot) -> Self {
                Self { slot, of: PhantomData }
            }
        }
    };
}

handle! {
    /// A state that is a list: a write appends, and the oldest entries go where `max_size` says so.
    Accumulator<T>, Accumulator
}

handle! {
    /// A state that is the last value written.
    LastWrite<T>, LastWrite
}

handle! {
    /// A state that is a sum: a write adds.
    Counter<N = i64>, Counter
}

impl<T: Stored> Accumulator<T> {
    /// Appends an entry.
    pub fn push(&self, entry: T) -> Result<(), Error> {
        self.slot.put(&entry)
    }

    /// All entries, the oldest first.
    pub fn read(&self) -> Result<Vec<T>, Error> {
        self.slot.read()
    }

    /// How many entries there are.
    pub fn len(&self) -> Result<usize, Error> {
        Ok(self.slot.value()?.as_list().map_or(0, <[Value]>::len))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> Result<bool, Error> {
        Ok(self.len()? == 0)
    }
}

impl<T: Stored> LastWrite<T> {
    /// Replaces the value.
    pub fn write(&self, value: T) -> Result<(), Error> {
        self.slot.put(&value)
    }

    /// The value; none where nothing was written, and nothing is said to begin with.
    pub fn read(&self) -> Result<Option<T>, Error> {
        if self.slot.value()?.is_null() { Ok(None) } else { self.slot.read().map(Some) }
    }
}

impl<N: Stored> Counter<N> {
    /// Adds a number.
    pub fn add(&self, number: N) -> Result<(), Error> {
        self.slot.put(&number)
    }

    /// The sum so far.
    pub fn read(&self) -> Result<N, Error> {
        self.slot.read()
    }
}
