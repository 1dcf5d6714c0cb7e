//! The tools that explain values, by the log of the graph.

use std::convert::Infallible;

use nodecast::prelude::*;

use super::{Surface, arguments, tools};
use crate::graph::Graph;
use crate::message::Rejected;
use crate::sequence::{Ran, Then};
use crate::trace::{Answers, Detail, Page, Raw};

impl Surface {
    /// Asks the log on the graph's thread.
    async fn ask(
        &self,
        ask: impl FnOnce(&Answers, &Graph) -> Result<String, Rejected> + Send + 'static,
    ) -> Result<Content, Infallible> {
        let answers = self.answers.clone();
        let answered = self.live.on_thread(Box::new(move |here| ask(&answers, &here.graph))).await;
        Ok(answered.map_or_else(tools::refused, |text| Content::new().text(text)))
    }

    /// One page of the log itself.
    async fn raw(&self, raw: Raw, cursor: Option<u64>) -> Result<Content, Infallible> {
        self.ask(move |answers, graph| answers.raw(graph, &raw, cursor)).await
    }
}

/// Says why a node holds its value.
///
/// With `messages`, as in `dispatch`, these are sent first, and the steps are told before the explanation.
#[node(title = "Explain")]
pub(super) struct Explain {
    /// An exposed name, a node's name, `#id`, or a path.
    node: String,
    /// The messages to send before, in order.
    messages: Option<Value>,
}

impl Node<Surface> for Explain {
    type Output = Content;
    type Error = Infallible;

    async fn run(self, surface: &Surface, cx: &Context) -> Result<Content, Infallible> {
        let Self { node, messages } = self;
        let Some(messages) = messages else {
            return surface.ask(move |answers, graph| answers.explain(graph, &node)).await;
        };
        let asked = async {
            let asked = arguments::messages(None, None, Some(messages))?;
            let answers = surface.answers.clone();
            let then: Then = Box::new(move |here| answers.explain(&here.graph, &node));
            surface.live.run(asked, cx.cancellation().clone(), Some(then))?.await
        };
        Ok(match asked.await {
            Ok(ran) => explained(&ran),
            Err(rejected) => tools::refused(rejected),
        })
    }
}

/// The steps, and why the node holds its value.
fn explained(ran: &Ran) -> Content {
    if let Err(rejected) = ran.text() {
        return tools::refused(rejected);
    }
    let steps = ran.step_lines();
    match &ran.then {
        Some(Ok(explanation)) => Content::new().text(format!("{steps}\n{explanation}")),
        Some(Err(Rejected { stage, text })) => {
            tools::refused(Rejected { stage: *stage, text: format!("{text}\nthe messages stay applied:\n{steps}") })
        }
        None => Content::new().text(steps),
    }
}

/// Shows the graph in short: how many nodes of each kind, which are exposed, and what the last message moved.
#[node(name = "graph", read_only, title = "Graph")]
pub(super) struct ShowGraph;

impl Node<Surface> for ShowGraph {
    type Output = Content;
    type Error = Infallible;

    async fn run(self, surface: &Surface, _: &Context) -> Result<Content, Infallible> {
        surface.ask(|answers, graph| Ok(answers.graph(graph))).await
    }
}

/// Shows a node, its sources and its observers, a line each.
#[node(name = "node", read_only, title = "Node")]
pub(super) struct ShowNode {
    /// An exposed name, a node's name, `#id`, or a path.
    node: String,
    /// So many hops around it.
    #[config(number(min = 0, max = 2), default = 1)]
    around: u64,
    /// How much is said of each: `full` adds its path, its runs, the flush of the last one, and its owner.
    #[config(select("brief", "full"), default = "brief")]
    detail: String,
    /// So many nodes a page, which ends sooner where it is full.
    #[config(number(min = 1), default = 25)]
    limit: usize,
    /// Where the last page ended.
    cursor: Option<String>,
}

impl Node<Surface> for ShowNode {
    type Output = Content;
    type Error = Infallible;

    async fn run(self, surface: &Surface, _: &Context) -> Result<Content, Infallible> {
        let Self { node, around, detail, limit, cursor } = self;
        let detail = if detail == "full" { Detail::Full } else { Detail::Brief };
        let page = Page { node, around, detail, limit, cursor };
        surface.ask(move |answers, graph| answers.page(graph, &page)).await
    }
}

/// Lists the nodes as they stand, as JSON.
#[node(read_only)]
pub(super) struct TraceState {
    /// Where the last page ended.
    cursor: Option<u64>,
}

/// Lists the events of a node, or all, as JSON.
#[node(read_only)]
pub(super) struct TraceLookup {
    /// An exposed name, a node's name, `#id`, or a path.
    node: Option<String>,
    /// Where the last page ended.
    cursor: Option<u64>,
}

/// Lists the events that the last run of a node came of, the latest first, as JSON.
#[node(read_only)]
pub(super) struct Why {
    /// An exposed name, a node's name, `#id`, or a path.
    node: String,
    /// Where the last page ended.
    cursor: Option<u64>,
}

/// Lists the events since the last run of a node that did not run it, as JSON.
#[node(read_only)]
pub(super) struct WhyNot {
    /// An exposed name, a node's name, `#id`, or a path.
    node: String,
    /// Where the last page ended.
    cursor: Option<u64>,
}

/// Lists what a node waits for that is not up to date, as JSON.
#[node(read_only)]
pub(super) struct WaitingOn {
    /// An exposed name, a node's name, `#id`, or a path.
    node: String,
    /// Where the last page ended.
    cursor: Option<u64>,
}

macro_rules! raw {
    ($($name:ident => |$this:ident| $raw:expr;)*) => {$(
        impl Node<Surface> for $name {
            type Output = Content;
            type Error = Infallible;

            async fn run(self, surface: &Surface, _: &Context) -> Result<Content, Infallible> {
                let cursor = self.cursor;
                let $this = self;
                surface.raw($raw, cursor).await
            }
        }
    )*};
}
raw! {
    TraceState => |_this| Raw::State;
    TraceLookup => |this| Raw::Lookup(this.node);
    Why => |this| Raw::Why(this.node);
    WhyNot => |this| Raw::WhyNot(this.node);
    WaitingOn => |this| Raw::WaitingOn(this.node);
}
