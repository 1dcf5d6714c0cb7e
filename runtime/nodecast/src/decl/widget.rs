//! How a config field is shown in an editor, and its default.

/// A config field's widget, default and place.
#[derive(Clone, Copy, Debug)]
pub struct ConfigDecl {
    /// Which widget.
    pub widget: Widget,
    /// The value that a caller gets who leaves the field out; `None` only for an `Option`.
    pub default: Option<Literal>,
    /// Label; empty means the doc comment.
    pub label: &'static str,
    /// Greyed text of an empty field.
    pub placeholder: &'static str,
    /// The group of fields that it stands in.
    pub section: Section,
    /// Whether the editor offers to keep the value (`show_persist_toggle`).
    pub persist: bool,
    /// Whether it stands on the node's card, not in its details alone.
    pub on_card: bool,
    /// The text of "no value", for an `Option`.
    pub unset_label: &'static str,
}

impl ConfigDecl {
    /// A field with this widget and nothing else said.
    pub const fn new(widget: Widget) -> Self {
        Self {
            widget,
            default: None,
            label: "",
            placeholder: "",
            section: Section::None,
            persist: false,
            on_card: true,
            unset_label: "",
        }
    }

    /// Sets the default.
    #[must_use]
    pub const fn default(mut self, default: Literal) -> Self {
        self.default = Some(default);
        self
    }

    /// Sets the label.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Sets the placeholder.
    #[must_use]
    pub const fn placeholder(mut self, placeholder: &'static str) -> Self {
        self.placeholder = placeholder;
        self
    }

    /// Sets the section.
    #[must_use]
    pub const fn section(mut self, section: Section) -> Self {
        self.section = section;
        self
    }

    /// Offers to keep the value.
    #[must_use]
    pub const fn persist(mut self) -> Self {
        self.persist = true;
        self
    }

    /// Keeps it off the node's card.
    #[must_use]
    pub const fn off_card(mut self) -> Self {
        self.on_card = false;
        self
    }

    /// Sets the text of "no value".
    #[must_use]
    pub const fn unset_label(mut self, unset_label: &'static str) -> Self {
        self.unset_label = unset_label;
        self
    }
}

/// The widgets of `wire.md` 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Widget {
    /// One of several texts; an empty list means the variants of the field's own enum.
    Select(&'static [Choice]),
    /// A number between bounds.
    Slider {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Distance of two positions, from `min`.
        step: Option<f64>,
    },
    /// On or off.
    Toggle,
    /// A number, with bounds where said.
    Number {
        /// Smallest value.
        min: Option<f64>,
        /// Largest value.
        max: Option<f64>,
    },
    /// One line of text.
    Text,
    /// Several lines of text.
    Textarea,
    /// Text in the editor; the field carries no value.
    Label,
}

impl Widget {
    /// The `field_type` of the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Select(_) => "select",
            Self::Slider { .. } => "slider",
            Self::Toggle => "toggle",
            Self::Number { .. } => "number",
            Self::Text => "text",
            Self::Textarea => "textarea",
            Self::Label => "label",
        }
    }
}

/// One option of a select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The value sent.
    pub value: &'static str,
    /// The text shown.
    pub label: &'static str,
}

/// A default as written in the declaration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Literal {
    /// `true` or `false`.
    Bool(bool),
    /// An integer that fits 64 bits, signed or unsigned.
    Int(i128),
    /// A number with a point.
    Float(f64),
    /// A string; for an enum the variant's name as serde writes it.
    Text(&'static str),
}

/// The `section` of a config field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Section {
    /// None said.
    #[default]
    None,
    /// What the node computes with.
    Model,
    /// Texts for a model.
    Prompt,
    /// How it is connected.
    Wiring,
}

impl Section {
    /// The word of the manifest, empty for none.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Model => "model",
            Self::Prompt => "prompt",
            Self::Wiring => "wiring",
        }
    }
}
