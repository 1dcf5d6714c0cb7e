//! What the syntax of a type says; aliases and the like are beyond it and are judged by the compiler and at start.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

use crate::errors::Errors;
use crate::symbol::{AS_STRING, Symbol};
use crate::written::written;

/// Which way values of the type go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// Into a node.
    Input,
    /// Out of it.
    Output,
}

/// A type of the language that a literal can be held against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitive {
    /// `bool`.
    Bool,
    /// An integer and its range.
    Int(i128, i128),
    /// `f32` or `f64`, by its largest value.
    Float(Width),
    /// `String` or `char`.
    Text,
}

/// The width of a float.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Width {
    /// `f32`.
    Single,
    /// `f64`.
    Double,
}

/// What the field around a type says of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    /// Which way its values go.
    pub(crate) direction: Direction,
    /// The attribute that takes `as_string`.
    pub(crate) attribute: Symbol,
    /// Whether integers go as text in JSON.
    pub(crate) as_string: bool,
}

/// Reports what no table can hold and what JSON and msgpack could not carry alike, at any depth.
pub(crate) fn check(errors: &mut Errors, ty: &Type, context: Context) {
    let owned = match context.direction {
        Direction::Input => "`Deserialize` and `JsonSchema`",
        Direction::Output => "`Serialize` and `JsonSchema`",
    };
    let ty = bare(ty);
    match ty {
        Type::Array(array) if is_u8(&array.elem) => bytes(errors, ty),
        Type::Slice(slice) if is_u8(&slice.elem) => bytes(errors, ty),
        Type::Array(array) => check(errors, &array.elem, context),
        Type::Slice(slice) => check(errors, &slice.elem, context),
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|elem| check(errors, elem, context)),
        Type::Reference(reference) => {
            let way_out = match &*reference.elem {
                Type::Slice(slice) => format!("Vec<{}>", written(&slice.elem)),
                elem if last_segment(elem).is_some_and(|last| last.ident == "str") => "String".to_owned(),
                elem => written(elem),
            };
            errors.error(ty, format!("a field owns its value, since it comes over the wire; write `{way_out}`"));
        }
        Type::Path(path) => {
            for segment in &path.path.segments {
                borrowed(errors, segment);
            }
            if let Some(last) = last_segment(ty) {
                named(errors, ty, last, context);
            }
        }
        Type::FnPtr(_) | Type::ImplTrait(_) | Type::Infer(_) | Type::Never(_) | Type::Ptr(_) | Type::TraitObject(_) => {
            errors.error(ty, format!("`{}` cannot go over the wire; write a type with {owned}", written(ty)));
        }
        // A macro's type is beyond us, and so is what syn does not know.
        _ => {}
    }
}

fn named(errors: &mut Errors, ty: &Type, last: &PathSegment, context: Context) {
    let name = last.ident.to_string();
    match name.as_str() {
        "i128" | "u128" => {
            if !context.as_string {
                let (smaller, attribute) = (name.replace("128", "64"), context.attribute);
                let message = format!(
                    "a number in JSON does not hold 128 bits; write `#[{attribute}({AS_STRING})]` for its digits as text, or `{smaller}`"
                );
                errors.error(ty, message);
            }
            return;
        }
        "Vec" | "VecDeque" if arguments(last).next().is_some_and(is_u8) => {
            bytes(errors, ty);
            return;
        }
        "Option" => {
            if let Some(inner) = arguments(last).next()
                && let Some(innermost) = option(inner)
            {
                let message = format!(
                    "an `Option` in an `Option` has two ways to be nothing, and JSON has one null; write `Option<{}>`",
                    written(innermost)
                );
                errors.error(inner, message);
                return;
            }
        }
        "BTreeMap" | "HashMap" | "IndexMap" => {
            let mut types = arguments(last);
            if let (Some(key), Some(value)) = (types.next(), types.next())
                && !may_be_key(key)
            {
                let (key_text, value_text) = (written(key), written(value));
                let message = format!(
                    "the keys of a JSON object are text, and `{key_text}` is none; write `Vec<({key_text}, {value_text})>`, or `String` keys"
                );
                errors.error(key, message);
                check(errors, value, context);
                return;
            }
        }
        _ => {}
    }
    for argument in arguments(last) {
        check(errors, argument, context);
    }
}

fn bytes(errors: &mut Errors, ty: &Type) {
    let message = format!("`{}` goes over the wire as a list of numbers; write `Bytes`", written(ty));
    errors.error(ty, message);
}

/// A lifetime in the arguments of a type: `Cow<'a, str>`.
fn borrowed(errors: &mut Errors, segment: &PathSegment) {
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return };
    for argument in &list.args {
        if let GenericArgument::Lifetime(lifetime) = argument
            && lifetime.ident != "static"
        {
            errors.error(lifetime, "a field owns its value, since it comes over the wire; write the owned type");
        }
    }
}

fn may_be_key(key: &Type) -> bool {
    match bare(key) {
        Type::Path(_) => last_segment(key).is_none_or(|last| {
            let name = last.ident.to_string();
            !matches!(
                name.as_str(),
                "f32"
                    | "f64"
                    | "Vec"
                    | "VecDeque"
                    | "Option"
                    | "BTreeMap"
                    | "HashMap"
                    | "IndexMap"
                    | "BTreeSet"
                    | "HashSet"
            )
        }),
        Type::Array(_) | Type::Slice(_) | Type::Tuple(_) => false,
        _ => true,
    }
}

/// The type inside parentheses and inside the invisible groups of `macro_rules!`.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        other => other,
    }
}

fn is_u8(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|last| last.ident == "u8")
}

/// The `T` of a type that is written `Option<T>`, under any path.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    let last = last_segment(ty)?;
    (last.ident == "Option").then(|| arguments(last).next()).flatten()
}

/// What the type is, if it is one of the language's own.
pub(crate) fn primitive(ty: &Type) -> Option<Primitive> {
    let last = last_segment(ty)?;
    if !last.arguments.is_none() {
        return None;
    }
    Some(match last.ident.to_string().as_str() {
        "bool" => Primitive::Bool,
        "i8" => Primitive::Int(i8::MIN.into(), i8::MAX.into()),
        "i16" => Primitive::Int(i16::MIN.into(), i16::MAX.into()),
        "i32" => Primitive::Int(i32::MIN.into(), i32::MAX.into()),
        "i64" | "isize" => Primitive::Int(i64::MIN.into(), i64::MAX.into()),
        "u8" => Primitive::Int(0, u8::MAX.into()),
        "u16" => Primitive::Int(0, u16::MAX.into()),
        "u32" => Primitive::Int(0, u32::MAX.into()),
        "u64" | "usize" => Primitive::Int(0, u64::MAX.into()),
        "f32" => Primitive::Float(Width::Single),
        "f64" => Primitive::Float(Width::Double),
        "String" | "char" => Primitive::Text,
        _ => return None,
    })
}

pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        _ => None,
    }
}

pub(crate) fn arguments(segment: &PathSegment) -> impl Iterator<Item = &Type> {
    let list = match &segment.arguments {
        PathArguments::AngleBracketed(list) => Some(list),
        PathArguments::None | PathArguments::Parenthesized(_) => None,
    };
    list.into_iter().flat_map(|list| &list.args).filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}
