//! Resources, prompts and completion as rmcp asks for them; failures are JSON-RPC errors with their stage in `data`.

use std::future::Future;
use std::sync::Arc;

use rmcp::model::{
    CompleteRequestParams, CompleteResult, CompletionInfo, ErrorCode, ErrorData, GetPromptRequestParams,
    GetPromptResult, JsonObject, PromptMessage, ReadResourceResult, Reference as Asked, ResourceContents,
};
use serde_json::{Value as Json, json};

use super::published::Published;
use crate::Error;
use crate::call::{Finding, NOT_FOUND, Partial, RawArguments, Reply, Stage, nearest_named, shown, unsaid};
use crate::catalog::{Prompt, Reference, Resource};
use crate::serve::error::{Failure, members};
use crate::serve::server::{Hosted, Incoming};

/// Where the contract is for clients that reach nothing but MCP, such as those over stdio (`contract.md` 2). No list
/// shows it, since no model has a use for it.
pub(super) const CONTRACT: &str = "nodecast://contract";

/// The contract of the face's nodeset to the byte; of several, an object nodeset → contract.
pub(super) fn contract(published: &Published) -> Result<ReadResourceResult, ErrorData> {
    let mut texts = Vec::with_capacity(published.nodesets.len());
    for hosted in &published.nodesets {
        let document = hosted.contract().map_err(|error| refused(&error, Some(CONTRACT)))?;
        texts.push((hosted.name(), String::from_utf8_lossy(&document.bytes)));
    }
    let text = match texts.as_slice() {
        [(_, text)] => text.to_string(),
        several => {
            let members = several.iter().map(|(name, text)| format!("{}:{}", json!(name), text.trim_end()));
            format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
        }
    };
    let contents = ResourceContents::text(text, CONTRACT).with_mime_type("application/json");
    let cache = published.lists.cache;
    Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(cache.ttl_ms).with_cache_scope(cache.scope))
}

/// `resources/read`.
pub(super) async fn read(
    published: &Published,
    uri: &str,
    call: Incoming<impl Future<Output = ()>>,
) -> Result<ReadResourceResult, ErrorData> {
    let Some((hosted, name)) = published.lists.reader(uri) else {
        return Err(no_resource(uri));
    };
    let of_nodeset = hosted.catalog.cache;
    let asked = uri.to_owned();
    let dress = move |resource: &Resource, reply: Reply| Ok((contents(&asked, resource, reply)?, resource.cache));
    let read = published.server.read(hosted, (name, uri), call, dress).await;
    let (contents, own) = read.map_err(|error| refused(&error, Some(uri)))?;
    let cache = published.lists.cache_of(own, of_nodeset);
    Ok(ReadResourceResult::new(contents).with_ttl_ms(cache.ttl_ms).with_cache_scope(cache.scope))
}

/// Nothing is there to be read or watched.
pub(super) fn no_resource(uri: &str) -> ErrorData {
    ErrorData::resource_not_found(format!("there is no resource {}", shown(uri)), Some(json!({ "uri": uri })))
}

fn contents(uri: &str, resource: &Resource, reply: Reply) -> Result<Vec<ResourceContents>, Error> {
    let mut parts = json(reply)?;
    // The first part is what was asked for; further ones say where they are, and what they are.
    if let Some(first) = parts.get_mut(0).and_then(Json::as_object_mut) {
        first.insert("uri".to_owned(), uri.into());
        if let (Some(mime), false) = (&resource.mime, first.contains_key("mimeType")) {
            first.insert("mimeType".to_owned(), mime.as_ref().into());
        }
    }
    serde_json::from_value(parts).map_err(foreign)
}

/// `prompts/get`.
pub(super) async fn prompt(
    published: &Published,
    request: GetPromptRequestParams,
    call: Incoming<impl Future<Output = ()>>,
) -> Result<GetPromptResult, ErrorData> {
    let Some(hosted) = published.nodesets.iter().find(|hosted| hosted.catalog.prompt(&request.name).is_some()) else {
        let nearest = nearest_named(&request.name, published.lists.prompts.iter().map(|one| one.name.as_str()));
        let hint = nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default();
        let data = nearest.map(|nearest| json!({ "nearest": nearest }));
        return Err(ErrorData::invalid_params(format!("Unknown prompt: {}{hint}", shown(&request.name)), data));
    };
    let arguments = spelled(request.arguments.unwrap_or_default()).map(RawArguments::Spelled);
    let made = published.server.prompt(hosted, &request.name, arguments, call, messages).await;
    made.map_err(|error| refused(&error, None))
}

fn messages(prompt: &Prompt, reply: Reply) -> Result<GetPromptResult, Error> {
    let mut made = json(reply)?;
    let messages = made.get_mut("messages").map(Json::take).unwrap_or_default();
    let messages: Vec<PromptMessage> = serde_json::from_value(messages).map_err(foreign)?;
    let result = GetPromptResult::new(messages);
    let own = made.get("description").and_then(Json::as_str);
    Ok(match own.unwrap_or(&prompt.doc) {
        "" => result,
        description => result.with_description(description),
    })
}

/// The arguments of a prompt, which are text.
fn spelled(arguments: JsonObject) -> Result<Vec<(String, String)>, Error> {
    let (mut texts, mut findings) = (Vec::with_capacity(arguments.len()), Vec::new());
    for (name, value) in arguments {
        match value {
            Json::String(text) => texts.push((name, text)),
            // Editors and models send null for "unset".
            Json::Null => {}
            other => findings.push(Finding {
                kind: "wrong_type",
                pointer: format!("/{}", crate::call::escape(&name)),
                detail: format!(
                    "the arguments of a prompt are text, and `{name}` is not; send {:?}",
                    other.to_string()
                ),
                expected: Some("text".to_owned()),
                ..Finding::default()
            }),
        }
    }
    if findings.is_empty() { Ok(texts) } else { Err(Error::refused(findings)) }
}

/// `completion/complete`.
pub(super) async fn complete(
    published: &Published,
    request: CompleteRequestParams,
    call: Incoming<impl Future<Output = ()>>,
) -> Result<CompleteResult, ErrorData> {
    let reference = match &request.r#ref {
        Asked::Resource(template) => Reference::Resource(&template.uri),
        Asked::Prompt(prompt) => Reference::Prompt(&prompt.name),
        _ => return Err(ErrorData::invalid_params("what is completed is a prompt or a resource template", None)),
    };
    let argument = request.argument;
    let knows = |hosted: &&Arc<Hosted>| hosted.catalog.completed(reference, &argument.name).is_some();
    let Some(hosted) = published.nodesets.iter().find(knows) else {
        let (what, of) = match reference {
            Reference::Resource(uri) => ("resource template", uri),
            Reference::Prompt(name) => ("prompt", name),
        };
        let message = format!("there is no {what} {} with an argument {}", shown(of), shown(&argument.name));
        return Err(ErrorData::invalid_params(message, None));
    };
    let chosen = request.context.and_then(|context| context.arguments).unwrap_or_default();
    let mut chosen: Vec<(String, String)> = chosen.into_iter().collect();
    chosen.sort_unstable();
    let partial = Partial::new(argument.name, argument.value, chosen);
    let values = published.server.complete(hosted, reference, &partial, call).await;
    let mut values = values.map_err(|error| refused(&error, None))?;
    let total = values.len();
    values.truncate(CompletionInfo::MAX_VALUES);
    let more = total > values.len();
    let info = CompletionInfo::with_pagination(values, u32::try_from(total).ok(), more);
    // So many are never too many.
    Ok(CompleteResult::new(info.unwrap_or_default()))
}

fn json(reply: Reply) -> Result<Json, Error> {
    reply.into_values().pop().unwrap_or_default().to_json().map_err(unsaid)
}

/// What a type of ours made is what the protocol says, so this is out of reach.
fn foreign(error: serde_json::Error) -> Error {
    Error::at(Stage::AdapterExecution, "bad_output", "the answer is none of MCP's").because(error)
}

/// A failed call as a JSON-RPC error: where it arose, and what could help, stands in `data` as in a tool error.
pub(super) fn refused(error: &Error, uri: Option<&str>) -> ErrorData {
    let mut data = members("error", error);
    // The message says it.
    data.remove("error");
    if let Some(uri) = uri {
        data.insert("uri".to_owned(), uri.into());
    }
    let code = match (error.stage(), uri) {
        (Stage::SchemaValidation, Some(_)) if error.kind() == NOT_FOUND => ErrorCode::RESOURCE_NOT_FOUND,
        (Stage::SchemaValidation | Stage::Mapping, _) => ErrorCode::INVALID_PARAMS,
        (Stage::AdapterExecution | Stage::InternalRuntime, _) => ErrorCode::INTERNAL_ERROR,
        // Outside the range that JSON-RPC and the protocol keep, HTTP's own number says the most.
        (Stage::ExternalService | Stage::Busy | Stage::Cancelled | Stage::Timeout, _) => {
            ErrorCode(Failure::from(error.clone()).status().as_u16().into())
        }
    };
    ErrorData::new(code, error.message().to_owned(), Some(Json::Object(data)))
}
