//! `#[port(…)]` and `#[argument(…)]`, and the words that they share with `#[config(…)]`.

use proc_macro2::Span;
use syn::{Attribute, LitStr};

use super::inside;
use crate::attr::{self, Arg};
use crate::errors::Errors;
use crate::model::{Port, Role};
use crate::symbol::{ARGUMENT, AS_STRING, FULL_SIZE, HEADER, NAME, NAN, NULL, PORT, Symbol, TITLE, WIRE};

const WORDS: &[Symbol] = &[NAME, TITLE, WIRE, AS_STRING, NAN, HEADER, FULL_SIZE];

/// What `#[port(…)]` and `#[config(…)]` say alike.
#[derive(Debug, Default)]
pub(crate) struct Common {
    /// `name`.
    pub(crate) name: Option<LitStr>,
    /// `title`.
    pub(crate) title: Option<LitStr>,
    /// `header`.
    pub(crate) header: Option<LitStr>,
    /// `as_string`.
    pub(crate) as_string: Option<Span>,
}

impl Common {
    /// Takes an argument with one of these four words.
    pub(crate) fn take(&mut self, errors: &mut Errors, arg: &Arg) {
        if arg.word == AS_STRING {
            let word = attr::alone(errors, arg);
            attr::set(errors, &mut self.as_string, arg, word);
            return;
        }
        let text = attr::string(errors, arg);
        let slot = if arg.word == NAME {
            &mut self.name
        } else if arg.word == TITLE {
            &mut self.title
        } else {
            &mut self.header
        };
        attr::set(errors, slot, arg, text);
    }
}

/// Reads the attribute.
pub(crate) fn port(errors: &mut Errors, attribute: &Attribute) -> (Role, Common) {
    let mut common = Common::default();
    let mut said = Port::default();
    let Some(tokens) = inside(errors, attribute, PORT) else { return (Role::Unclear, common) };
    for arg in attr::arguments(errors, "`#[port]`", WORDS, tokens) {
        if arg.word == WIRE {
            let text = attr::string(errors, &arg);
            attr::set(errors, &mut said.wire, &arg, text);
        } else if arg.word == NAN {
            let word = nan(errors, &arg);
            attr::set(errors, &mut said.nan, &arg, word);
        } else if arg.word == FULL_SIZE {
            let word = attr::alone(errors, &arg);
            attr::set(errors, &mut said.full_size, &arg, word);
        } else {
            common.take(errors, &arg);
        }
    }
    (Role::Port(said), common)
}

/// Reads `#[argument(…)]`, on the field of a resource or of a prompt.
pub(crate) fn argument(errors: &mut Errors, attribute: &Attribute) -> Common {
    let mut common = Common::default();
    let tokens = inside(errors, attribute, ARGUMENT).unwrap_or_default();
    for arg in attr::arguments(errors, "`#[argument]`", &[NAME, TITLE], tokens) {
        common.take(errors, &arg);
    }
    common
}

/// `nan = "null"`; the only other form, an error, is what is done without it.
fn nan(errors: &mut Errors, arg: &Arg) -> Option<Span> {
    let text = attr::string(errors, arg)?;
    if text.value() == NULL.0 {
        return Some(arg.word.span());
    }
    errors.error(text, format!("`{NAN}` has one form; write `{NAN} = \"{NULL}\"`, or leave it out to refuse NaN"));
    None
}
