//! One field: a port, a config field or an output.

use super::{ConfigDecl, Deprecation, SchemaFn, Widget};

/// A port, a config field or an output.
#[derive(Clone, Copy, Debug)]
pub struct FieldDecl {
    /// Name on every face, raw prefix stripped.
    pub name: &'static str,
    /// Title for people.
    pub title: Option<&'static str>,
    /// Doc comment.
    pub doc: &'static str,
    /// Overrides the wire type that the schema implies (`wire.md` 1.1).
    pub wire: Option<&'static str>,
    /// How JSON carries its numbers.
    pub form: JsonForm,
    /// The HTTP header that mirrors the argument, without `Mcp-Param-` (`mcp.md` 1).
    pub header: Option<&'static str>,
    /// Why it should not be used any more.
    pub deprecated: Option<Deprecation>,
    /// How an output is shown in an editor; only for an output.
    pub display: Option<DisplayDecl>,
    /// Whether its pictures are sent at their full size or not at all; only for an output.
    pub full_size: bool,
    /// The type as the user wrote it.
    pub written: &'static str,
    /// Schema and optionality of the type.
    pub ty: TypeDecl,
    /// Port or config field; outputs are ports.
    pub role: Role,
}

/// How a field is shown and filled.
#[derive(Clone, Copy, Debug)]
pub enum Role {
    /// A value that flows along a wire.
    Port,
    /// A parameter in the framework's editor.
    Config(ConfigDecl),
}

/// What the table knows of a Rust type: function pointers, one set a type.
#[derive(Clone, Copy, Debug)]
pub struct TypeDecl {
    /// Its JSON Schema.
    pub schema: SchemaFn,
    /// Whether leaving the value out decodes, that is, whether the type is an `Option` (aliases included).
    pub optional: fn() -> bool,
    /// What the keys of a map in the type are, which its schema does not say; asked with a value that holds such a map.
    pub keys: fn(serde_json::Value) -> Option<KeyAnswer>,
}

/// What a type says of a key that it refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyAnswer {
    /// What the keys are.
    pub keys: KeyType,
    /// Whether the value was taken all the same: by another form of a union, or as none where serde drops what fails.
    pub taken: bool,
}

/// What the keys of a map are, where they are not any text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// Integers, both bounds in decimal, since those of 128 bits fit no number.
    Integer {
        /// The smallest.
        min: String,
        /// The largest.
        max: String,
        /// Whether 0 is one of them.
        zero: bool,
    },
    /// `true` and `false`.
    Boolean,
    /// One character.
    Character,
    /// The names of an enum's variants.
    OneOf(&'static [&'static str]),
}

/// How JSON carries what it has no exact or no legal number for; msgpack carries numbers always (`wire.md` 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct JsonForm {
    /// Integers are decimal text: `as_string`.
    ///
    /// It holds at every depth of the field's type. In msgpack integers stay integers, and their text is taken too;
    /// only those of 128 bits that do not fit in 64 are text in both regimes.
    pub integers_as_text: bool,
    /// NaN and the infinities are null, and null is NaN: `nan = "null"`.
    ///
    /// Where an `Option` stands inside the field's type, null is its `None`.
    pub non_finite_as_null: bool,
}

impl JsonForm {
    /// Numbers as numbers; what has none is refused.
    pub const PLAIN: Self = Self { integers_as_text: false, non_finite_as_null: false };

    /// What either of two declarations says.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            integers_as_text: self.integers_as_text || other.integers_as_text,
            non_finite_as_null: self.non_finite_as_null || other.non_finite_as_null,
        }
    }
}

/// A widget that shows an output in the framework's editor (`wire.md` 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DisplayDecl {
    /// Which widget.
    pub widget: DisplayWidget,
    /// Label; empty for none.
    pub label: &'static str,
    /// How many entries are shown.
    pub max_visible: u32,
    /// Whether entries of earlier runs stay.
    pub accumulate: bool,
}

impl DisplayDecl {
    /// A widget with nothing else said.
    pub const fn new(widget: DisplayWidget) -> Self {
        Self { widget, label: "", max_visible: 10, accumulate: false }
    }

    /// Sets the label.
    #[must_use]
    pub const fn label(mut self, label: &'static str) -> Self {
        self.label = label;
        self
    }

    /// Sets how many entries are shown.
    #[must_use]
    pub const fn max_visible(mut self, max_visible: u32) -> Self {
        self.max_visible = max_visible;
        self
    }

    /// Keeps the entries of earlier runs.
    #[must_use]
    pub const fn accumulate(mut self) -> Self {
        self.accumulate = true;
        self
    }
}

/// The display widgets of `wire.md` 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DisplayWidget {
    /// A picture.
    ImageViewer,
    /// Lines of text.
    LogList,
    /// Names and numbers.
    MetricTable,
}

impl DisplayWidget {
    /// The `display_type` of the manifest.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ImageViewer => "image_viewer",
            Self::LogList => "log_list",
            Self::MetricTable => "metric_table",
        }
    }
}

impl FieldDecl {
    /// A port (input or output) with nothing but a name, a doc comment and a type.
    pub const fn port(name: &'static str, doc: &'static str, written: &'static str, ty: TypeDecl) -> Self {
        Self::new(name, doc, written, ty, Role::Port)
    }

    /// A config field.
    pub const fn config(
        name: &'static str,
        doc: &'static str,
        written: &'static str,
        ty: TypeDecl,
        config: ConfigDecl,
    ) -> Self {
        Self::new(name, doc, written, ty, Role::Config(config))
    }

    const fn new(name: &'static str, doc: &'static str, written: &'static str, ty: TypeDecl, role: Role) -> Self {
        Self {
            name,
            title: None,
            doc,
            wire: None,
            form: JsonForm::PLAIN,
            header: None,
            deprecated: None,
            display: None,
            full_size: false,
            written,
            ty,
            role,
        }
    }

    /// Whether it carries a value, which a label in an editor does not.
    pub const fn carries_value(&self) -> bool {
        !matches!(self.role, Role::Config(ConfigDecl { widget: Widget::Label, .. }))
    }

    /// Sets the title.
    #[must_use]
    pub const fn title(mut self, title: &'static str) -> Self {
        self.title = Some(title);
        self
    }

    /// Overrides the wire type.
    #[must_use]
    pub const fn wire(mut self, wire: &'static str) -> Self {
        self.wire = Some(wire);
        self
    }

    /// Sends its integers as decimal text in JSON.
    #[must_use]
    pub const fn as_string(mut self) -> Self {
        self.form.integers_as_text = true;
        self
    }

    /// Sends NaN and the infinities as null in JSON.
    #[must_use]
    pub const fn nan_as_null(mut self) -> Self {
        self.form.non_finite_as_null = true;
        self
    }

    /// Names the header that mirrors it.
    #[must_use]
    pub const fn header(mut self, header: &'static str) -> Self {
        self.header = Some(header);
        self
    }

    /// Says that it should not be used any more.
    #[must_use]
    pub const fn deprecated(mut self, deprecated: Deprecation) -> Self {
        self.deprecated = Some(deprecated);
        self
    }

    /// Sends its pictures at their full size or not at all.
    #[must_use]
    pub const fn full_size(mut self) -> Self {
        self.full_size = true;
        self
    }

    /// Shows it in an editor.
    #[must_use]
    pub const fn display(mut self, display: DisplayDecl) -> Self {
        self.display = Some(display);
        self
    }
}
