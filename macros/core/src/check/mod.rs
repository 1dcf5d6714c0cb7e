//! What one item shows to be wrong (`DESIGN.md` 4). Reads the model and reports; changes nothing.

mod config;
mod container;
mod form;
mod live;
mod names;
mod offer;
pub(crate) mod types;
mod words;

pub(crate) use container::container;
pub(crate) use live::{messages, view};
pub(crate) use offer::{prompt, resource};
use proc_macro2::Span;
use quote::ToTokens;

use crate::errors::Errors;
use crate::model::{
    Display, DisplayWidget, Exclusivity, Field, Hints, Listed, Node, NodeError, Nodeset, Outputs, Parallelism, Role,
};
use crate::symbol::{
    CONFIG, CONTAINERS, DESTRUCTIVE, EXCLUSIVE, FULL_SIZE, IMAGE_VIEWER, LOG_LIST, METRIC_TABLE, MODERN, NODES, PANEL,
    PANEL_TOOLS, PORT, PROMPTS, READ_ONLY, RESOURCES, SESSIONS, Symbol,
};
use crate::written::written;
use types::{Context, Direction};

pub(crate) fn node(errors: &mut Errors, node: &Node) {
    names::tool(errors, &node.name, "a node");
    hints(errors, node.hints);
    words::icons(errors, &node.icons);
    words::meta(errors, &node.meta);
    fields(errors, &node.fields, Direction::Input);
}

pub(crate) fn outputs(errors: &mut Errors, outputs: &Outputs) {
    fields(errors, &outputs.fields, Direction::Output);
}

pub(crate) fn nodeset(errors: &mut Errors, nodeset: &Nodeset) {
    names::nodeset(errors, &nodeset.name);
    if let Some(prefix) = &nodeset.prefix {
        names::prefix(errors, prefix);
    }
    policy(errors, nodeset);
    words::icons(errors, &nodeset.icons);
    words::meta(errors, &nodeset.meta);
    for (word, list) in [
        (NODES, &nodeset.nodes),
        (RESOURCES, &nodeset.resources),
        (PROMPTS, &nodeset.prompts),
        (CONTAINERS, &nodeset.containers),
    ] {
        listed_once(errors, word, list);
    }
    if let (None, Some(span)) = (nodeset.panel, nodeset.panel_tools) {
        errors.at(span, format!("`{PANEL_TOOLS}` are the tools of a panel; add `{PANEL}`, or remove `{PANEL_TOOLS}`"));
    }
}

fn listed_once(errors: &mut Errors, word: Symbol, list: &[Listed]) {
    for (at, Listed { cfgs, path }) in list.iter().enumerate() {
        let text = path.to_token_stream().to_string();
        let is_same =
            |other: &Listed| !cfgs.may_differ(&other.cfgs) && other.path.to_token_stream().to_string() == text;
        if list.iter().take(at).any(is_same) {
            errors.error(path, format!("`{}` is listed twice in `{word}(…)`; remove one", text.replace(' ', "")));
        }
    }
}

/// What is said about holding a nodeset and about sessions on it goes together (`mcp.md` 4).
fn policy(errors: &mut Errors, nodeset: &Nodeset) {
    let exclusive = match nodeset.exclusive {
        Some(said) => said != Exclusivity::Open,
        None => nodeset.parallelism == Parallelism::Replicated,
    };
    if !exclusive && let Some(span) = nodeset.modern_rejected {
        errors.at(
            span,
            format!("`{MODERN}` narrows a nodeset that one client holds; add `{EXCLUSIVE}`, or remove `{MODERN}`"),
        );
    }
    if exclusive && let Some(sessions) = nodeset.sessions {
        errors.at(
            sessions.span,
            format!(
                "a nodeset that one client holds hands out a session and needs it; remove `{SESSIONS}`, or write \
                 `{EXCLUSIVE} = false`"
            ),
        );
    }
    if exclusive {
        names::lease_tools(errors, nodeset.prefix.as_ref().unwrap_or(&nodeset.name));
    }
}

pub(crate) fn node_error(errors: &mut Errors, error: &NodeError) {
    for (at, kind) in error.kinds.iter().enumerate() {
        names::tool(errors, &kind.name, "a kind of error");
        if let Some(before) = error.kinds.iter().take(at).find(|before| before.name.text == kind.name.text) {
            let (name, first, second) = (&kind.name.text, &before.ident, &kind.ident);
            let message = format!(
                "`{first}` and `{second}` are both the kind `{name}`; rename one with `#[node_error(name = \"…\")]`"
            );
            errors.at(kind.name.span, message);
        }
    }
}

fn hints(errors: &mut Errors, hints: Hints) {
    if let (Some(read_only), Some(destructive)) = (hints.read_only, hints.destructive)
        && read_only.said
        && destructive.said
    {
        let message =
            format!("what is `{READ_ONLY}` changes nothing, so it cannot be `{DESTRUCTIVE}`; remove one of them");
        errors.at(destructive.span, message);
    }
}

fn fields(errors: &mut Errors, fields: &[Field], direction: Direction) {
    for (at, field) in fields.iter().enumerate() {
        let before = fields.get(..at).unwrap_or_default();
        let attribute = if matches!(field.role, Role::Config(_)) { CONFIG } else { PORT };
        names::field(errors, field, before, attribute);
        types::check(errors, &field.ty, Context { direction, attribute, as_string: field.as_string.is_some() });
        if let Role::Config(config) = &field.role {
            config::check(errors, field, config);
        }
        if let Role::Port(port) = &field.role
            && let Some(wire) = &port.wire
        {
            names::wire(errors, wire);
        }
        form::check(errors, field, before, direction);
        if let Role::Port(port) = &field.role
            && let Some(word) = port.full_size
        {
            full_size(errors, field, word, direction);
        }
        if let Some(display) = &field.display {
            self::display(errors, field, display);
        }
    }
}

/// How large a picture is sent is a question only where one is.
fn full_size(errors: &mut Errors, field: &Field, word: Span, direction: Direction) {
    if direction == Direction::Input {
        let message = format!(
            "`{FULL_SIZE}` is about pictures that a node returns; move it to the field of a struct with `#[derive(Outputs)]`"
        );
        errors.at(word, message);
    } else if types::primitive(types::option(&field.ty).unwrap_or(&field.ty)).is_some() {
        let text = written(&field.ty);
        errors.at(word, format!("`{FULL_SIZE}` is about pictures, and this output is `{text}`; remove it"));
    }
}

/// A picture and a table are shown of what could be one.
fn display(errors: &mut Errors, field: &Field, display: &Display) {
    let (word, shows) = match display.widget {
        DisplayWidget::ImageViewer => (IMAGE_VIEWER, "a picture"),
        DisplayWidget::MetricTable => (METRIC_TABLE, "names and numbers"),
        // Anything can be written in a line.
        DisplayWidget::LogList => return,
    };
    if types::primitive(types::option(&field.ty).unwrap_or(&field.ty)).is_some() {
        let text = written(&field.ty);
        errors.at(display.word, format!("`{word}` shows {shows}, and this output is `{text}`; write `{LOG_LIST}`"));
    }
}
