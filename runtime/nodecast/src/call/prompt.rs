//! The trait that a prompt implements, and the messages that it gives.

use super::{Answering, Args, Content, Context, Invalid, NodeError, Reply};
use crate::Error;
use crate::decl::PromptDecl;
use crate::wire::{Map, Value};

/// The arguments of a prompt, made by `#[prompt]`: the struct's declaration and its constructor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no prompt",
    label = "not declared as a prompt",
    note = "add `#[nodecast::prompt]` to the struct"
)]
pub trait PromptArguments: Sized + Send + 'static {
    /// What the struct says.
    const DECL: PromptDecl;

    /// Builds the struct from checked arguments.
    fn decode(args: &mut Args) -> Result<Self, Invalid>;
}

/// Messages that a person picks to begin with, such as a command of a chat. Its fields are the arguments.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// A kitchen.
/// #[nodeset(prompts(PlanDinner))]
/// #[derive(Default)]
/// struct Kitchen;
///
/// /// Plans a dinner.
/// #[prompt(title = "Plan a dinner")]
/// struct PlanDinner {
///     /// How many come.
///     guests: u32,
///     /// What nobody may eat.
///     without: Option<String>,
/// }
///
/// impl Prompt<Kitchen> for PlanDinner {
///     type Error = Error;
///
///     async fn get(self, _: &Kitchen, _: &Context) -> Result<Messages, Error> {
///         let without = self.without.map(|what| format!(" without {what}")).unwrap_or_default();
///         Ok(Messages::new().user(format!("Plan a dinner for {}{without}.", self.guests)))
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is listed in the nodeset `{S}` but is no prompt of it",
    label = "no prompt of `{S}`",
    note = "write `impl Prompt<{S}> for {Self}`, or take `{Self}` out of `prompts(…)`"
)]
pub trait Prompt<S>: PromptArguments {
    /// How it fails.
    type Error: NodeError;

    /// Makes the messages; `self` holds the arguments.
    fn get(self, set: &S, cx: &Context) -> impl Answering<Output = Result<Messages, Self::Error>> + Send;
}

/// The messages of a prompt, in order.
///
/// What is said may be text, or [`Content`] with pictures, recordings and documents: each block is a message of its own.
///
/// ```
/// use nodecast::{Content, Messages};
///
/// let messages = Messages::new()
///     .user(Content::new().text("What is wrong with this?").text_resource("book://soup", "text/markdown", "# Soup"))
///     .assistant("There is no salt in it.")
///     .user("How much?");
/// # let _ = messages;
/// ```
#[derive(Clone, Debug, Default)]
pub struct Messages {
    description: Option<String>,
    said: Vec<(Role, Content)>,
}

/// Who says a message.
#[derive(Clone, Copy, Debug)]
enum Role {
    User,
    Assistant,
}

impl Role {
    /// The word on the wire.
    const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }
}

impl Messages {
    /// No messages yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the person says.
    #[must_use]
    pub fn user(self, content: impl Into<Content>) -> Self {
        self.say(Role::User, content.into())
    }

    /// Adds what the model says.
    #[must_use]
    pub fn assistant(self, content: impl Into<Content>) -> Self {
        self.say(Role::Assistant, content.into())
    }

    /// Describes these messages, in place of the prompt's doc comment.
    #[must_use]
    pub fn description(mut self, description: impl Into<String>) -> Self {
        self.description = Some(description.into());
        self
    }

    fn say(mut self, role: Role, content: Content) -> Self {
        self.said.push((role, content));
        self
    }

    /// The value that a face makes its answer of, in the members of MCP.
    fn into_value(self) -> Result<Value, Error> {
        let mut messages = Vec::new();
        for (role, content) in self.said {
            for block in content.into_blocks()? {
                let message: Map = [("role", Value::from(role.as_str())), ("content", block)].into_iter().collect();
                messages.push(Value::Map(message));
            }
        }
        let mut prompt = Map::new();
        if let Some(description) = self.description {
            prompt.push("description", description);
        }
        prompt.push("messages", messages);
        Ok(prompt.into())
    }
}

/// The messages, as a reply.
pub(super) fn messages<E: NodeError>(result: Result<Messages, E>) -> Result<Reply, Error> {
    let messages = result.map_err(NodeError::into_error)?;
    Ok(Reply::from_values(vec![messages.into_value()?]))
}
