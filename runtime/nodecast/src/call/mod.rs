//! The one call path: route → check → run → check, whichever face called.
//!
//! Every face ends in [`invoke`]; they differ in how arguments arrive and how a reply is dressed. This module knows
//! no face.

mod args;
mod batch;
mod cancel;
mod changes;
mod complete;
mod container;
mod content;
mod context;
mod error;
mod exported;
mod finding;
mod fire_list;
mod forms;
mod instance;
mod invoke;
mod lifecycle;
mod nearest;
mod node;
mod observe;
mod offers;
mod panel;
mod panic;
mod prompt;
mod question;
mod resource;
mod secret;
mod signature;
mod spelled;
mod table;
mod trace;
mod types;
mod validator;
mod whole;
mod work;

pub use args::{Arg, Args, Invalid, Origin, Reply, unsaid};
#[cfg(feature = "serve")]
pub(crate) use cancel::Cancel;
pub use changes::{Change, Changes, Listener};
pub use complete::{Ask, Complete, Completer, Completes, Partial, completer};
pub use container::{
    Accumulator, Broker, Container, ContainerRef, ContainerRow, ContainerSpec, Containers, Counter, Execution,
    LastWrite, Normal, Operation, Slot, StateOf, StatePlace, StateRow, StateSpec, StateType, States, Stored,
    container_row, state,
};
pub use content::Content;
pub use context::{CallEvents, Caller, Context, LogLevel};
pub(crate) use error::MAX_FINDINGS;
pub use error::{Error, Finding, NODE_FAILED, NOT_FOUND, NodeError, Sentence, Stage, declared_error};
#[cfg(feature = "otel")]
pub(crate) use exported::{ERROR_TYPE, OUTCOME};
pub use fire_list::{Aggregator, FIRE_LIST, Fire, FireList, OwnFunctions};
pub use forms::{FieldCheck, FieldChecks};
pub use instance::{End, Instance, Runner};
pub(crate) use invoke::{NODE, PROMPT, RESOURCE};
pub use invoke::{Target, aside, complete, invoke};
pub use lifecycle::{Hooks, Lifecycle, Probe, Startable, ViaDefault, ViaLifecycle, ViaNothing};
pub use nearest::{nearest, nearest_named};
pub(crate) use nearest::{shown, shown_up_to};
pub use node::{Arguments, BatchNode, BlockingNode, Node, NodeMut, Running};
pub use observe::{CallEnd, CallObserver, Outcome};
pub use offers::{Answer, Offer, PromptRow, ResourceRow, check_prompt, check_resource, prompt_row, resource_row};
pub use panel::{
    ActOnPanel, Done, Panel, PanelAnswer, PanelAsk, PanelCheck, PanelMut, PanelRow, Paneled, ReadPanel, SetPanel,
    check_panel, check_panel_tools, document as panel_document, panel_row,
};
pub use prompt::{Messages, Prompt, PromptArguments};
pub use question::{Ability, Asker, Question, Request};
pub use resource::{Answering, Contents, Resource, Variables};
pub use secret::Secret;
pub use signature::{Dropped, InputCheck, OutputCheck, RawArguments, ReplyCheck, Signature};
pub use table::{
    BoxFuture, Call, Callable, MAX_TOOL_NAME, Nodeset, Prepare, Row, RunBatch, Table, check_container, check_node,
    kind, row,
};
pub use trace::TraceParent;
pub use types::{Input, InputType, One, Output, OutputType, Outputs, input, input_type, output, output_type};
pub use validator::Validator;
#[cfg(feature = "serve")]
pub(crate) use work::{is_heavy, off_the_workers};

pub use crate::wire::escape;

use crate::wire::{self, Value};

/// Decodes the settings of a nodeset; what is wrong with them names its place.
///
/// Nothing and an empty map are both "none set": a struct is made of its defaults then, and `()` is itself.
fn settings<T: serde::de::DeserializeOwned>(settings: Value) -> Result<T, Error> {
    let none_set = settings.is_null() || settings.as_map().is_some_and(wire::Map::is_empty);
    let decoded = if none_set {
        wire::from_value(Value::Map(wire::Map::new())).or_else(|error| wire::from_value(Value::Null).map_err(|_| error))
    } else {
        wire::from_value(settings)
    };
    decoded.map_err(|error| Error::refused(vec![error.into()]))
}
