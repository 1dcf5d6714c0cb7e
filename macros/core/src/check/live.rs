//! Messages and views: their names, and what they carry.

use super::types::Direction;
use super::{fields, names};
use crate::errors::Errors;
use crate::model::{Messages, View};
use crate::symbol::{EXPOSE, MESSAGE, RENAME};

pub(crate) fn messages(errors: &mut Errors, messages: &Messages) {
    let named = || messages.variants.iter().filter_map(|variant| Some((variant, variant.message.as_ref()?)));
    for (at, (variant, message)) in named().enumerate() {
        names::live(errors, &message.name, "a message");
        let is_same = |(other, earlier): &(&crate::model::Variant, &crate::model::Message)| {
            earlier.name.text == message.name.text && !other.cfgs.may_differ(&variant.cfgs)
        };
        if let Some((other, _)) = named().take(at).find(is_same) {
            let (name, first, second) = (&message.name.text, &other.ident, &variant.ident);
            let detail = format!(
                "`{first}` and `{second}` are both the message `{name}`; rename one with `#[{MESSAGE}({RENAME} = \"…\")]`"
            );
            errors.at(message.name.span, detail);
        }
        fields(errors, &message.fields, Direction::Input);
    }
}

pub(crate) fn view(errors: &mut Errors, view: &View) {
    for (at, handle) in view.handles.iter().enumerate() {
        let what = if handle.node.is_some() { "a node" } else { "a value" };
        names::live(errors, &handle.name, what);
        let is_same = |other: &&crate::model::Handle| {
            other.name.text == handle.name.text
                && other.node.is_some() == handle.node.is_some()
                && !other.cfgs.may_differ(&handle.cfgs)
        };
        if let Some(other) = view.handles.iter().take(at).find(is_same) {
            let (name, first, second) = (&handle.name.text, &other.ident, &handle.ident);
            let detail = format!(
                "`{first}` and `{second}` are both exposed as `{name}`; rename one with `#[{EXPOSE}({RENAME} = \"…\")]`"
            );
            errors.at(handle.name.span, detail);
        }
    }
}
