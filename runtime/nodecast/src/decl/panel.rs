//! The environment panel: what a graph framework shows of a nodeset beside its graph, and lets people set (`wire.md` 8).

use super::Choice;

/// A panel: fields to set and actions to take.
#[derive(Clone, Copy, Debug)]
pub struct PanelDecl {
    /// Its title.
    pub title: &'static str,
    /// In the order in which they are shown.
    pub fields: &'static [PanelField],
    /// In the order in which they are shown.
    pub actions: &'static [PanelAction],
}

impl PanelDecl {
    /// A panel of these fields and actions.
    pub const fn new(title: &'static str, fields: &'static [PanelField], actions: &'static [PanelAction]) -> Self {
        Self { title, fields, actions }
    }
}

/// A field of a panel.
#[derive(Clone, Copy, Debug)]
pub struct PanelField {
    /// Its name.
    pub name: &'static str,
    /// The text beside it.
    pub label: &'static str,
    /// What it takes.
    pub kind: PanelKind,
}

/// What a field of a panel takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PanelKind {
    /// One of several texts; none listed means that the panel says them when it is asked.
    Select(&'static [Choice]),
    /// A number, with bounds where said.
    Number {
        /// Smallest value.
        min: Option<f64>,
        /// Largest value.
        max: Option<f64>,
        /// Distance of two values that an editor offers.
        step: Option<f64>,
    },
    /// A line of text.
    Text {
        /// Greyed text of an empty field.
        placeholder: Option<&'static str>,
    },
    /// A number between bounds.
    Slider {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Distance of two positions.
        step: Option<f64>,
    },
}

impl PanelKind {
    /// The word of the panel's document.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Select(_) => "select",
            Self::Number { .. } => "number",
            Self::Text { .. } => "text",
            Self::Slider { .. } => "slider",
        }
    }
}

impl PanelField {
    /// One of these texts.
    pub const fn select(name: &'static str, label: &'static str, options: &'static [Choice]) -> Self {
        Self { name, label, kind: PanelKind::Select(options) }
    }

    /// A number between bounds.
    pub const fn slider(name: &'static str, label: &'static str, min: f64, max: f64, step: Option<f64>) -> Self {
        Self { name, label, kind: PanelKind::Slider { min, max, step } }
    }

    /// A number without bounds.
    pub const fn number(name: &'static str, label: &'static str) -> Self {
        Self { name, label, kind: PanelKind::Number { min: None, max: None, step: None } }
    }

    /// A line of text.
    pub const fn text(name: &'static str, label: &'static str) -> Self {
        Self { name, label, kind: PanelKind::Text { placeholder: None } }
    }
}

/// An action of a panel.
#[derive(Clone, Copy, Debug)]
pub struct PanelAction {
    /// Its name.
    pub name: &'static str,
    /// The text on its button.
    pub label: &'static str,
    /// What it does to the graph's run.
    pub side_effect: SideEffect,
    /// When it can be taken.
    pub enabled_when: EnabledWhen,
}

impl PanelAction {
    /// An action that can always be taken.
    pub const fn new(name: &'static str, label: &'static str, side_effect: SideEffect) -> Self {
        Self { name, label, side_effect, enabled_when: EnabledWhen::Always }
    }

    /// Says when it can be taken.
    #[must_use]
    pub const fn enabled_when(mut self, when: EnabledWhen) -> Self {
        self.enabled_when = when;
        self
    }
}

/// What an action does to the graph's run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SideEffect {
    /// Begins it.
    RunStart,
    /// Holds it.
    RunPause,
    /// Ends it.
    RunStop,
    /// Goes one step.
    RunStep,
    /// Gives a signal.
    Signal,
    /// Nothing.
    #[default]
    None,
}

impl SideEffect {
    /// The word of the panel's document.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RunStart => "run_start",
            Self::RunPause => "run_pause",
            Self::RunStop => "run_stop",
            Self::RunStep => "run_step",
            Self::Signal => "signal",
            Self::None => "none",
        }
    }
}

/// When an action can be taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EnabledWhen {
    /// Always.
    #[default]
    Always,
    /// While nothing runs.
    Idle,
    /// While something runs.
    Running,
    /// While a run is held.
    Paused,
}

impl EnabledWhen {
    /// The word of the panel's document.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Idle => "idle",
            Self::Running => "running",
            Self::Paused => "paused",
        }
    }
}
