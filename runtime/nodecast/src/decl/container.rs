//! What a nodeset remembers between calls: containers of named states (`wire.md` 5).

use super::{Literal, Source, TypeDecl};

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
    ///
    /// # Panics
    ///
    /// Where there are no entries; in a `const`, that is a compile error at the caller.
    #[must_use]
    #[track_caller]
    pub const fn max_size(mut self, entries: u32) -> Self {
        assert!(
            matches!(self.about.reducer, Reducer::Accumulator),
            "`max_size` bounds the entries of an `Accumulator`, and this state has one value; remove it"
        );
        self.max_size = Some(entries);
        self
    }

    /// Sets the one value that it begins with.
    ///
    /// # Panics
    ///
    /// Where there are entries; in a `const`, that is a compile error at the caller.
    #[must_use]
    #[track_caller]
    // As in `max_size`.
    #[allow(clippy::panic)]
    pub const fn initial(mut self, value: &'static [Literal; 1]) -> Self {
        if matches!(self.about.reducer, Reducer::Accumulator) {
            panic!("an `Accumulator` begins with entries; write them in a list: `initial(…)`");
        }
        self.initial = value;
        self
    }

    /// Sets the entries that it begins with.
    ///
    /// # Panics
    ///
    /// Where there is one value; in a `const`, that is a compile error at the caller.
    #[must_use]
    #[track_caller]
    pub const fn entries(mut self, entries: &'static [Literal]) -> Self {
        assert!(
            matches!(self.about.reducer, Reducer::Accumulator),
            "only an `Accumulator` has entries, and this state has one value; write `initial = …`"
        );
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
