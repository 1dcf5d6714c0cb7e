//! The nodeset over a live application: tools and resources, declared as everybody's are, and fitted at run time with the
//! names of the application.

mod arguments;
mod catalog;
mod runner;
mod state;
mod tools;
#[cfg(feature = "trace")]
mod traced;

use std::sync::Arc;

use nodecast::nodeset;
use tokio::sync::Semaphore;

pub(crate) use runner::made;

use crate::live::Shared;
use crate::serve::Options;
use state::{State, StateValue};
use tools::{Dispatch, TakeSnapshot, WaitVersion};

/// So many calls may wait for a version at once.
const MOST_WAITING: usize = 1_000;

/// A running application: its state is read, messages are sent to it, and a version is waited for.
#[nodeset(
    name = "live",
    prefix = "",
    exclusive = false,
    sessions = "kept",
    linked = false,
    ttl_ms = 0,
    cache_scope = "private",
    nodes(
        TakeSnapshot,
        Dispatch,
        WaitVersion,
        #[cfg(feature = "trace")]
        traced::Explain,
        #[cfg(feature = "trace")]
        traced::ShowGraph,
        #[cfg(feature = "trace")]
        traced::ShowNode,
        #[cfg(feature = "trace")]
        traced::TraceState,
        #[cfg(feature = "trace")]
        traced::TraceLookup,
        #[cfg(feature = "trace")]
        traced::Why,
        #[cfg(feature = "trace")]
        traced::WhyNot,
        #[cfg(feature = "trace")]
        traced::WaitingOn
    ),
    resources(State, StateValue)
)]
pub(crate) struct Surface {
    pub(crate) live: Arc<Shared>,
    waiting: Semaphore,
    #[cfg(feature = "trace")]
    answers: crate::trace::Answers,
}

impl Surface {
    #[cfg_attr(not(feature = "trace"), allow(unused_variables, reason = "the options are about traced tools"))]
    pub(crate) fn new(live: Arc<Shared>, options: &Options) -> Self {
        Self {
            live,
            waiting: Semaphore::new(MOST_WAITING),
            #[cfg(feature = "trace")]
            answers: crate::trace::Answers::new(options.source_root.clone()),
        }
    }
}

/// The address of the whole state; that of a value is behind a `/`.
pub(crate) const STATE: &str = "live://state";
