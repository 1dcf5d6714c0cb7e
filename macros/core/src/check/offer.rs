//! Resources and prompts: a URI and its variables agree, and what people type is text.

use syn::LitStr;

use super::types::{self, Context, Direction};
use super::{names, words};
use crate::errors::Errors;
use crate::model::{Field, Prompt, Resource};
use crate::symbol::{ARGUMENT, CFG, URI};
use crate::written::written;

/// The scheme of documents that the server makes itself.
const OWN_SCHEME: &str = "nodecast";

pub(crate) fn resource(errors: &mut Errors, resource: &Resource) {
    names::tool(errors, &resource.name, "a resource");
    words::icons(errors, &resource.icons);
    words::meta(errors, &resource.meta);
    if let Some(mime) = &resource.mime {
        words::mime(errors, mime);
    }
    fields(errors, &resource.fields);
    for field in &resource.fields {
        if let Some(cfg) = field.cfgs.0.first() {
            errors.error(cfg, format!("a URI is the same in every build, and so are its variables; remove `#[{CFG}]`"));
        }
        if let Some(inner) = types::option(&field.ty) {
            let inner = written(inner);
            errors.error(&field.ty, format!("a variable of a URI is always there; write `{inner}`"));
        }
    }
    let before = errors.count();
    let variables = template(errors, &resource.uri);
    if errors.count() > before {
        return;
    }
    for variable in &variables {
        if !resource.fields.iter().any(|field| field.name.text == *variable) {
            let message = format!("`{{{variable}}}` in the URI has no field; add one, such as `{variable}: String`");
            errors.error(&resource.uri, message);
        }
    }
    for field in &resource.fields {
        let name = &field.name.text;
        if !variables.contains(name) {
            let message = format!(
                "no variable of the URI is named `{name}`, so that nobody could set it; write `{{{name}}}` in `{URI}`, or remove the field"
            );
            errors.at(field.name.span, message);
        }
    }
}

pub(crate) fn prompt(errors: &mut Errors, prompt: &Prompt) {
    names::tool(errors, &prompt.name, "a prompt");
    words::icons(errors, &prompt.icons);
    words::meta(errors, &prompt.meta);
    fields(errors, &prompt.fields);
}

fn fields(errors: &mut Errors, fields: &[Field]) {
    for (at, field) in fields.iter().enumerate() {
        names::field(errors, field, fields.get(..at).unwrap_or_default(), ARGUMENT);
        // Decimal text holds an integer of any width.
        types::check(errors, &field.ty, Context { direction: Direction::Input, attribute: ARGUMENT, as_string: true });
    }
}

/// The variables of a URI, which is a template of level 1.
fn template(errors: &mut Errors, uri: &LitStr) -> Vec<String> {
    let text = uri.value();
    let scheme = text.split_once(':').map(|(scheme, _)| scheme).filter(|scheme| is_scheme(scheme));
    if scheme.is_none() {
        let rest = text.trim_start_matches('/');
        errors.error(
            uri,
            format!("a URI begins with a scheme; write one of your own, such as `{URI} = \"kitchen://{rest}\"`"),
        );
        return Vec::new();
    }
    if scheme == Some(OWN_SCHEME) {
        errors.error(uri, format!("`{OWN_SCHEME}:` is for documents of the server itself; write a scheme of your own"));
        return Vec::new();
    }
    if let Some(wrong) = text.chars().find(|letter| letter.is_control() || " <>\"\\^`|".contains(*letter)) {
        let encoded: Vec<String> = wrong.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
        let encoded = encoded.concat();
        errors.error(uri, format!("`{}` cannot stand in a URI; write `{encoded}`", wrong.escape_debug()));
        return Vec::new();
    }
    let mut variables: Vec<String> = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        let inside = from.strip_prefix('{').and_then(|from| from.split_once('}'));
        let Some((name, behind)) = inside else {
            errors.error(uri, "a variable of a URI stands in braces; write `{name}`, or `%7B` and `%7D` for the signs");
            return Vec::new();
        };
        if let Some(wrong) = name.chars().find(|letter| !letter.is_alphanumeric() && *letter != '_') {
            let message = format!(
                "`{wrong}` in `{{{name}}}` asks for more than a template of level 1 has; write one `{{name}}` for each variable"
            );
            errors.error(uri, message);
            return Vec::new();
        }
        if name.is_empty() {
            errors.error(uri, "a variable of a URI has a name; write `{name}`");
        } else if variables.iter().any(|known| known == name) {
            errors.error(uri, format!("`{{{name}}}` stands in the URI twice, and a field has one value; rename one"));
        } else if before.is_empty() && !variables.is_empty() {
            let message = format!(
                "nobody could tell where the variable before `{{{name}}}` ends; write text between them, such as `/`"
            );
            errors.error(uri, message);
        }
        variables.push(name.to_owned());
        rest = behind;
    }
    variables
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
}
