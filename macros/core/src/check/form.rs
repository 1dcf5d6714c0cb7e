//! What `as_string`, `nan` and `header` ask of a type: the numbers that they speak of, a value that a header can carry.

use syn::{LitStr, Type};

use super::types::{Direction, Primitive, arguments, bare, last_segment, option, primitive};
use crate::errors::Errors;
use crate::model::{Field, Role};
use crate::symbol::{AS_STRING, HEADER, NAN, NULL};
use crate::written::written;

/// Wrappers whose arguments say which numbers they hold; another type's name says nothing.
const CONTAINERS: &[&str] =
    &["Option", "Vec", "VecDeque", "BTreeSet", "HashSet", "BTreeMap", "HashMap", "IndexMap", "Box", "Arc", "Rc", "Cow"];

/// A kind of number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Integer,
    Float,
}

/// Reports a form that the field's type has no use for.
pub(crate) fn check(errors: &mut Errors, field: &Field, before: &[Field], direction: Direction) {
    // What is wrong with a label, which has no value, its widget says.
    if field.is_label() {
        return;
    }
    let ty = &field.ty;
    if let Some(word) = field.as_string
        && !may_hold(ty, Kind::Integer)
    {
        let message = format!("`{AS_STRING}` sends integers as text, and `{}` has none; remove it", written(ty));
        errors.at(word, message);
    }
    if let Role::Port(port) = &field.role
        && let Some(word) = port.nan
    {
        if !may_hold(ty, Kind::Float) {
            let message = format!("`{NAN}` is for numbers with a point, and `{}` has none; remove it", written(ty));
            errors.at(word, message);
        } else if let Some(optional) = first_option(ty) {
            let inner = option(optional).map_or_else(|| "f64".to_owned(), written);
            let message = format!(
                "with `{NAN} = \"{NULL}\"` null is NaN, and in an `Option` it is nothing; write `{inner}`, or remove `{NAN}`"
            );
            errors.error(optional, message);
        }
    }
    if let Some(name) = &field.header {
        if direction == Direction::Output {
            errors.error(name, format!("a header mirrors an argument, and this is an output; remove `{HEADER}`"));
            return;
        }
        header(errors, name, ty);
        if before.iter().any(|other| is_same_header(other, name)) {
            let message =
                format!("two fields have the header `{}`, whose case does not count; rename one", name.value());
            errors.error(name, message);
        }
    }
}

/// A header has a token of RFC 9110 for a name, and one plain value.
fn header(errors: &mut Errors, name: &LitStr, ty: &Type) {
    let text = name.value();
    let token = |letter: char| letter.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(letter);
    if text.is_empty() {
        errors.error(name, format!("the name of a header cannot be empty; write `{HEADER} = \"Region\"`"));
    } else if let Some(wrong) = text.chars().find(|letter| !token(*letter)) {
        let fixed: String = text.chars().map(|letter| if token(letter) { letter } else { '-' }).collect();
        let message = format!(
            "`{}` cannot stand in the name of a header; write letters, digits and `-`, such as `{HEADER} = \"{fixed}\"`",
            wrong.escape_debug()
        );
        errors.error(name, message);
    }
    let plain = option(ty).unwrap_or(ty);
    if !may_be_header(plain) {
        let message = format!(
            "a header carries a string, an integer or a bool, and `{}` is none; remove `{HEADER}`",
            written(plain)
        );
        errors.error(name, message);
    }
}

fn is_same_header(other: &Field, name: &LitStr) -> bool {
    other.header.as_ref().is_some_and(|header| header.value().eq_ignore_ascii_case(&name.value()))
}

fn may_be_header(ty: &Type) -> bool {
    match bare(ty) {
        Type::Array(_) | Type::Slice(_) | Type::Tuple(_) => false,
        _ => match primitive(ty) {
            Some(primitive) => !matches!(primitive, Primitive::Float(_)),
            None => last_segment(ty).is_none_or(|last| !CONTAINERS.contains(&last.ident.to_string().as_str())),
        },
    }
}

fn may_hold(ty: &Type, kind: Kind) -> bool {
    match bare(ty) {
        Type::Array(array) => may_hold(&array.elem, kind),
        Type::Slice(slice) => may_hold(&slice.elem, kind),
        Type::Tuple(tuple) => tuple.elems.iter().any(|elem| may_hold(elem, kind)),
        _ => match (primitive(ty), last_segment(ty)) {
            (Some(Primitive::Int(..)), _) => kind == Kind::Integer,
            (Some(Primitive::Float(_)), _) => kind == Kind::Float,
            (Some(Primitive::Bool | Primitive::Text), _) => false,
            (None, Some(last)) if matches!(last.ident.to_string().as_str(), "i128" | "u128") => kind == Kind::Integer,
            (None, Some(last)) if CONTAINERS.contains(&last.ident.to_string().as_str()) => {
                arguments(last).any(|argument| may_hold(argument, kind))
            }
            (None, _) => true,
        },
    }
}

/// The outermost `Option` in a type.
fn first_option(ty: &Type) -> Option<&Type> {
    match bare(ty) {
        Type::Array(array) => first_option(&array.elem),
        Type::Slice(slice) => first_option(&slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(first_option),
        _ if option(ty).is_some() => Some(ty),
        _ => last_segment(ty).into_iter().flat_map(arguments).find_map(first_option),
    }
}
