//! What the attributes say of a container and its states.

use proc_macro2::{Ident, Span};
use syn::{LitStr, Path, Type};

use super::{Cfgs, Doc, Literal, Name};

/// A struct with `#[derive(Container)]`.
#[derive(Debug)]
pub struct Container {
    /// The user's name for our crate.
    pub krate: Path,
    /// The struct.
    pub ident: Ident,
    /// As declared or derived.
    pub id: Name,
    /// The text beside it.
    pub label: Option<LitStr>,
    /// Doc comment.
    pub doc: Doc,
    /// In declared order.
    pub states: Vec<State>,
}

/// One state.
#[derive(Debug)]
pub struct State {
    /// Whether it is there.
    pub cfgs: Cfgs,
    /// The field of the struct.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// Doc comment.
    pub doc: Doc,
    /// Its type, which says what a write does.
    pub ty: Type,
    /// How long it lasts, where said.
    pub lifetime: Option<Lifetime>,
    /// Further signals that reset it.
    pub reset_on: Vec<LitStr>,
    /// What it begins with, where said.
    pub initial: Option<Initial>,
    /// Most entries, where said.
    pub max_size: Option<MaxSize>,
    /// What an editor calls its values, where said.
    pub value_type: Option<LitStr>,
}

/// How long a state lasts.
#[derive(Clone, Copy, Debug)]
pub struct Lifetime {
    /// What is said.
    pub said: LifetimeRule,
    /// The word.
    pub span: Span,
}

/// The lifetimes, as `decl::Lifetime`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifetimeRule {
    /// As long as the host.
    Forever,
    /// Until the signal `step`.
    Step,
    /// Until the signal `episode`.
    Episode,
    /// Until the signal `run`.
    Run,
    /// Until one of its own signals.
    Custom,
}

/// What a state begins with.
#[derive(Debug)]
pub struct Initial {
    /// One value, or a list.
    pub said: InitialValue,
    /// The word.
    pub span: Span,
}

/// What a state begins with.
#[derive(Debug)]
pub enum InitialValue {
    /// `initial = …`.
    One(Literal),
    /// `initial(…, …)`.
    Entries(Vec<Literal>),
}

/// Most entries of an accumulator.
#[derive(Clone, Copy, Debug)]
pub struct MaxSize {
    /// So many.
    pub entries: u32,
    /// The word.
    pub span: Span,
}
