//! The descriptor of a config field.

use proc_macro2::{Literal as Token, TokenStream};
use quote::quote;

use super::option;
use crate::model::{Choice, Config, Literal, Number, Section, Value, Widget};

/// Only what was said becomes a call, so that the expansion stays small.
pub(crate) fn config(config: &Config) -> TokenStream {
    let Config { widget, word: _, default, label, placeholder, section, persist, on_card, unset_label } = config;
    let widget = self::widget(widget);
    let default = default.as_ref().map(|Literal { value, place: _ }| {
        let value = literal(value);
        quote!(.default(#value))
    });
    let label = label.as_ref().map(|label| quote!(.label(#label)));
    let placeholder = placeholder.as_ref().map(|placeholder| quote!(.placeholder(#placeholder)));
    let section = section.map(|section| {
        let section = match section {
            Section::Model => quote!(Model),
            Section::Prompt => quote!(Prompt),
            Section::Wiring => quote!(Wiring),
        };
        quote!(.section(__rt::Section::#section))
    });
    let persist = persist.map(|_| quote!(.persist()));
    let off_card = (!on_card).then(|| quote!(.off_card()));
    let unset_label = unset_label.as_ref().map(|label| quote!(.unset_label(#label)));
    quote!(__rt::ConfigDecl::new(#widget)#default #label #placeholder #section #persist #off_card #unset_label)
}

fn widget(widget: &Widget) -> TokenStream {
    match widget {
        Widget::Select(choices) => {
            let choices = choices.iter().flatten().map(|Choice { value, label }| {
                let label = label.as_ref().unwrap_or(value);
                quote!(__rt::Choice { value: #value, label: #label })
            });
            quote!(__rt::Widget::Select(&[#(#choices),*]))
        }
        Widget::Slider { min, max, step } => {
            let (min, max, step) = (float(min.value), float(max.value), option_number(*step));
            quote!(__rt::Widget::Slider { min: #min, max: #max, step: #step })
        }
        Widget::Toggle => quote!(__rt::Widget::Toggle),
        Widget::Number { min, max } => {
            let (min, max) = (option_number(*min), option_number(*max));
            quote!(__rt::Widget::Number { min: #min, max: #max })
        }
        Widget::Text => quote!(__rt::Widget::Text),
        Widget::Textarea => quote!(__rt::Widget::Textarea),
        Widget::Label => quote!(__rt::Widget::Label),
    }
}

pub(super) fn literal(value: &Value) -> TokenStream {
    match value {
        Value::Bool(value) => quote!(__rt::Literal::Bool(#value)),
        Value::Int(value) => {
            let (minus, value) = ((*value < 0).then(|| quote!(-)), Token::u128_unsuffixed(value.unsigned_abs()));
            quote!(__rt::Literal::Int(#minus #value))
        }
        Value::Float(value) => {
            let value = float(*value);
            quote!(__rt::Literal::Float(#value))
        }
        Value::Text(value) => quote!(__rt::Literal::Text(#value)),
    }
}

fn option_number(number: Option<Number>) -> TokenStream {
    option(number.map(|number| float(number.value)))
}

/// A token holds no sign.
fn float(value: f64) -> TokenStream {
    let minus = value.is_sign_negative().then(|| quote!(-));
    let value = Token::f64_unsuffixed(value.abs());
    quote!(#minus #value)
}
