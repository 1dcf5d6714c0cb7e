//! A panel as a document, and what may be set and done there.

use serde_json::{Value as Json, json};

use super::PanelDecl;
use crate::Error;
use crate::call::{Finding, NOT_FOUND, nearest};
use crate::decl::{Choice, PanelAction, PanelField, PanelKind};
use crate::wire::{Value, on_grid};

/// The document of a panel; what does not apply is null.
pub fn document(name: &str, panel: &PanelDecl) -> Json {
    let PanelDecl { title, fields, actions } = *panel;
    let fields = fields.iter().map(|PanelField { name, label, kind }| {
        let (mut options, mut min, mut max, mut step, mut placeholder) = (None, None, None, None, None);
        match *kind {
            PanelKind::Select(choices) => options = Some(choices),
            PanelKind::Number { min: least, max: most, step: by } => (min, max, step) = (least, most, by),
            PanelKind::Text { placeholder: grey } => placeholder = grey,
            PanelKind::Slider { min: least, max: most, step: by } => (min, max, step) = (Some(least), Some(most), by),
        }
        let options = options.map(|choices: &[Choice]| {
            choices.iter().map(|Choice { value, label }| json!({ "value": value, "label": label })).collect::<Vec<_>>()
        });
        json!({
            "name": name,
            "kind": kind.as_str(),
            "label": label,
            "options": options,
            "min": min,
            "max": max,
            "step": step,
            "placeholder": placeholder,
        })
    });
    let actions = actions.iter().map(|PanelAction { name, label, side_effect, enabled_when }| {
        json!({
            "name": name,
            "label": label,
            "side_effect": side_effect.as_str(),
            "enabled_when": enabled_when.as_str(),
        })
    });
    json!({
        "name": name,
        "display_name": title,
        "fields": fields.collect::<Vec<_>>(),
        "actions": actions.collect::<Vec<_>>(),
    })
}

/// What is known of a panel's fields and actions.
#[derive(Clone, Copy, Debug)]
pub struct PanelCheck<'a>(pub &'a PanelDecl);

impl PanelCheck<'_> {
    /// The field of this name.
    pub fn field(&self, name: &str) -> Result<&PanelField, Error> {
        let fields = self.0.fields;
        fields
            .iter()
            .find(|field| field.name == name)
            .ok_or_else(|| unknown("field", name, fields.iter().map(|field| field.name)))
    }

    /// The action of this name.
    pub fn action(&self, name: &str) -> Result<&PanelAction, Error> {
        let actions = self.0.actions;
        let found = actions.iter().find(|action| action.name == name);
        found.ok_or_else(|| unknown("action", name, actions.iter().map(|action| action.name)))
    }

    /// Whether a field takes a value; `options` are those of a select.
    pub fn takes(&self, field: &PanelField, value: &Value, options: &[(String, String)]) -> Result<(), Error> {
        match field.kind {
            PanelKind::Select(_) => {
                let Some(text) = value.as_text() else { return Err(wrong(field, "text", value)) };
                if options.iter().any(|(option, _)| option == text) {
                    return Ok(());
                }
                let known: Vec<String> = options.iter().map(|(option, _)| option.clone()).collect();
                Err(refused(Finding {
                    kind: "not_an_option",
                    detail: format!("`{text}` is no option of `{}`", field.name),
                    nearest: nearest(text, known.iter().map(String::as_str)).map(str::to_owned),
                    known,
                    ..Finding::default()
                }))
            }
            PanelKind::Text { .. } if value.as_text().is_some() => Ok(()),
            PanelKind::Text { .. } => Err(wrong(field, "text", value)),
            PanelKind::Number { min, max, step } => number(field, value, (min, max), step),
            PanelKind::Slider { min, max, step } => number(field, value, (Some(min), Some(max)), step),
        }
    }
}

fn number(
    field: &PanelField,
    value: &Value,
    (min, max): (Option<f64>, Option<f64>),
    step: Option<f64>,
) -> Result<(), Error> {
    // As that of a config field: bounds that are no positions themselves make it advice.
    let step = step.filter(|step| on_grid(*step, [min, max].into_iter().flatten()));
    let multiple = step.map(|step| format!(", a multiple of {step}")).unwrap_or_default();
    let expected = match (min, max) {
        (Some(min), Some(max)) => format!("a number from {min} to {max}{multiple}"),
        (Some(min), None) => format!("a number from {min} up{multiple}"),
        (None, Some(max)) => format!("a number up to {max}{multiple}"),
        (None, None) => format!("a number{multiple}"),
    };
    let Some(number) = value.as_f64() else { return Err(wrong(field, &expected, value)) };
    let is_within = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    if number.is_finite() && is_within && step.is_none_or(|step| on_grid(step, [number])) {
        return Ok(());
    }
    Err(refused(Finding {
        kind: "out_of_range",
        detail: format!("`{}` takes {expected}, got {number}", field.name),
        expected: Some(expected),
        ..Finding::default()
    }))
}

fn wrong(field: &PanelField, expected: &str, value: &Value) -> Error {
    refused(Finding {
        kind: "wrong_type",
        detail: format!("`{}` takes {expected}, got {}", field.name, value.describe()),
        expected: Some(expected.to_owned()),
        ..Finding::default()
    })
}

fn refused(finding: Finding) -> Error {
    Error::refused(vec![Finding { pointer: "/value".to_owned(), ..finding }])
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str> + Clone) -> Error {
    let nearest = nearest(name, known.clone()).map(str::to_owned);
    let way_out = nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default();
    Error::refused(vec![Finding {
        kind: NOT_FOUND,
        detail: format!("the panel has no {what} `{name}`{way_out}"),
        known: known.map(str::to_owned).collect(),
        nearest,
        ..Finding::default()
    }])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PANEL: PanelDecl = PanelDecl::new(
        "P",
        &[
            PanelField::select("scene", "Scene", &[Choice { value: "a", label: "A" }]),
            PanelField::slider("speed", "Speed", 0.0, 2.0, None),
            PanelField::text("note", "Note"),
            PanelField::slider("gain", "Gain", 0.0, 2.0, Some(0.1)),
            PanelField::slider("odd", "Odd", 0.0, 1.0, Some(0.3)),
        ],
        &[],
    );

    #[test]
    fn values_are_checked_against_their_field() {
        let check = PanelCheck(&PANEL);
        let options = [("a".to_owned(), "A".to_owned())];
        let kind = |field: &str, value: Value| {
            let field = check.field(field).unwrap();
            check.takes(field, &value, &options).err().map(|error| error.kind().to_owned())
        };
        assert_eq!(kind("scene", "a".into()), None);
        assert_eq!(kind("scene", "b".into()).as_deref(), Some("not_an_option"));
        assert_eq!(kind("scene", Value::Null).as_deref(), Some("wrong_type"));
        assert_eq!(kind("speed", 2_i64.into()), None);
        assert_eq!(kind("speed", 2.5.into()).as_deref(), Some("out_of_range"));
        assert_eq!(kind("speed", f64::NAN.into()).as_deref(), Some("out_of_range"));
        assert_eq!(kind("gain", 0.3.into()), None);
        assert_eq!(kind("gain", 0.25.into()).as_deref(), Some("out_of_range"));
        // No position is 1.0, so the step is advice.
        assert_eq!(kind("odd", 0.5.into()), None);
        assert_eq!(kind("note", "x".into()), None);
        assert_eq!(kind("note", 5_i64.into()).as_deref(), Some("wrong_type"));
        assert_eq!(check.field("sped").unwrap_err().findings()[0].nearest.as_deref(), Some("speed"));
    }
}
