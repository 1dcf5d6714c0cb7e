//! What the syntax of a type says; aliases and the like are beyond it and are judged by the compiler and at start.

use syn::{GenericArgument, PathArguments, PathSegment, Type};

/// The `T` of a type that is written `Option<T>`, under any path.
pub(crate) fn option(ty: &Type) -> Option<&Type> {
    let last = last_segment(ty)?;
    (last.ident == "Option").then(|| arguments(last).next()).flatten()
}

/// The last segment of a path type.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match ty {
        Type::Path(path) if path.qself.is_none() => path.path.segments.last(),
        Type::Group(group) => last_segment(&group.elem),
        Type::Paren(paren) => last_segment(&paren.elem),
        _ => None,
    }
}

/// The type arguments of a segment.
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
