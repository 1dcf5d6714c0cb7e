//! Names that go over the wire.

use syn::LitStr;

use crate::errors::Errors;
use crate::model::{Field, Name, Role};
use crate::symbol::{self, ID, NAME, NDARRAY, OLDER_WIRE_TYPES, PREFIX, RENAME, ROUTES, Symbol, WIRE_TYPES};

/// Full tool names may be this long, as in the runtime.
const MAX: usize = 64;

/// A name of a node, or of what else becomes a word of clients.
pub(crate) fn tool(errors: &mut Errors, name: &Name, what: &str) {
    if name.text.is_empty() {
        errors.at(name.span, format!("the name of {what} cannot be empty; write `{NAME} = \"…\"`"));
    } else {
        letters(errors, name, what, NAME);
    }
}

/// A name of a live application, which stands in a URI too.
pub(crate) fn live(errors: &mut Errors, name: &Name, what: &str) {
    let Name { text, span } = name;
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.' | '~' | '-');
    if text.is_empty() {
        errors.at(*span, format!("the name of {what} cannot be empty; write `{RENAME} = \"…\"`"));
    } else if let Some(wrong) = text.chars().find(|letter| !fits(*letter)) {
        let fixed: Vec<&str> = text.split(|letter| !fits(letter)).filter(|part| !part.is_empty()).collect();
        let fixed = if fixed.is_empty() { "…".to_owned() } else { fixed.join("_") };
        let message = format!(
            "`{}` cannot stand in the name of {what}: clients take `A-Z`, `a-z`, `0-9`, `_`, `.`, `~` and `-`; write \
             `{RENAME} = \"{fixed}\"`",
            wrong.escape_debug()
        );
        errors.at(*span, message);
    } else if text.len() > MAX {
        let message = format!(
            "the name of {what} has {} characters, and clients take {MAX}; write a shorter `{RENAME} = \"…\"`",
            text.len()
        );
        errors.at(*span, message);
    }
}

/// The name of a nodeset: a tool name, the first part of a URL, and all before the first `__` of a full name.
pub(crate) fn nodeset(errors: &mut Errors, name: &Name) {
    if ROUTES.iter().any(|route| name.text == route.0) {
        let message = format!(
            "a nodeset cannot be called `{0}`, since `/{0}` is a page of the server; write `{NAME} = \"…\"`",
            name.text
        );
        errors.at(name.span, message);
        return;
    }
    tool(errors, name, "a nodeset");
    separator(errors, name, NAME);
}

/// The id of a container, which stands in paths.
pub(crate) fn container(errors: &mut Errors, id: &Name) {
    if id.text.is_empty() {
        errors.at(id.span, format!("the id of a container cannot be empty; write `{ID} = \"…\"`"));
    } else {
        letters(errors, id, "a container", ID);
    }
}

/// What stands in place of the nodeset's name; may be empty.
pub(crate) fn prefix(errors: &mut Errors, prefix: &Name) {
    letters(errors, prefix, "a prefix", PREFIX);
    separator(errors, prefix, PREFIX);
}

/// An exclusive nodeset has tools of the runtime's own behind its prefix, whose names are bounded like all others.
pub(crate) fn lease_tools(errors: &mut Errors, prefix: &Name) {
    const LONGEST: usize = MAX - "__acquire".len();
    let length = prefix.text.len();
    if (LONGEST + 1..=MAX).contains(&length) {
        let message = format!(
            "the tool `{}__acquire` of an exclusive nodeset has {} characters, and clients take {MAX}; write \
             `{PREFIX} = \"…\"` with at most {LONGEST}",
            prefix.text,
            length + "__acquire".len()
        );
        errors.at(prefix.span, message);
    }
}

/// The name of a field among those before it; `attribute` is the one that renames it.
pub(crate) fn field(errors: &mut Errors, field: &Field, before: &[Field], attribute: Symbol) {
    let Name { text, span } = &field.name;
    if text.is_empty() {
        errors.at(*span, format!("the name of a field cannot be empty; remove `{NAME}`, or write one"));
    }
    if *text == NDARRAY.0 {
        errors.at(*span, format!("`{NDARRAY}` marks an array in JSON, so no field can have this name; rename it"));
    }
    if let Some(hidden) = text.chars().find(|letter| is_hidden(*letter)) {
        let hidden = hidden.escape_unicode();
        errors.at(*span, format!("`{hidden}` cannot be seen in the name of a field; remove it"));
    }
    let is_same = |other: &&Field| other.name.text == *text && !field.cfgs.may_differ(&other.cfgs);
    let Some(other) = before.iter().find(is_same) else { return };
    let (first, second) = (&other.ident, &field.ident);
    let message = match (&other.role, &field.role) {
        (Role::Port(_), Role::Config(_)) | (Role::Config(_), Role::Port(_)) => format!(
            "a port and a config field are both named `{text}`, and a call could not tell them apart; rename `{first}` or `{second}`"
        ),
        _ => format!(
            "`{first}` and `{second}` are both named `{text}`; rename one with `#[{attribute}({NAME} = \"…\")]`"
        ),
    };
    errors.at(*span, message);
}

/// A wire type, or a list of one.
pub(crate) fn wire(errors: &mut Errors, wire: &LitStr) {
    let text = wire.value();
    let element = text.strip_prefix("LIST[").and_then(|rest| rest.strip_suffix(']'));
    let base = element.unwrap_or(&text);
    if WIRE_TYPES.iter().chain(OLDER_WIRE_TYPES).any(|known| base == known.0) {
        return;
    }
    let way_out = if base.starts_with("LIST") {
        "a list holds no list; write `LIST[ANY]`".to_owned()
    } else if let Some(word) = symbol::nearest(&base.to_uppercase(), WIRE_TYPES) {
        if element.is_some() { format!("write `LIST[{word}]`") } else { format!("write `{word}`") }
    } else {
        format!("expected {}; `LIST[…]` of one is a list", symbol::list(WIRE_TYPES))
    };
    errors.error(wire, format!("unknown wire type `{text}`; {way_out}"));
}

fn letters(errors: &mut Errors, name: &Name, what: &str, word: Symbol) {
    let Name { text, span } = name;
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if let Some(wrong) = text.chars().find(|letter| !fits(*letter)) {
        let wrong = wrong.escape_debug();
        let fixed: Vec<&str> = text.split(|letter| !fits(letter)).filter(|part| !part.is_empty()).collect();
        let fixed = if fixed.is_empty() { "…".to_owned() } else { fixed.join("_") };
        let message = format!(
            "`{wrong}` cannot stand in the name of {what}: clients take `a-z`, `A-Z`, `0-9`, `_` and `-`; write `{word} = \"{fixed}\"`"
        );
        errors.at(*span, message);
    } else if text.len() > MAX {
        let message = format!(
            "the name of {what} has {} characters, and clients take {MAX}; write a shorter `{word} = \"…\"`",
            text.len()
        );
        errors.at(*span, message);
    }
}

/// Clients split a full name, `{nodeset}__{node}`, at its first `__`.
fn separator(errors: &mut Errors, name: &Name, word: Symbol) {
    if name.text.contains("__") || name.text.ends_with('_') {
        let parts: Vec<&str> = name.text.split('_').filter(|part| !part.is_empty()).collect();
        let message = format!(
            "`{}` would hide where the name of a node begins, since clients split `nodeset__node` at the first `__`; \
             write `{word} = \"{}\"`",
            name.text,
            parts.join("_")
        );
        errors.at(name.span, message);
    }
}

/// Whether the letter cannot be seen, so that two names may look the same: controls, and what Unicode ignores by default.
fn is_hidden(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}'
        )
}
