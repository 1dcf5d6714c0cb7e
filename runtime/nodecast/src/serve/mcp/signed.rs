//! Results of the newer era say which server they come from: it has no session that would (`reference.md` 4, 8). rmcp says it
//! where a server is discovered and where a subscription ends; this says it of all others.

use rmcp::model::{
    CallToolResponse, CallToolResult, CompleteResult, CreateTaskResult, GetPromptResponse, GetPromptResult,
    GetTaskResult, Implementation, InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, MetaObject, ReadResourceResponse, ReadResourceResult,
};
use serde_json::{Value as Json, json};

/// The member of `_meta` that names the server.
const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// Who answers, as every result names it: without the icons, which discovery shows.
pub(super) struct Signature(Json);

impl Signature {
    /// That of this server.
    pub(super) fn of(server: &Implementation) -> Self {
        let mut signature = json!({ "name": server.name, "version": server.version });
        if let (Some(title), Some(members)) = (&server.title, signature.as_object_mut()) {
            members.insert("title".to_owned(), title.as_str().into());
        }
        Self(signature)
    }

    /// The result with the name of the server.
    pub(super) fn on<R: HasMeta>(&self, mut result: R) -> R {
        if let Some(meta) = result.meta() {
            meta.get_or_insert_default().insert(SERVER.to_owned(), self.0.clone());
        }
        result
    }

    /// The whole `_meta` of a result that says nothing else there.
    pub(super) fn meta(&self) -> Json {
        json!({ SERVER: self.0 })
    }
}

/// A result that has a place for what is said of it; none, where rmcp knows a kind that is none of ours.
pub(super) trait HasMeta {
    fn meta(&mut self) -> Option<&mut Option<MetaObject>>;
}

macro_rules! has_meta {
    ($($Result:ident)*) => {
        $(impl HasMeta for $Result {
            fn meta(&mut self) -> Option<&mut Option<MetaObject>> {
                Some(&mut self.meta)
            }
        })*
    };
}
has_meta! {
    CallToolResult CompleteResult CreateTaskResult GetPromptResult GetTaskResult InputRequiredResult ListPromptsResult
    ListResourceTemplatesResult ListResourcesResult ListToolsResult ReadResourceResult
}

macro_rules! one_has_meta {
    ($($Response:ident: $($Kind:ident)*;)*) => {
        $(impl HasMeta for $Response {
            fn meta(&mut self) -> Option<&mut Option<MetaObject>> {
                match self {
                    $(Self::$Kind(result) => result.meta(),)*
                    _ => None,
                }
            }
        })*
    };
}
one_has_meta! {
    CallToolResponse: Complete InputRequired Task;
    GetPromptResponse: Complete InputRequired;
    ReadResourceResponse: Complete InputRequired;
}
