//! Doc comments as they reach a client.

use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Lit, Meta};

use crate::model::{Doc, DocLine};
use crate::symbol::DOC;

/// The doc comment of an item.
///
/// One leading space goes, as rustdoc has it, and blank lines at the end; all else stays verbatim.
pub(crate) fn doc(attributes: &[Attribute]) -> Doc {
    let mut lines: Vec<DocLine> = attributes.iter().filter_map(line).collect();
    while lines.last().is_some_and(|last| matches!(last, DocLine::Text(text) if text.trim().is_empty())) {
        lines.pop();
    }
    if let Some(DocLine::Text(last)) = lines.last_mut() {
        last.truncate(last.trim_end().len());
    }
    Doc { lines }
}

fn line(attribute: &Attribute) -> Option<DocLine> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    if !pair.path.is_ident(DOC.0) {
        return None;
    }
    Some(match &pair.value {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => DocLine::Text(unindented(&text.value())),
        other => DocLine::Expr(other.to_token_stream()),
    })
}

/// A line comment loses its space; a block comment also the column of stars that decorates it.
fn unindented(text: &str) -> String {
    let starred = |line: &str| line.trim_start().strip_prefix('*').map(|rest| space_off(rest).to_owned());
    match text.split_once('\n') {
        None => space_off(text).to_owned(),
        Some((first, rest)) => {
            let body: Option<Vec<String>> = rest.trim_end().lines().map(starred).collect();
            let body = body.unwrap_or_else(|| rest.lines().map(|line| space_off(line).to_owned()).collect());
            let lines: Vec<String> = std::iter::once(space_off(first).to_owned()).chain(body).collect();
            lines.join("\n").trim_start_matches('\n').to_owned()
        }
    }
}

fn space_off(line: &str) -> &str {
    line.strip_prefix(' ').unwrap_or(line)
}
