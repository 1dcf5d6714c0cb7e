//! Messages: what a client may ask of the application, each declared as a node is.

mod shape;

use std::sync::Arc;

use nodecast::call::{Args, Finding, Stage, nearest};
use nodecast::catalog::{Declared, Entry};
use nodecast::decl::{NodeDecl, NodesetDecl, Source};
use nodecast::wire::Map;
use nodecast::{Error, Value};

use shape::shape;

/// An enum of messages; `#[derive(Message)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no message",
    label = "not declared as messages",
    note = "add `#[derive(nodecast_live::Message)]` to the enum"
)]
pub trait Message: Sized + Send + 'static {
    /// Those that a client can name, in declared order.
    const MESSAGES: &'static [NodeDecl];

    /// Builds the message of this name from checked arguments.
    fn decode(message: &str, args: &mut Args) -> Result<Self, Error>;

    /// Its name; none for one that no client can name.
    fn name(&self) -> Option<&'static str>;
}

/// The messages of an application that takes none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMessages {}

impl Message for NoMessages {
    const MESSAGES: &'static [NodeDecl] = &[];

    fn decode(message: &str, _: &mut Args) -> Result<Self, Error> {
        Err(no_message(message))
    }

    fn name(&self) -> Option<&'static str> {
        match *self {}
    }
}

/// A name that no message has, which no client can reach: the table is asked before.
pub fn no_message(name: &str) -> Error {
    Error::at(Stage::InternalRuntime, "no_message", format!("there is no message `{name}`"))
}

/// Why a message was not dispatched, or changed nothing: where it failed, and a text for a model to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Where.
    pub stage: Stage,
    /// What is wrong, and what would have been right.
    pub text: String,
}

impl Rejected {
    pub(crate) fn new(stage: Stage, text: impl Into<String>) -> Self {
        Self { stage, text: text.into() }
    }
}

impl std::fmt::Display for Rejected {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Rejected {}

/// The set that the declarations of messages are read in, as those of nodes are in their nodeset.
const SET: NodesetDecl =
    NodesetDecl::new("messages", "", env!("CARGO_PKG_VERSION"), Source { file: file!(), line: line!() });

/// The messages of one application, with their schemas.
#[derive(Debug)]
pub struct Messages {
    declared: Declared,
    shapes: Vec<String>,
}

impl Messages {
    /// Those of `M`; fails with type `bad_declaration` where a type's schema and its declaration disagree.
    pub fn of<M: Message>() -> Result<Self, Error> {
        let declared = Declared::new(&SET, M::MESSAGES)?;
        let shapes = declared.entries().iter().map(shape).collect();
        Ok(Self { declared, shapes })
    }

    /// Whether a client can name none.
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    /// Their names, in declared order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.declared.entries().iter().map(|entry| &*entry.name)
    }

    /// Name, description, shape and JSON Schema of the arguments of each.
    pub fn to_json(&self) -> serde_json::Value {
        let one = |(entry, shape): (&Entry, &String)| {
            serde_json::json!({
                "name": entry.name, "description": entry.description(), "shape": shape, "schema": entry.input_schema,
            })
        };
        self.declared.entries().iter().zip(&self.shapes).map(one).collect()
    }

    /// A line for each: its shape, and what its doc comment says.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.declared.entries().iter().zip(&self.shapes).map(|(entry, shape)| {
            let text = entry.description();
            let first = text.lines().next().unwrap_or_default();
            if first.is_empty() { shape.clone() } else { format!("{shape}: {first}") }
        })
    }

    /// The message that a client names; `pointer` is where its arguments stand in what was sent.
    pub(crate) fn decode<M: Message>(&self, name: &str, args: &Value, pointer: &str) -> Result<M, Rejected> {
        let refuse = |text| Rejected::new(Stage::SchemaValidation, text);
        let Some(place) = self.names().position(|known| known == name) else { return Err(refuse(self.unknown(name))) };
        let none = Map::new();
        let args = match args {
            Value::Null => &none,
            Value::Map(map) => map,
            other => {
                let text = format!("`{pointer}` must be an object, not {}; {}", other.describe(), self.send(place));
                return Err(refuse(text));
            }
        };
        let named = |(key, value): &(Value, Value)| (key.as_text().unwrap_or_default().to_owned(), value.clone());
        let decoded = self.declared.check(place, args.iter().map(named).collect());
        let decoded = decoded.and_then(|mut args| M::decode(name, &mut args));
        decoded.map_err(|error| refuse(self.refusal(place, &error, pointer)))
    }

    fn send(&self, place: usize) -> String {
        format!("send {}", self.shapes.get(place).map_or("", String::as_str))
    }

    fn unknown(&self, name: &str) -> String {
        let hint = nearest(name, self.names()).map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
        let all: Vec<_> = self.names().map(|name| format!("`{name}`")).collect();
        let name = crate::lines::cut(name, crate::lines::LONGEST_ARGS);
        format!("there is no message `{name}`{hint}; there are {}", all.join(", "))
    }

    /// What is wrong with arguments: each place, what was expected there and what came, and the shape of the whole.
    fn refusal(&self, place: usize, error: &Error, pointer: &str) -> String {
        let finding = |finding: &Finding| {
            let at = format!("{pointer}{}", finding.pointer);
            let detail = finding.detail.replace(&format!("`{}`", finding.pointer), &format!("`{at}`"));
            let expected = match &finding.expected {
                Some(expected) if !detail.contains(expected.as_str()) => format!(" (expected {expected})"),
                _ => String::new(),
            };
            if detail.contains(&at) { format!("{detail}{expected}") } else { format!("`{at}`: {detail}{expected}") }
        };
        let mut found: Vec<_> = error.findings().iter().map(finding).collect();
        if found.is_empty() {
            found.push(format!("`{pointer}`: {}", error.message()));
        }
        format!("{}; {}", found.join("; "), self.send(place))
    }
}

/// The messages that an application takes; none where clients can name none.
pub(crate) fn taken<M: Message>(takes: bool) -> Result<Option<Arc<Messages>>, Error> {
    if !takes || M::MESSAGES.is_empty() {
        return Ok(None);
    }
    Messages::of::<M>().map(Arc::new).map(Some)
}
