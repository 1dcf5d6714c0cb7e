//! What a nodeset remembers between calls, as it is published and as it is kept (`wire.md` 5).

use serde_json::Value as Json;

use super::{Catalog, Text};
use crate::Error;
use crate::call::{ContainerRow, ContainerSpec, Containers, FieldCheck, Normal, Stage, StateRow, StateSpec};
use crate::decl::{ContainerDecl, FieldDecl, Lifetime, NodesetDecl, Reducer, StateDecl};
use crate::schema;
use crate::wire::{self, Regime, Value};

/// A state has at most so many keys where nobody says.
pub const MAX_KEYS: usize = 10_000;

/// A container.
#[derive(Clone, Debug)]
pub struct Container {
    /// Its id on every face.
    pub id: Text,
    /// The text beside it.
    pub label: Text,
    /// Doc comment.
    pub doc: Text,
    /// In declared order.
    pub states: Vec<State>,
}

/// One state of a container.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Text,
    /// Doc comment.
    pub doc: Text,
    /// What a write does.
    pub reducer: Reducer,
    /// The kind of its values, for people: `TEXT`, `POSE`, `ANY` …
    pub value_type: Text,
    /// Most entries of an accumulator.
    pub max_size: Option<u32>,
    /// What it begins with, where that is said.
    pub initial: Option<Json>,
    /// How long it lasts.
    pub lifetime: Lifetime,
    /// Further signals that reset it.
    pub reset_on: Vec<Text>,
    /// The self-contained schema that a write is checked against.
    pub checked: Json,
    /// How what is sent is read.
    pub normal: Normal,
}

/// The kinds of values that the manifest has words for.
const VALUE_TYPES: [&str; 10] =
    ["TEXT", "BOOL", "METRICS", "POSE", "IMAGE", "POINTCLOUD", "OCCUPANCY_MAP", "EMBEDDING", "EPISODE_CONTEXT", "ANY"];

impl Catalog {
    /// The containers, each state with what it begins with; a state has at most `max_keys` keys.
    ///
    /// Fails with type `bad_declaration` where a schema cannot be checked against, or breaks with what it begins with.
    pub fn keep(&self, max_keys: usize) -> Result<Containers, Error> {
        Ok(Containers::new(self.containers.iter().map(spec).collect::<Result<_, _>>()?, max_keys))
    }
}

fn spec(container: &Container) -> Result<ContainerSpec, Error> {
    let states = container.states.iter().map(|state| {
        let defect = |problem: String| {
            let sentence = format!("container `{}`, state `{}`: {problem}", container.id, state.name);
            Error::at(Stage::InternalRuntime, "bad_declaration", sentence)
        };
        let check = FieldCheck::new(&state.checked, None).map_err(defect)?;
        let initial = initial(state, &check).map_err(defect)?;
        let signals = state.lifetime.signal().into_iter().chain(state.reset_on.iter().map(|signal| &**signal));
        Ok::<_, Error>(StateSpec {
            name: state.name.clone(),
            reducer: state.reducer,
            value_type: state.value_type.clone(),
            max_size: state.max_size.map(|most| most as usize),
            initial,
            reset_on: signals.map(str::to_owned).collect(),
            check,
            normal: state.normal,
        })
    });
    Ok(ContainerSpec {
        id: container.id.clone(),
        label: container.label.clone(),
        states: states.collect::<Result<_, _>>()?,
    })
}

/// What a state begins with, as its own type writes it.
fn initial(state: &State, check: &FieldCheck) -> Result<Value, String> {
    let read = |json: &Json| {
        let mut value = wire::to_value(json).map_err(|error| error.detail)?;
        if let Some(finding) = check.findings(&value, Regime::Json).into_iter().next() {
            return Err(format!("it cannot begin with {json}: {}", finding.detail));
        }
        check.read(&mut value, Regime::Json);
        (state.normal)(value, Regime::Json).map_err(|error| format!("it cannot begin with {json}: {}", error.detail))
    };
    match (&state.initial, state.reducer) {
        (Some(Json::Array(entries)), Reducer::Accumulator) => entries.iter().map(read).collect(),
        (Some(value), _) => read(value),
        (None, Reducer::Accumulator) => Ok(Value::List(Vec::new())),
        (None, Reducer::Counter) => Ok(Value::from(0_i64)),
        (None, Reducer::LastWrite) => Ok(Value::Null),
    }
}

/// Reads the row of a container.
pub(super) fn container(set: &NodesetDecl, row: &ContainerRow) -> Result<Container, Error> {
    let ContainerRow { decl: ContainerDecl { id, label, doc, source }, states } = row;
    let states = states.iter().map(|row| {
        state(row).map_err(|problem| {
            let sentence = format!("{}:{}: container `{id}` of `{}`, {problem}", source.file, source.line, set.name);
            Error::at(Stage::InternalRuntime, "bad_declaration", sentence)
        })
    });
    Ok(Container {
        id: Text::Borrowed(id),
        label: Text::Borrowed(label.unwrap_or(doc)),
        doc: Text::Borrowed(doc),
        states: states.collect::<Result<_, _>>()?,
    })
}

fn state(row: &StateRow) -> Result<State, String> {
    let StateRow { decl, normal } = row;
    let StateDecl { name, doc, about, value_type, max_size, initial, lifetime, reset_on } = *decl;
    let contract = schema::input(&[FieldDecl::port(name, doc, name, about.ty)]).map_err(|defect| defect.to_string())?;
    let field = contract.fields.into_iter().next().ok_or("it has no type")?;
    let implied = VALUE_TYPES.into_iter().find(|known| *known == field.wire_type);
    let literals = || initial.iter().map(|literal| schema::default(*literal, &field.checked));
    Ok(State {
        name: name.into(),
        doc: doc.into(),
        reducer: about.reducer,
        value_type: value_type.or(implied).unwrap_or("ANY").into(),
        max_size,
        initial: match (initial, about.reducer) {
            ([], _) => None,
            (_, Reducer::Accumulator) => Some(literals().collect()),
            (_, Reducer::LastWrite | Reducer::Counter) => literals().next(),
        },
        lifetime,
        reset_on: reset_on.iter().map(|signal| Text::Borrowed(signal)).collect(),
        checked: field.checked,
        normal: *normal,
    })
}
