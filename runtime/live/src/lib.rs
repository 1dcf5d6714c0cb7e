//! Inspecting a running application.
//!
//! An application holds state that changes by messages. This crate lets a client of MCP, a developer's agent above all, read
//! the state, send the messages that the application allows, wait for a change, and ask why a value is what it is, while the
//! application runs. A client runs no code of its own in it.
//!
//! ```
//! use nodecast_live::prelude::*;
//!
//! /// What a client may ask of the counter.
//! #[derive(Message)]
//! enum Count {
//!     /// Counts on.
//!     Add { step: i64 },
//!     /// Begins anew.
//!     Reset,
//! }
//!
//! #[derive(Expose)]
//! struct View {
//!     count: Memo<i64>,
//!     is_even: Memo<bool>,
//! }
//!
//! fn setup(g: &Graph) -> Result<App<Count, View>, Error> {
//!     let counter = Mvu::new(g, 0, |message, count: &i64| match message {
//!         Count::Add { step } => count.checked_add(step).ok_or("that is too much"),
//!         Count::Reset => Ok(0),
//!     });
//!     select!(counter, let count = |count| *count);
//!     memo!(g, let is_even = move || count.get() % 2 == 0);
//!     Ok(App::new(counter, View { count, is_even }))
//! }
//!
//! # #[tokio::main]
//! # async fn main() -> Result<(), Error> {
//! let host = GraphHost::start(setup)?;
//! let snapshot = host.live().send(Count::Add { step: 3 }).await.unwrap();
//! assert_eq!(snapshot.get("is_even"), Some("false"));
//! # Ok(())
//! # }
//! ```
//!
//! # Layers
//!
//! | module | is | knows nothing of |
//! |---|---|---|
//! | `serve`, `surface` | tools, resources, what is served | how a node computes |
//! | `live`, `sequence`, `lines` | the way of messages and snapshots between threads, and their words | tools |
//! | `host`, `publish` | the thread of a graph, and what it publishes | messages on a wire |
//! | `app`, `expose`, `message` | what an application declares | threads |
//! | `graph` | signals, memos, effects | everything above |
//!
//! # Features
//!
//! | feature | adds |
//! |---|---|
//! | `serve` (default) | the tools and resources, and the servers under them |
//! | `trace` | a log of what the graph does, and the tools that explain values by it |

#![forbid(unsafe_code)]
#![cfg_attr(not(feature = "serve"), allow(dead_code, reason = "the words of the tools, which are not there"))]

mod app;
mod encode;
mod expose;
mod graph;
mod hook;
mod host;
mod hosted;
mod lines;
mod live;
mod message;
mod print;
mod publish;
mod sequence;
#[cfg(feature = "serve")]
mod serve;
mod snapshot;
#[cfg(feature = "serve")]
mod surface;
#[cfg(feature = "trace")]
mod trace;

pub use app::App;
pub use expose::{Builder, Expose, ExposeDecl, Exposed, Exposes, Exposure};
pub use graph::{Effect, FLUSH_LIMIT, Graph, Kind, Memo, Mvu, Refused, Signal, batch, effect, memo, memo_by, signal};
pub use host::{GraphHost, HostOptions, InvokeError};
pub use live::Live;
pub use message::{Message, Messages, NoMessages, Rejected};
pub use nodecast::Error;
/// Lets clients see a struct of handles: the name of a field is the name of its value.
///
/// | on a field | is |
/// |---|---|
/// | (nothing) | a value: a [`Signal`] or [`Memo`] of a type with `serde::Serialize` |
/// | `#[expose(node)]` | a name for the traced tools alone |
/// | `#[expose(rename = "…")]` | the name, where it differs from the field's |
/// | `#[expose(skip)]` | nothing: the application's own |
///
/// `#[expose(crate = "path")]` on the struct is this crate under another name.
///
/// See the [crate's example](crate).
pub use nodecast_macros::Expose;
/// Lets clients name the variants of an enum as messages.
///
/// A message is called as its variant in `snake_case`; its fields are arguments as those of a
/// [`node`](macro@nodecast::node) are, and doc comments are descriptions.
///
/// | on | arguments |
/// |---|---|
/// | `#[message(…)]` on a variant | `rename = "…"`; `skip`: no client can name it |
/// | `#[port(…)]`, `#[config(…)]` on a field | as in a node |
/// | `#[message(crate = "path")]` on the enum | this crate under another name |
///
/// See the [crate's example](crate).
pub use nodecast_macros::Message;
#[cfg(feature = "serve")]
pub use serve::{Serve, serve};
pub use snapshot::{Publication, Snapshot};

/// What a file that sets an application up needs.
pub mod prelude {
    pub use crate::{
        App, Effect, Error, Expose, Exposure, Graph, GraphHost, Live, Memo, Message, Mvu, NoMessages, Signal, Snapshot,
        batch, effect, memo, memo_by, select, signal,
    };
}

/// Makes a memo and names it: `memo!(g, let total = move || price.get() * 2)`.
///
/// With a comparer: `memo!(g, let shown = move || exact.get(), by "whole_percent" = |a, b| …)`.
#[macro_export]
macro_rules! memo {
    ($graph:expr, let $name:ident = $compute:expr, by $comparer:literal = $same:expr $(,)?) => {
        let $name = $crate::memo_by($graph, $comparer, $same, $compute).named(::core::stringify!($name));
    };
    ($graph:expr, let $name:ident = $compute:expr $(,)?) => {
        let $name = $crate::memo($graph, $compute).named(::core::stringify!($name));
    };
}

/// Makes a memo over a model and names it: `select!(cart, let subtotal = |cart| cart.subtotal())`.
///
/// With a comparer as [`memo!`] has it.
#[macro_export]
macro_rules! select {
    ($model:expr, let $name:ident = $select:expr, by $comparer:literal = $same:expr $(,)?) => {
        let $name = $model.select_by($comparer, $same, $select).named(::core::stringify!($name));
    };
    ($model:expr, let $name:ident = $select:expr $(,)?) => {
        let $name = $model.select($select).named(::core::stringify!($name));
    };
}

/// Makes a signal and names it: `signal!(g, let price = 3)`.
#[macro_export]
macro_rules! signal {
    ($graph:expr, let $name:ident = $value:expr $(,)?) => {
        let $name = $crate::signal($graph, $value).named(::core::stringify!($name));
    };
}

/// Makes an effect and names it: `effect!(g, let log = move || …)`.
#[macro_export]
macro_rules! effect {
    ($graph:expr, let $name:ident = $work:expr $(,)?) => {
        let $name = $crate::effect($graph, $work).named(::core::stringify!($name));
    };
}

/// What generated code stands on; no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use nodecast::__private::*;
    pub use nodecast::catalog::{DOCUMENTS, LinkedDocument};

    pub use crate::expose::{Expose, ExposeDecl, Exposes, list, node, value};
    pub use crate::message::{Message, no_message};
    pub use crate::print::{exposures, messages};

    /// The names of a view, in order.
    pub type List = Vec<crate::Exposed>;
}

/// The examples of the book compile.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/live.md")]
pub struct Book;
