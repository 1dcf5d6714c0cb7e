//! What a nodeset remembers between calls: containers of named states (`wire.md` 5).

use super::{Literal, Source, Text, TypeDecl};

/// A container: states that are kept, read and forgotten together.
#[derive(Clone, Copy, Debug)]
pub struct ContainerDecl {
    /// Its id on every face.
    pub id: &'static str,
    /// The text beside it; none means the doc comment.
    pub label: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Where it is declared.
    pub source: Source,
}

impl ContainerDecl {
    /// A container with nothing but its id, its doc comment and its place.
    pub const fn new(id: &'static str, doc: &'static str, source: Source) -> Self {
        Self { id, label: None, doc, source }
    }

    /// Sets the label.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = Some(label);
        self
    }
}

/// What the type of a state says.
#[derive(Clone, Copy, Debug)]
pub struct StateAbout {
    /// What a write does.
    pub reducer: Reducer,
    /// The type of what is written.
    pub ty: TypeDecl,
}

/// One state of a container.
#[derive(Clone, Copy, Debug)]
pub struct StateDecl {
    /// Its name.
    pub name: &'static str,
    /// Doc comment.
    pub doc: &'static str,
    /// What a write does, and to what.
    pub about: StateAbout,
    /// The `value_type` of the manifest, where it is another than the type implies.
    pub value_type: Option<&'static str>,
    /// Most entries of an accumulator.
    pub max_size: Option<u32>,
    /// What it begins with: one value, or the entries of an accumulator; empty where not said.
    pub initial: &'static [Literal],
    /// How long it lasts.
    pub lifetime: Lifetime,
    /// Further signals that reset it.
    pub reset_on: &'static [&'static str],
}

impl StateDecl {
    /// A state with nothing but its name, its doc comment and its type.
    pub const fn new(name: &'static str, doc: &'static str, about: StateAbout) -> Self {
        Self {
            name,
            doc,
            about,
            value_type: None,
            max_size: None,
            initial: &[],
            lifetime: Lifetime::Forever,
            reset_on: &[],
        }
    }

    /// Sets the `value_type` of the manifest.
    #[must_use]
    pub const fn value_type(mut self, value_type: &'static str) -> Self {
        self.value_type = Some(value_type);
        self
    }

    /// Drops the oldest entries beyond so many.
    #[must_use]
    pub const fn max_size(mut self, entries: u32) -> Self {
        self.max_size = Some(entries);
        self
    }

    /// Sets the one value that it begins with.
    #[must_use]
    pub const fn initial(mut self, value: &'static [Literal; 1]) -> Self {
        self.initial = value;
        self
    }

    /// Sets the entries that it begins with.
    #[must_use]
    pub const fn entries(mut self, entries: &'static [Literal]) -> Self {
        self.initial = entries;
        self
    }

    /// Sets how long it lasts.
    #[must_use]
    pub const fn lifetime(mut self, lifetime: Lifetime) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Sets further signals that reset it.
    #[must_use]
    pub const fn reset_on(mut self, signals: &'static [&'static str]) -> Self {
        self.reset_on = signals;
        self
    }
}

/// Checks that a state which says `max_size` has entries.
///
/// # Panics
///
/// Where there are none; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
#[allow(clippy::panic, reason = "the panic is the compiler's message")]
pub const fn check_max_size(state: &str, about: &StateAbout) {
    if !matches!(about.reducer, Reducer::Accumulator) {
        let text = Text::new().add("`max_size` bounds the entries of an `Accumulator`, and `").add(state);
        panic!("{}", text.add("` has one value; remove it").as_str());
    }
}

/// Checks that a state which begins with one value has one.
///
/// # Panics
///
/// Where there are entries; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
// As in `check_max_size`.
#[allow(clippy::panic)]
pub const fn check_initial(state: &str, about: &StateAbout) {
    if matches!(about.reducer, Reducer::Accumulator) {
        let text =
            Text::new().add("`").add(state).add("` is an `Accumulator`, which begins with entries; write them in");
        panic!("{}", text.add(" a list: `initial(…)`").as_str());
    }
}

/// Checks that a state which begins with entries has some.
///
/// # Panics
///
/// Where there is one value; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
// As in `check_max_size`.
#[allow(clippy::panic)]
pub const fn check_entries(state: &str, about: &StateAbout) {
    if !matches!(about.reducer, Reducer::Accumulator) {
        let text = Text::new().add("only an `Accumulator` has entries, and `").add(state);
        panic!("{}", text.add("` has one value; write `initial = …`").as_str());
    }
}

/// What a write does to a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reducer {
    /// Appends an entry.
    Accumulator,
    /// Replaces the value.
    LastWrite,
    /// Adds a number.
    Counter,
}

impl Reducer {
    /// The word of the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accumulator => "accumulator",
            Self::LastWrite => "lastWrite",
            Self::Counter => "counter",
        }
    }
}

/// How long a state lasts before it is reset to what it began with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as the host.
    #[default]
    Forever,
    /// Until the signal `step`.
    Step,
    /// Until the signal `episode`.
    Episode,
    /// Until the signal `run`, which also sounds when another execution of a graph begins to call.
    Run,
    /// Until one of the signals that it names.
    Custom,
}

impl Lifetime {
    /// The word of the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Forever => "forever",
            Self::Step => "step",
            Self::Episode => "episode",
            Self::Run => RUN,
            Self::Custom => "custom",
        }
    }

    /// The signal that ends it by its own name.
    pub const fn signal(self) -> Option<&'static str> {
        match self {
            Self::Step | Self::Episode | Self::Run => Some(self.as_str()),
            Self::Forever | Self::Custom => None,
        }
    }
}

/// The signal that an execution of a graph gives by being another than the one before.
pub const RUN: &str = "run";
