//! What the attributes say of one field.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{LitStr, Path, Type};

use super::{Cfgs, Deprecation, Doc, Name};

/// A port, a config field or an output.
#[derive(Debug)]
pub struct Field {
    /// Whether it is there.
    pub cfgs: Cfgs,
    /// The field of the struct.
    pub ident: Ident,
    /// As declared or derived.
    pub name: Name,
    /// Title for people.
    pub title: Option<LitStr>,
    /// Doc comment.
    pub doc: Doc,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// Its type.
    pub ty: Type,
    /// The word that has JSON carry its integers as text.
    pub as_string: Option<Span>,
    /// The header that mirrors it.
    pub header: Option<LitStr>,
    /// How an editor shows it; only for an output.
    pub display: Option<Display>,
    /// How it is completed as it is typed; only for an argument of a prompt or a resource.
    pub complete: Option<Complete>,
    /// How it is filled.
    pub role: Role,
}

/// How an argument is completed.
#[derive(Debug)]
pub struct Complete {
    /// The word that says so.
    pub word: Span,
    /// The type that knows the values; none where the argument's own type does.
    pub by: Option<Path>,
}

impl Field {
    /// Whether it is text in an editor and carries no value.
    pub fn is_label(&self) -> bool {
        matches!(&self.role, Role::Config(Config { widget: Widget::Label, .. }))
    }
}

/// How a field is filled.
#[derive(Debug)]
pub enum Role {
    /// A value along a wire.
    Port(Port),
    /// A parameter in an editor.
    Config(Config),
    /// What is wrong with it is reported already; its name still counts.
    Unclear,
}

/// A port.
#[derive(Debug, Default)]
pub struct Port {
    /// The wire type, where declared.
    pub wire: Option<LitStr>,
    /// The word that has JSON carry NaN and the infinities as null.
    pub nan: Option<Span>,
    /// The word that has its pictures sent at their full size or not at all; only for an output.
    pub full_size: Option<Span>,
}

/// How an editor shows an output.
#[derive(Debug)]
pub struct Display {
    /// Which widget.
    pub widget: DisplayWidget,
    /// The word that says so.
    pub word: Span,
    /// Label.
    pub label: Option<LitStr>,
    /// How many entries are shown.
    pub max_visible: Option<u32>,
    /// Whether entries of earlier runs stay.
    pub accumulate: bool,
}

/// A display widget, as `decl::DisplayWidget`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayWidget {
    /// A picture.
    ImageViewer,
    /// Lines of text.
    LogList,
    /// Names and numbers.
    MetricTable,
}

/// A config field.
#[derive(Debug)]
pub struct Config {
    /// Which widget.
    pub widget: Widget,
    /// The word that says so; none where the default implies it.
    pub word: Option<Span>,
    /// The value of a field that is left out.
    pub default: Option<Literal>,
    /// Label.
    pub label: Option<LitStr>,
    /// Greyed text.
    pub placeholder: Option<LitStr>,
    /// The group it stands in.
    pub section: Option<Section>,
    /// The word that offers to keep the value.
    pub persist: Option<Span>,
    /// Whether it stands on the node's card.
    pub on_card: bool,
    /// The text of "no value".
    pub unset_label: Option<LitStr>,
}

/// A widget, as `decl::Widget`.
#[derive(Debug)]
pub enum Widget {
    /// One of several texts; none means the variants of the field's enum.
    Select(Option<Vec<Choice>>),
    /// A number between bounds.
    Slider {
        /// Smallest value.
        min: Number,
        /// Largest value.
        max: Number,
        /// Distance of two positions.
        step: Option<Number>,
    },
    /// On or off.
    Toggle,
    /// A number, with bounds where said.
    Number {
        /// Smallest value.
        min: Option<Number>,
        /// Largest value.
        max: Option<Number>,
    },
    /// One line of text.
    Text,
    /// Several lines of text.
    Textarea,
    /// Text in the editor; the field carries no value.
    Label,
}

/// One option of a select.
#[derive(Debug)]
pub struct Choice {
    /// The value sent.
    pub value: LitStr,
    /// The text shown; the value where not said.
    pub label: Option<LitStr>,
}

/// A finite number of a widget.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// The number.
    pub value: f64,
    /// The literal.
    pub place: Place,
}

/// A default.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The value.
    pub value: Value,
    /// The literal.
    pub place: Place,
}

/// Where a literal stands, from its sign to its last digit; an error can span it.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its first token.
    pub first: Span,
    /// Its last token.
    pub last: Span,
}

impl ToTokens for Place {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        // Only the spans count; the compiler draws its line from the first token to the last.
        for span in [self.first, self.last] {
            tokens.extend([TokenTree::Ident(Ident::new("_", span))]);
        }
    }
}

/// The value of a literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A number with a point.
    Float(f64),
    /// A string.
    Text(String),
}

/// The section of a config field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What the node computes with.
    Model,
    /// Texts for a model.
    Prompt,
    /// How it is connected.
    Wiring,
}
