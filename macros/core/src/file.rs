//! A whole file with our macros expanded, for people to read.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Attribute, File, Item, Meta, Path, Token};

use crate::symbol::{
    ARGUMENT, COMPLETE, CONFIG, CONTAINER, CONTAINER_DERIVE, DERIVE, DISPLAY, EXPOSE, EXPOSE_DERIVE, MESSAGE,
    MESSAGE_DERIVE, NODE, NODE_ERROR, NODE_ERROR_DERIVE, NODESET, OUTPUTS, OUTPUTS_DERIVE, PORT, PROMPT, RESOURCE,
    STATE, Symbol,
};

/// One of our attribute macros.
type Macro = fn(TokenStream, TokenStream) -> TokenStream;

const MACROS: [(Symbol, Macro); 4] =
    [(NODE, crate::node), (NODESET, crate::nodeset), (RESOURCE, crate::resource), (PROMPT, crate::prompt)];

/// One of our derives.
type Derive = fn(TokenStream) -> TokenStream;

const DERIVES: [(Symbol, Derive); 5] = [
    (OUTPUTS_DERIVE, crate::outputs),
    (NODE_ERROR_DERIVE, crate::node_error),
    (CONTAINER_DERIVE, crate::container),
    (MESSAGE_DERIVE, crate::messages),
    (EXPOSE_DERIVE, crate::view),
];

/// The text of a Rust file with our attributes and derives expanded in place, other macros untouched.
///
/// Fails when the text is no Rust file; a mistake in a declaration is a `compile_error!` in the result.
pub fn expand_file(source: &str) -> syn::Result<String> {
    let mut file = syn::parse_file(source)?;
    file.items = items(file.items)?;
    Ok(prettyplease::unparse(&file))
}

/// What is wrong with the declarations of a Rust file, each at its place; empty when it expands as it should.
///
/// Fails when the text is no Rust file.
pub fn mistakes(source: &str) -> syn::Result<Vec<syn::Error>> {
    let mut found = Vec::new();
    collect(&items(syn::parse_file(source)?.items)?, &mut found);
    Ok(found)
}

fn collect(list: &[Item], found: &mut Vec<syn::Error>) {
    for item in list {
        match item {
            Item::Mod(module) => collect(module.content.as_ref().map_or(&[], |(_, items)| items), found),
            Item::Macro(item) if item.mac.path.segments.last().is_some_and(|last| last.ident == "compile_error") => {
                let message = item.mac.parse_body::<syn::LitStr>();
                found.push(message.map_or_else(|error| error, |text| syn::Error::new(text.span(), text.value())));
            }
            _ => {}
        }
    }
}

fn items(list: Vec<Item>) -> syn::Result<Vec<Item>> {
    let mut expanded = Vec::with_capacity(list.len());
    for item in list {
        match item {
            Item::Mod(mut module) if !module.attrs.iter().any(is_ours) => {
                if let Some((brace, content)) = module.content.take() {
                    module.content = Some((brace, items(content)?));
                }
                expanded.push(Item::Mod(module));
            }
            other => expanded.extend(item_and_more(other)?),
        }
    }
    Ok(expanded)
}

fn item_and_more(mut item: Item) -> syn::Result<Vec<Item>> {
    let Some(attributes) = attributes(&mut item) else { return Ok(vec![item]) };
    let ours = attributes.iter().enumerate().find_map(|(at, attribute)| Some((at, of(attribute)?)));
    if let Some((at, expand)) = ours {
        let attribute = attributes.remove(at);
        let args = match &attribute.meta {
            Meta::List(list) => list.tokens.clone(),
            Meta::Path(_) | Meta::NameValue(_) => TokenStream::new(),
        };
        // What is left may hold another attribute of ours.
        return items(syn::parse2::<File>(expand(args, item.into_token_stream()))?.items);
    }
    let derived: Vec<_> = DERIVES.iter().filter(|(derive, _)| underive(attributes, *derive)).collect();
    let input = item.to_token_stream();
    let mut expanded = vec![item];
    for (_, expand) in &derived {
        expanded.extend(syn::parse2::<File>(expand(input.clone()))?.items);
    }
    if !derived.is_empty() {
        expanded.iter_mut().for_each(strip);
    }
    Ok(expanded)
}

/// Takes `derive` out of the item's derives; says whether it was there.
fn underive(attributes: &mut Vec<Attribute>, derive: Symbol) -> bool {
    let mut found = false;
    attributes.retain_mut(|attribute| {
        let Meta::List(list) = &mut attribute.meta else { return true };
        if !list.path.is_ident(DERIVE.0) {
            return true;
        }
        let Ok(paths) = list.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated) else { return true };
        let others: Punctuated<Path, Token![,]> = paths.iter().filter(|path| !is(path, derive)).cloned().collect();
        if others.len() < paths.len() {
            found = true;
            list.tokens = others.to_token_stream();
        }
        !others.is_empty()
    });
    found
}

/// Takes the helper attributes of our derives off.
fn strip(item: &mut Item) {
    let ours = |attribute: &Attribute| {
        [PORT, CONFIG, DISPLAY, ARGUMENT, COMPLETE, OUTPUTS, NODE_ERROR, CONTAINER, STATE, MESSAGE, EXPOSE]
            .iter()
            .any(|word| attribute.path().is_ident(word.0))
    };
    if let Some(attributes) = attributes(item) {
        attributes.retain(|attribute| !ours(attribute));
    }
    match item {
        Item::Struct(item) => item.fields.iter_mut().for_each(|field| field.attrs.retain(|at| !ours(at))),
        Item::Enum(item) => {
            for variant in &mut item.variants {
                variant.attrs.retain(|at| !ours(at));
                variant.fields.iter_mut().for_each(|field| field.attrs.retain(|at| !ours(at)));
            }
        }
        _ => {}
    }
}

fn attributes(item: &mut Item) -> Option<&mut Vec<Attribute>> {
    match item {
        Item::Struct(item) => Some(&mut item.attrs),
        Item::Enum(item) => Some(&mut item.attrs),
        Item::Union(item) => Some(&mut item.attrs),
        // On these our attributes are a mistake, which the expansion names.
        Item::Fn(item) => Some(&mut item.attrs),
        Item::Mod(item) => Some(&mut item.attrs),
        _ => None,
    }
}

/// Whether it is one of our attribute macros.
fn is_ours(attribute: &Attribute) -> bool {
    of(attribute).is_some()
}

/// The macro that it is.
fn of(attribute: &Attribute) -> Option<Macro> {
    MACROS.iter().find(|(word, _)| is(attribute.path(), *word)).map(|(_, expand)| *expand)
}

/// Whether the path is our macro of this name, written bare or through the crate.
fn is(path: &Path, word: Symbol) -> bool {
    match path.segments.last() {
        Some(last) => {
            last.ident == word
                && (path.segments.len() == 1
                    || path
                        .segments
                        .first()
                        .is_some_and(|first| first.ident == "nodecast" || first.ident == "nodecast_live"))
        }
        None => false,
    }
}
