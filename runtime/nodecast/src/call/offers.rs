//! What a nodeset offers beside its nodes: one row a resource and a prompt, and the checks that need several rows.

use super::complete::{Completer, Completes};
use super::prompt::{Prompt, PromptArguments, messages};
use super::resource::{Resource, Variables, contents};
use super::{Args, BoxFuture, Context, MAX_TOOL_NAME, NodeError, Reply, Table};
use crate::Error;
use crate::decl::{ErrorKindDecl, PromptDecl, ResourceDecl, Text, nearly_equal, same_text, same_uri};

/// One of them, by its place in the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Offer {
    /// A resource.
    Resource(usize),
    /// A prompt.
    Prompt(usize),
}

/// The erased call, under a read lock.
pub type Answer<S> = for<'a> fn(&'a S, Args, &'a Context) -> BoxFuture<'a, Result<Reply, Error>>;

/// One resource of a table.
#[derive(Debug)]
pub struct ResourceRow<S: 'static> {
    /// What `#[resource]` says.
    pub decl: ResourceDecl,
    /// The declared kinds of error.
    pub errors: &'static [ErrorKindDecl],
    /// How it is read.
    pub read: Answer<S>,
    /// How its variables are completed.
    pub complete: &'static [Completer<S>],
}

/// One prompt of a table.
#[derive(Debug)]
pub struct PromptRow<S: 'static> {
    /// What `#[prompt]` says.
    pub decl: PromptDecl,
    /// The declared kinds of error.
    pub errors: &'static [ErrorKindDecl],
    /// How its messages are made.
    pub get: Answer<S>,
    /// How its arguments are completed.
    pub complete: &'static [Completer<S>],
}

/// The row of the resource `R` in the table of `S`.
pub const fn resource_row<S: Sync + 'static, R: Resource<S> + Completes<S>>() -> ResourceRow<S> {
    ResourceRow { decl: R::DECL, errors: <R::Error as NodeError>::KINDS, read: read::<S, R>, complete: R::BY }
}

/// The row of the prompt `P` in the table of `S`.
pub const fn prompt_row<S: Sync + 'static, P: Prompt<S> + Completes<S>>() -> PromptRow<S> {
    PromptRow { decl: P::DECL, errors: <P::Error as NodeError>::KINDS, get: get::<S, P>, complete: P::BY }
}

fn read<'a, S: Sync, R: Resource<S>>(
    set: &'a S,
    mut args: Args,
    cx: &'a Context,
) -> BoxFuture<'a, Result<Reply, Error>> {
    Box::pin(async move { contents(<R as Variables>::decode(&mut args)?.read(set, cx).await) })
}

fn get<'a, S: Sync, P: Prompt<S>>(set: &'a S, mut args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
    Box::pin(async move { messages(<P as PromptArguments>::decode(&mut args)?.get(set, cx).await) })
}

/// Checks the resource at `index` against those before it.
///
/// # Panics
///
/// For every mistake; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
#[allow(clippy::panic, clippy::indexing_slicing, reason = "iterators are not const yet, and a panic is the message")]
pub const fn check_resource<S>(table: &Table<S>, index: usize) {
    let own = &table.resources[index].decl;
    let mut before = 0;
    while before < index {
        let other = &table.resources[before].decl;
        if same_uri(other.uri, own.uri) {
            let text = Text::new().add("two resources have the URI `").add(own.uri).add("`; give one another, at ");
            panic!("{}", text.place(other.source).add(" or ").place(own.source).as_str());
        }
        if same_text(other.name, own.name) {
            let text = Text::new().add("two resources are named `").add(own.name).add("`; rename one with ");
            let text = text.add("`#[resource(name = \"…\")]`, at ").place(other.source).add(" or ").place(own.source);
            panic!("{}", text.as_str());
        }
        before += 1;
    }
}

/// Checks the prompt at `index` against those before it and the nodeset.
///
/// # Panics
///
/// For every mistake; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
// As in `check_resource`.
#[allow(clippy::panic, clippy::indexing_slicing)]
pub const fn check_prompt<S>(table: &Table<S>, index: usize) {
    let own = &table.prompts[index].decl;
    let mut before = 0;
    while before < index {
        let other = &table.prompts[before].decl;
        if same_text(other.name, own.name) {
            let text = Text::new().add("two prompts are named `").add(own.name).add("`; rename one with ");
            let text = text.add("`#[prompt(name = \"…\")]`, at ").place(other.source).add(" or ").place(own.source);
            panic!("{}", text.as_str());
        }
        if nearly_equal(other.name, own.name) {
            let text = Text::new().add("the prompts `").add(other.name).add("` and `").add(own.name);
            panic!("{}", text.add("` are one name to clients that rewrite `-` and `.` to `_`; rename one").as_str());
        }
        before += 1;
    }
    let prefix = table.decl.name_prefix();
    let length = if prefix.is_empty() { own.name.len() } else { prefix.len() + 2 + own.name.len() };
    if length > MAX_TOOL_NAME {
        let text = Text::new().add("the prompt name `").add(prefix).add("__").add(own.name);
        panic!("{}", text.add("` is longer than 64 characters; shorten one of its parts").as_str());
    }
}
