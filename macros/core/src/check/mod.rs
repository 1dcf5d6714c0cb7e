//! What one item shows to be wrong (`DESIGN.md` 4). Reads the model and reports; changes nothing.

mod config;
mod names;
pub(crate) mod types;

use quote::ToTokens;

use crate::errors::Errors;
use crate::model::{Field, Hints, Node, NodeError, Nodeset, Outputs, Role};
use crate::symbol::{DESTRUCTIVE, NODES, READ_ONLY};
use types::Direction;

pub(crate) fn node(errors: &mut Errors, node: &Node) {
    names::tool(errors, &node.name, "a node");
    hints(errors, node.hints);
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
    let mut seen: Vec<String> = Vec::with_capacity(nodeset.nodes.len());
    for path in &nodeset.nodes {
        let text = path.to_token_stream().to_string();
        if seen.contains(&text) {
            errors.error(path, format!("`{}` is listed twice in `{NODES}(…)`; remove one", text.replace(' ', "")));
        }
        seen.push(text);
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
        names::field(errors, field, fields.get(..at).unwrap_or_default());
        types::check(errors, &field.ty, direction);
        match &field.role {
            Role::Port(Some(wire)) => names::wire(errors, wire),
            Role::Config(config) => config::check(errors, &field.ty, config),
            Role::Port(None) | Role::Unclear => {}
        }
    }
}
