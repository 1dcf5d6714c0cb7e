//! A config field: its widget, its default and its type must agree.

use proc_macro2::Span;
use syn::{LitStr, Type};

use super::types::{self, Primitive, Width};
use crate::errors::Errors;
use crate::model::{Choice, Config, Field, Literal, Number, Value, Widget};
use crate::symbol::{
    AS_STRING, DEFAULT, HEADER, LABEL, NUMBER, PERSIST, PLACEHOLDER, SELECT, SLIDER, STEP, Symbol, TEXT, TEXTAREA,
    TOGGLE, UNSET_LABEL,
};
use crate::written::written;

/// Reports a disagreement once, at the token that is easiest to change.
pub(crate) fn check(errors: &mut Errors, field: &Field, config: &Config) {
    if let Widget::Label = config.widget {
        label(errors, field, config);
        return;
    }
    if let Some(unset) = &config.unset_label
        && types::option(&field.ty).is_none()
    {
        let text = written(&field.ty);
        let message = format!(
            "`{UNSET_LABEL}` names the missing value of an `Option`; write the type `Option<{text}>`, or remove it"
        );
        errors.error(unset, message);
    }
    let ty = types::option(&field.ty).unwrap_or(&field.ty);
    let primitive = types::primitive(ty);
    let shown = primitive.is_none_or(|primitive| shows(&config.widget, primitive));
    if let (Some(primitive), Some(word), false) = (primitive, config.word, shown) {
        let (name, kind, text) = (word_of(&config.widget), kind(&config.widget), written(ty));
        let way_out = widgets(primitive);
        errors.at(word, format!("a `{name}` shows {kind}, and this field is `{text}`; write {way_out}"));
        return;
    }
    let before = errors.count();
    widget(errors, ty, primitive, config);
    let Some(default) = &config.default else { return };
    // A default is held against sound bounds alone.
    if errors.count() > before {
        return;
    }
    if let (Some(primitive), false) = (primitive, shown) {
        let (text, kind) = (written(ty), kind_of(primitive));
        errors.error(default.place, format!("this default is no `{text}`; write {kind}"));
    } else if !fits_widget(&config.widget, &default.value) {
        let (name, kind) = (word_of(&config.widget), kind(&config.widget));
        errors.error(default.place, format!("a `{name}` shows {kind}, and this default is none; write {kind}"));
    } else if type_holds(errors, ty, primitive, default) {
        bounds(errors, &config.widget, default);
    }
}

/// A label is text in the editor, so nothing that speaks of a value goes with it.
fn label(errors: &mut Errors, field: &Field, config: &Config) {
    let is_unit = matches!(&field.ty, Type::Tuple(tuple) if tuple.elems.is_empty());
    if !is_unit {
        errors.error(&field.ty, format!("a `{LABEL}` is text and carries no value; write the type `()`"));
    }
    let literal = |text: &Option<LitStr>| text.as_ref().map(LitStr::span);
    let said = [
        (DEFAULT, config.default.as_ref().map(|default| default.place.first)),
        (PLACEHOLDER, literal(&config.placeholder)),
        (UNSET_LABEL, literal(&config.unset_label)),
        (HEADER, literal(&field.header)),
        (PERSIST, config.persist),
        (AS_STRING, field.as_string),
    ];
    for (word, place) in said {
        if let Some(place) = place {
            errors.at(place, format!("a `{LABEL}` is text and carries no value; remove `{word}`"));
        }
    }
}

fn widget(errors: &mut Errors, ty: &Type, primitive: Option<Primitive>, config: &Config) {
    let mut ends: Vec<Number> = Vec::new();
    match &config.widget {
        Widget::Select(None) if primitive.is_some() => {
            let message = format!(
                "a `{SELECT}` on `{}` needs options; write `{SELECT}(\"a\", \"b\")`, or make the type an enum",
                written(ty)
            );
            errors.at(config.word.unwrap_or_else(Span::call_site), message);
        }
        Widget::Select(Some(choices)) => {
            for (at, choice) in choices.iter().enumerate() {
                if choices.iter().take(at).any(|before| before.value.value() == choice.value.value()) {
                    errors.error(
                        &choice.value,
                        format!("the option `{}` stands twice; remove one", choice.value.value()),
                    );
                }
            }
        }
        Widget::Slider { min, max, step } => {
            if min.value >= max.value {
                errors.error(
                    max.place,
                    format!("the `max` of a slider needs to be above its `min`, {}; write a larger one", min.value),
                );
            } else if let Some(step) = step {
                slider_step(errors, *min, *max, *step);
            }
            ends.extend([*min, *max]);
            ends.extend(*step);
        }
        Widget::Number { min, max } => {
            if let (Some(min), Some(max)) = (min, max)
                && min.value > max.value
            {
                errors.error(max.place, format!("`max` needs to be at least `min`, {}; write a larger one", min.value));
            }
            ends.extend(min.iter().chain(max));
        }
        Widget::Select(None) | Widget::Toggle | Widget::Text | Widget::Textarea | Widget::Label => {}
    }
    for end in ends {
        bound_fits(errors, ty, primitive, end);
    }
}

fn slider_step(errors: &mut Errors, min: Number, max: Number, step: Number) {
    if step.value <= 0.0 {
        errors.error(
            step.place,
            format!("the `{STEP}` of a slider needs to be above 0; leave it out for a smooth slider"),
        );
    } else if step.value > max.value - min.value {
        let message = format!("the `{STEP}` is wider than the slider, {}; write a smaller one", max.value - min.value);
        errors.error(step.place, message);
    }
}

/// An integer's widget has whole ends that its type holds.
fn bound_fits(errors: &mut Errors, ty: &Type, primitive: Option<Primitive>, bound: Number) {
    let Some(Primitive::Int(low, high)) = primitive else { return };
    let text = written(ty);
    // The ranges are shown, not computed with; a double is near enough at 2^63.
    #[allow(clippy::cast_precision_loss, reason = "compared with a bound that is a double itself")]
    let (low, high) = (low as f64, high as f64);
    if bound.value.fract() != 0.0 {
        errors.error(bound.place, format!("`{text}` is a whole number; write a bound without a fraction"));
    } else if bound.value < low || bound.value > high {
        errors.error(bound.place, format!("{} is no `{text}`; write a bound from {low} to {high}", bound.value));
    }
}

fn bounds(errors: &mut Errors, widget: &Widget, default: &Literal) {
    match (widget, &default.value) {
        (Widget::Select(Some(choices)), Value::Text(text)) => one_of(errors, choices, text, default),
        (Widget::Slider { min, max, step }, value) => {
            let Some(value) = number(value) else { return };
            if within(errors, Some(min), Some(max), value, default)
                && let Some(step) = step
            {
                on_step(errors, min.value, step.value, value, default);
            }
        }
        (Widget::Number { min, max }, value) => {
            if let Some(value) = number(value) {
                within(errors, min.as_ref(), max.as_ref(), value, default);
            }
        }
        _ => {}
    }
}

fn one_of(errors: &mut Errors, choices: &[Choice], text: &str, default: &Literal) {
    if choices.iter().any(|choice| choice.value.value() == text) {
        return;
    }
    let options: Vec<String> = choices.iter().map(|choice| format!("`\"{}\"`", choice.value.value())).collect();
    errors.error(
        default.place,
        format!("the default `{text}` is none of the options; write one of {}", options.join(", ")),
    );
}

fn within(errors: &mut Errors, min: Option<&Number>, max: Option<&Number>, value: f64, default: &Literal) -> bool {
    let (low, high) = (min.map(|min| min.value), max.map(|max| max.value));
    if low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high) {
        return true;
    }
    let range = match (low, high) {
        (Some(low), Some(high)) => format!("from {low} to {high}"),
        (Some(low), None) => format!("from {low}"),
        (None, Some(high)) => format!("up to {high}"),
        (None, None) => return true,
    };
    errors.error(default.place, format!("the default {value} is out of bounds; write one {range}"));
    false
}

fn on_step(errors: &mut Errors, min: f64, step: f64, value: f64, default: &Literal) {
    let steps = (value - min) / step;
    // Decimal steps are inexact in binary; a millionth of a step is no position of its own.
    if (steps - steps.round()).abs() < 1e-6 {
        return;
    }
    let digits = fraction_digits(min).max(fraction_digits(step));
    let (low, high) = (min + steps.floor() * step, min + steps.ceil() * step);
    let message = format!(
        "the default {value} is between two steps of {step} from {min}; write {low:.digits$} or {high:.digits$}"
    );
    errors.error(default.place, message);
}

/// How many digits a number is written with behind its point.
fn fraction_digits(value: f64) -> usize {
    value.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len())
}

fn number(value: &Value) -> Option<f64> {
    match value {
        // A bound is a double; beyond 2^53 so is what it is compared with.
        #[allow(clippy::cast_precision_loss, reason = "compared with a bound that is a double itself")]
        Value::Int(value) => Some(*value as f64),
        Value::Float(value) => Some(*value),
        Value::Bool(_) | Value::Text(_) => None,
    }
}

/// Whether the type holds the default, as far as its syntax says.
fn type_holds(errors: &mut Errors, ty: &Type, primitive: Option<Primitive>, default: &Literal) -> bool {
    let text = written(ty);
    let wrong = match (&default.value, primitive) {
        (Value::Int(value), Some(Primitive::Int(low, high))) if *value < low || *value > high => {
            format!("{value} is no `{text}`; write a default from {low} to {high}")
        }
        (Value::Int(value), _) if *value < i64::MIN.into() || *value > u64::MAX.into() => {
            format!("{value} does not fit 64 bits; write a smaller default")
        }
        (Value::Float(value), _) if !value.is_finite() => {
            "this number is too large for 64 bits; write a finite one".to_owned()
        }
        (Value::Float(value), Some(Primitive::Int(..))) => {
            format!("`{text}` is a whole number; write `{DEFAULT} = {:.0}`", value.trunc())
        }
        (Value::Float(value), Some(Primitive::Float(Width::Single))) if value.abs() > f32::MAX.into() => {
            format!("{value:e} is too large for `{text}`; write a smaller default, or the type `f64`")
        }
        _ => return true,
    };
    errors.error(default.place, wrong);
    false
}

fn fits_widget(widget: &Widget, value: &Value) -> bool {
    match widget {
        Widget::Toggle => matches!(value, Value::Bool(_)),
        Widget::Slider { .. } | Widget::Number { .. } => matches!(value, Value::Int(_) | Value::Float(_)),
        Widget::Select(_) | Widget::Text | Widget::Textarea => matches!(value, Value::Text(_)),
        Widget::Label => false,
    }
}

fn shows(widget: &Widget, primitive: Primitive) -> bool {
    match widget {
        Widget::Toggle => primitive == Primitive::Bool,
        Widget::Slider { .. } | Widget::Number { .. } => {
            matches!(primitive, Primitive::Int(..) | Primitive::Float(_))
        }
        Widget::Text | Widget::Textarea | Widget::Select(Some(_)) => primitive == Primitive::Text,
        // Needs options whatever it shows, and says so itself.
        Widget::Select(None) => true,
        Widget::Label => false,
    }
}

fn word_of(widget: &Widget) -> Symbol {
    match widget {
        Widget::Select(_) => SELECT,
        Widget::Slider { .. } => SLIDER,
        Widget::Toggle => TOGGLE,
        Widget::Number { .. } => NUMBER,
        Widget::Text => TEXT,
        Widget::Textarea => TEXTAREA,
        Widget::Label => LABEL,
    }
}

fn kind(widget: &Widget) -> &'static str {
    match widget {
        Widget::Toggle => "`true` or `false`",
        Widget::Slider { .. } | Widget::Number { .. } => "a number",
        Widget::Select(_) | Widget::Text | Widget::Textarea => "a string",
        Widget::Label => "text alone",
    }
}

fn kind_of(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Bool => "`true` or `false`",
        Primitive::Int(..) | Primitive::Float(_) => "a number",
        Primitive::Text => "a string",
    }
}

fn widgets(primitive: Primitive) -> String {
    match primitive {
        Primitive::Bool => format!("`{TOGGLE}`"),
        Primitive::Int(..) | Primitive::Float(_) => format!("`{SLIDER}(min = …, max = …)` or `{NUMBER}`"),
        Primitive::Text => format!("`{TEXT}`, `{TEXTAREA}` or `{SELECT}(\"a\", \"b\")`"),
    }
}
