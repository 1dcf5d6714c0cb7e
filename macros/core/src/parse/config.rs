//! `#[config(…)]`: the widget, its default and its place.

use proc_macro2::Span;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, LitStr, Token, Type};

use super::inside;
use super::port::Common;
use crate::attr::{self, Arg, Said};
use crate::check::types::{self, Primitive};
use crate::errors::Errors;
use crate::model::{Choice, Config, Literal, Number, Role, Section, Value, Widget};
use crate::symbol::{
    self, AS_STRING, CONFIG, DEFAULT, HEADER, LABEL, MAX, MIN, MODEL, NAME, NUMBER, ON_CARD, PERSIST, PLACEHOLDER,
    PROMPT, SECTION, SELECT, SLIDER, STEP, Symbol, TEXT, TEXTAREA, TITLE, TOGGLE, UNSET_LABEL, WIDGETS, WIRING,
};
use crate::written::written;

const WORDS: &[Symbol] = &[
    SELECT,
    SLIDER,
    TOGGLE,
    NUMBER,
    TEXT,
    TEXTAREA,
    DEFAULT,
    LABEL,
    PLACEHOLDER,
    SECTION,
    PERSIST,
    ON_CARD,
    UNSET_LABEL,
    NAME,
    TITLE,
    AS_STRING,
    HEADER,
];

/// What the attribute says, before it is known to be complete.
#[derive(Default)]
struct Written {
    widget: Option<(Widget, Span)>,
    default: Option<Literal>,
    label: Option<LitStr>,
    placeholder: Option<LitStr>,
    section: Option<Section>,
    persist: Option<Span>,
    on_card: Option<bool>,
    unset_label: Option<LitStr>,
    common: Common,
}

/// Reads the attribute; what is wrong with it leaves the role unclear.
pub(crate) fn config(errors: &mut Errors, attribute: &Attribute, ty: &Type) -> (Role, Common) {
    let before = errors.count();
    let Written { widget, default, label, placeholder, section, persist, on_card, unset_label, common } =
        read(errors, attribute, ty);
    // An argument that was dropped may be the very one that would be missed below.
    if errors.count() > before {
        return (Role::Unclear, common);
    }
    let is_label = matches!(widget, Some((Widget::Label, _)));
    if default.is_none() && types::option(ty).is_none() && !is_label {
        let (example, text) = (types::primitive(ty).map_or("…", example), written(ty));
        let message = format!(
            "a config field may be left out of a call, so it needs a value for that case; write `{DEFAULT} = {example}`, or the type `Option<{text}>`"
        );
        errors.error(attribute.path(), message);
        return (Role::Unclear, common);
    }
    let (widget, word) = match (widget, &default) {
        (Some((widget, word)), _) => (widget, Some(word)),
        (None, Some(default)) => (implied(default), None),
        (None, None) => {
            let words = symbol::list(WIDGETS);
            errors.error(attribute.path(), format!("a config field without a default needs a widget: {words}"));
            return (Role::Unclear, common);
        }
    };
    let on_card = on_card.unwrap_or(true);
    let config = Config { widget, word, default, label, placeholder, section, persist, on_card, unset_label };
    (Role::Config(config), common)
}

/// A default to write.
fn example(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Bool => "false",
        Primitive::Int(..) => "1",
        Primitive::Float(_) => "0.5",
        Primitive::Text => "\"…\"",
    }
}

fn read(errors: &mut Errors, attribute: &Attribute, ty: &Type) -> Written {
    let mut said = Written::default();
    let Some(tokens) = inside(errors, attribute, CONFIG) else { return said };
    for arg in attr::arguments(errors, "`#[config]`", WORDS, tokens) {
        let names_widget = WIDGETS.iter().any(|word| arg.word == *word);
        // The word of a widget and of its text; only what follows tells them apart.
        let is_label = arg.word == LABEL && matches!(arg.said, Said::Nothing);
        if names_widget || is_label {
            if said.widget.is_some() {
                errors.error(&arg.word, "a config field has one widget; leave one out");
            } else {
                said.widget = widget(errors, &arg).map(|widget| (widget, arg.word.span()));
            }
        } else if arg.word == DEFAULT {
            let value = default(errors, &arg, ty);
            attr::set(errors, &mut said.default, &arg, value);
        } else if arg.word == SECTION {
            let value = section(errors, &arg);
            attr::set(errors, &mut said.section, &arg, value);
        } else if arg.word == PERSIST {
            let word = attr::alone(errors, &arg);
            attr::set(errors, &mut said.persist, &arg, word);
        } else if arg.word == ON_CARD {
            let value = attr::flag(errors, &arg);
            attr::set(errors, &mut said.on_card, &arg, value);
        } else if arg.word == LABEL || arg.word == PLACEHOLDER || arg.word == UNSET_LABEL {
            let text = attr::string(errors, &arg);
            let slot = if arg.word == LABEL {
                &mut said.label
            } else if arg.word == PLACEHOLDER {
                &mut said.placeholder
            } else {
                &mut said.unset_label
            };
            attr::set(errors, slot, &arg, text);
        } else {
            said.common.take(errors, &arg);
        }
    }
    said
}

/// `default = ` a literal, which enters the contract as it stands.
fn default(errors: &mut Errors, arg: &Arg, ty: &Type) -> Option<Literal> {
    let Said::Value(value) = &arg.said else { return attr::literal(errors, arg) };
    // A number or a bool has no variants: `u32::MAX` is a constant.
    let is_enum = matches!(types::primitive(types::option(ty).unwrap_or(ty)), None | Some(Primitive::Text));
    if let (true, Err(_), Expr::Path(path)) = (is_enum, attr::literal_of(value), &**value)
        && path.path.segments.len() > 1
        && let Some(variant) = path.path.segments.last()
    {
        let name = variant.ident.unraw();
        errors.error(value, format!("a default is a literal, and a variant is its name in JSON; write `\"{name}\"`"));
        return None;
    }
    attr::literal(errors, arg)
}

/// The widget of a field that names none.
fn implied(default: &Literal) -> Widget {
    match default.value {
        Value::Bool(_) => Widget::Toggle,
        Value::Int(_) | Value::Float(_) => Widget::Number { min: None, max: None },
        Value::Text(_) => Widget::Text,
    }
}

fn widget(errors: &mut Errors, arg: &Arg) -> Option<Widget> {
    if arg.word == SELECT {
        return select(errors, arg);
    }
    if arg.word == SLIDER {
        let [min, max, step] = numbers(errors, arg, [MIN, MAX, STEP])?;
        let (Some(min), Some(max)) = (min, max) else {
            errors.error(&arg.word, "a slider needs both ends; write `slider(min = …, max = …)`");
            return None;
        };
        return Some(Widget::Slider { min, max, step });
    }
    if arg.word == NUMBER {
        let [min, max] = numbers(errors, arg, [MIN, MAX])?;
        return Some(Widget::Number { min, max });
    }
    attr::alone(errors, arg)?;
    Some(if arg.word == TOGGLE {
        Widget::Toggle
    } else if arg.word == TEXT {
        Widget::Text
    } else if arg.word == TEXTAREA {
        Widget::Textarea
    } else {
        Widget::Label
    })
}

fn numbers<const N: usize>(errors: &mut Errors, arg: &Arg, words: [Symbol; N]) -> Option<[Option<Number>; N]> {
    let mut found = [None; N];
    let list = match &arg.said {
        Said::Nothing => return Some(found),
        Said::List(list) => list,
        Said::Value(value) => {
            errors
                .error(value, format!("`{0}` takes its bounds in a list; write `{0}({MIN} = …, {MAX} = …)`", arg.word));
            return None;
        }
    };
    let before = errors.count();
    for bound in attr::arguments(errors, &format!("`{}`", arg.word), &words, list.stream()) {
        let value = attr::number(errors, &bound);
        if let Some((slot, _)) = found.iter_mut().zip(words).find(|(_, word)| bound.word == *word) {
            attr::set(errors, slot, &bound, value);
        }
    }
    (errors.count() == before).then_some(found)
}

fn select(errors: &mut Errors, arg: &Arg) -> Option<Widget> {
    let list = match &arg.said {
        Said::Nothing => return Some(Widget::Select(None)),
        Said::List(list) => list,
        Said::Value(value) => {
            errors.error(value, format!("options stand in a list; write `{SELECT}(\"a\", \"b\")`"));
            return None;
        }
    };
    let before = errors.count();
    let mut choices = Vec::new();
    for part in attr::split(errors, list.stream()) {
        match syn::parse2::<Choice>(part.clone()) {
            Ok(choice) => choices.push(choice),
            Err(_) if syn::parse2::<syn::Lit>(part.clone()).is_ok() => {
                let message = format!(
                    "an option is text; write `{NUMBER}({MIN} = …, {MAX} = …)` for a number, `{TOGGLE}` for a bool, or an enum"
                );
                errors.error(part, message);
            }
            Err(_) => errors.error(part, "expected an option: `\"value\"` or `\"value\" = \"Label\"`"),
        }
    }
    if choices.is_empty() && errors.count() == before {
        let message =
            format!("a `{SELECT}` needs an option; write `{SELECT}(\"a\", \"b\")`, or `{SELECT}` alone on an enum");
        errors.error(&arg.word, message);
    }
    (errors.count() == before).then_some(Widget::Select(Some(choices)))
}

impl Parse for Choice {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let value = input.parse()?;
        let label = match input.parse::<Option<Token![=]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { value, label })
    }
}

fn section(errors: &mut Errors, arg: &Arg) -> Option<Section> {
    let text = attr::string(errors, arg)?;
    let value = text.value();
    match value.as_str() {
        value if value == MODEL.0 => Some(Section::Model),
        value if value == PROMPT.0 => Some(Section::Prompt),
        value if value == WIRING.0 => Some(Section::Wiring),
        _ => {
            let words = [MODEL, PROMPT, WIRING];
            let way_out = match symbol::nearest(&value, &words) {
                Some(word) => format!("write `\"{word}\"`"),
                None => format!("expected {}", symbol::list(&words)),
            };
            errors.error(&text, format!("unknown section `{value}`; {way_out}"));
            None
        }
    }
}
