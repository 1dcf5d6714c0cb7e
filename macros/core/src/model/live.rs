//! What a live application declares: its messages, and what is seen of it.

use proc_macro2::{Ident, Span};
use syn::{Path, Type};

use super::{Cfgs, Deprecation, Doc, Field, Name};

/// An enum with `#[derive(Message)]`.
#[derive(Debug)]
pub struct Messages {
    /// The user's name for our crate.
    pub krate: Path,
    /// The enum.
    pub ident: Ident,
    /// In declared order.
    pub variants: Vec<Variant>,
}

/// A variant of an enum of messages.
#[derive(Debug)]
pub struct Variant {
    /// Whether it is there.
    pub cfgs: Cfgs,
    /// The variant.
    pub ident: Ident,
    /// Its message; none where no client can name it.
    pub message: Option<Message>,
}

/// What a client sends.
#[derive(Debug)]
pub struct Message {
    /// As declared or derived.
    pub name: Name,
    /// Doc comment.
    pub doc: Doc,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// In declared order.
    pub fields: Vec<Field>,
}

/// A struct with `#[derive(Expose)]`.
#[derive(Debug)]
pub struct View {
    /// The user's name for our crate.
    pub krate: Path,
    /// The struct.
    pub ident: Ident,
    /// Those that clients see, in declared order.
    pub handles: Vec<Handle>,
}

/// A field of a view.
#[derive(Debug)]
pub struct Handle {
    /// Whether it is there.
    pub cfgs: Cfgs,
    /// The field.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// The word that has it named for the traced tools alone.
    pub node: Option<Span>,
}
