//! Resources, templates and prompts: as clients list them, and as the contract document has them.

use serde_json::{Map, Value as Json, json};

use super::{cache_facts, deprecation, icon, kinds};
use crate::catalog::{Argument, Catalog, Completion, Icon, Meta, Prompt, Resource, Text};
use crate::decl::Deprecation;
use crate::schema;

/// The elements of `resources/list`, in listed order.
pub fn resources(catalog: &Catalog) -> Vec<Json> {
    catalog.resources.iter().filter(|resource| !resource.is_template()).map(|one| resource(one, "uri")).collect()
}

/// The elements of `resources/templates/list`, in listed order.
pub fn templates(catalog: &Catalog) -> Vec<Json> {
    catalog.resources.iter().filter(|resource| resource.is_template()).map(|one| resource(one, "uriTemplate")).collect()
}

/// The elements of `prompts/list`, in listed order.
pub fn prompts(catalog: &Catalog) -> Vec<Json> {
    catalog.prompts.iter().map(prompt).collect()
}

fn resource(resource: &Resource, uri: &str) -> Json {
    let mut listed = Map::new();
    listed.insert(uri.to_owned(), resource.uri.as_ref().into());
    name(&mut listed, &resource.full_name, resource.title.as_ref(), &resource.doc, resource.deprecated);
    if let Some(mime) = &resource.mime {
        listed.insert("mimeType".to_owned(), mime.as_ref().into());
    }
    rest(&mut listed, &resource.icons, &resource.meta);
    Json::Object(listed)
}

fn prompt(prompt: &Prompt) -> Json {
    let mut listed = Map::new();
    name(&mut listed, &prompt.full_name, prompt.title.as_ref(), &prompt.doc, prompt.deprecated);
    if !prompt.arguments.is_empty() {
        let arguments = prompt.arguments.iter().map(|argument| {
            let mut listed = Map::new();
            name(&mut listed, &argument.name, argument.title.as_ref(), &argument.doc, argument.deprecated);
            listed.insert("required".to_owned(), (!argument.optional).into());
            Json::Object(listed)
        });
        listed.insert("arguments".to_owned(), arguments.collect());
    }
    rest(&mut listed, &prompt.icons, &prompt.meta);
    Json::Object(listed)
}

fn name(listed: &mut Map<String, Json>, name: &str, title: Option<&Text>, doc: &str, deprecated: Option<Deprecation>) {
    listed.insert("name".to_owned(), name.into());
    if let Some(title) = title {
        listed.insert("title".to_owned(), title.as_ref().into());
    }
    let description = match deprecated {
        Some(deprecated) => schema::with_deprecation(doc, deprecated),
        None => doc.to_owned(),
    };
    if !description.is_empty() {
        listed.insert("description".to_owned(), description.into());
    }
}

fn rest(listed: &mut Map<String, Json>, icons: &[Icon], meta: &Meta) {
    if !icons.is_empty() {
        listed.insert("icons".to_owned(), icons.iter().map(icon).collect());
    }
    if !meta.is_empty() {
        listed.insert("_meta".to_owned(), Json::Object(meta.clone()));
    }
}

/// What of a resource stands in the contract.
pub(super) fn resource_facts(catalog: &Catalog, resource: &Resource) -> Json {
    // Destructured, so that a new fact must be placed here or said to be outside.
    let Resource {
        name,
        full_name,
        uri,
        title,
        doc,
        mime,
        cache,
        icons,
        meta,
        deprecated,
        arguments,
        errors,
        source: _,
    } = resource;
    json!({
        "name": name,
        "full_name": full_name,
        "uri": uri,
        "title": title,
        "doc": doc,
        "mime": mime,
        "cache": cache_facts(*cache, catalog.cache),
        "icons": icons.iter().map(icon).collect::<Vec<_>>(),
        "meta": meta,
        "deprecated": deprecated.map(deprecation),
        "arguments": arguments.iter().map(argument).collect::<Vec<_>>(),
        "errors": kinds(errors),
    })
}

/// What of a prompt stands in the contract.
pub(super) fn prompt_facts(prompt: &Prompt) -> Json {
    let Prompt { name, full_name, title, doc, icons, meta, deprecated, arguments, errors, source: _ } = prompt;
    json!({
        "name": name,
        "full_name": full_name,
        "title": title,
        "doc": doc,
        "icons": icons.iter().map(icon).collect::<Vec<_>>(),
        "meta": meta,
        "deprecated": deprecated.map(deprecation),
        "arguments": arguments.iter().map(argument).collect::<Vec<_>>(),
        "errors": kinds(errors),
    })
}

fn argument(argument: &Argument) -> Json {
    let Argument { name, title, doc, optional, deprecated, checked, checked_text: _, completion } = argument;
    let completion = match completion {
        Completion::None => Json::Null,
        Completion::Known(_) => "known".into(),
        Completion::Asked => "asked".into(),
    };
    json!({
        "name": name,
        "title": title,
        "doc": doc,
        "optional": optional,
        "deprecated": deprecated.map(deprecation),
        "schema": checked,
        "completion": completion,
    })
}
