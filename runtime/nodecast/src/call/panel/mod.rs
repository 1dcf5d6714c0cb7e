//! The environment panel of a nodeset: the traits that declare one, and its row in the table (`wire.md` 8).

mod check;
mod tools;

use std::future::Future;

use serde::Serialize;

use super::{BoxFuture, Containers, Context, Running, Table, check_node, kind, unsaid};
use crate::Error;
use crate::decl::{Choice, PanelDecl, PanelKind, Parallelism, SideEffect};
use crate::wire::{self, Map, Value};

pub use check::{PanelCheck, document};
pub use tools::{ActOnPanel, ReadPanel, SetPanel};

/// What people see of a nodeset beside a graph, and set and do there; the nodeset says `panel`.
///
/// Values are checked against their field before they arrive. [`PanelMut`] is for a nodeset that is changed through
/// `&mut self`.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
///
/// use nodecast::panel::{Done, Panel, PanelAction, PanelDecl, PanelField, SideEffect};
/// use nodecast::prelude::*;
///
/// /// A simulator.
/// #[nodeset(panel)]
/// #[derive(Default)]
/// struct Sim {
///     speed: AtomicU64,
/// }
///
/// impl Panel for Sim {
///     const PANEL: PanelDecl = PanelDecl::new(
///         "Simulator",
///         &[PanelField::slider("speed", "Speed", 0.0, 10.0, Some(1.0))],
///         &[PanelAction::new("reset", "Reset", SideEffect::Signal)],
///     );
///     type State = Metrics;
///
///     async fn state(&self, _: &Context) -> Result<Metrics, Error> {
///         Ok([("speed", self.speed.load(Ordering::Relaxed) as f64)].into_iter().collect())
///     }
///
///     async fn set(&self, _: &str, value: Value, _: &Context) -> Result<(), Error> {
///         self.speed.store(value.as_f64().unwrap_or_default() as u64, Ordering::Relaxed);
///         Ok(())
///     }
///
///     async fn act(&self, _: &str, _: Map, _: &Context) -> Result<Done, Error> {
///         self.speed.store(0, Ordering::Relaxed);
///         // Resets the states of containers that end with an episode, and tells the graph.
///         Ok(Done::signal("episode_reset", ()))
///     }
/// }
/// # use nodecast::panel::Map;
/// ```
pub trait Panel: Sized + Send + Sync + 'static {
    /// Its fields and actions.
    const PANEL: PanelDecl;
    /// What it shows: a struct or a map, by convention with the value of each field and `available`.
    type State: Serialize + Send;

    /// What it shows now.
    fn state(&self, cx: &Context) -> impl Running<Output = Result<Self::State, Error>> + Send;

    /// Sets a field.
    fn set(&self, field: &str, value: Value, cx: &Context) -> impl Running<Output = Result<(), Error>> + Send;

    /// Takes an action.
    fn act(&self, action: &str, params: Map, cx: &Context) -> impl Running<Output = Result<Done, Error>> + Send;

    /// The options of a select that lists none itself, each a value and a label.
    fn options(&self, field: &str, cx: &Context) -> impl Future<Output = Result<Vec<(String, String)>, Error>> + Send {
        let _ = (field, cx);
        async { Ok(Vec::new()) }
    }
}

/// A [`Panel`] that changes its nodeset; what it does runs alone, as a [`NodeMut`](crate::NodeMut) does.
pub trait PanelMut: Sized + Send + Sync + 'static {
    /// Its fields and actions.
    const PANEL: PanelDecl;
    /// What it shows: a struct or a map, by convention with the value of each field and `available`.
    type State: Serialize + Send;

    /// What it shows now.
    fn state(&self, cx: &Context) -> impl Running<Output = Result<Self::State, Error>> + Send;

    /// Sets a field.
    fn set(&mut self, field: &str, value: Value, cx: &Context) -> impl Running<Output = Result<(), Error>> + Send;

    /// Takes an action.
    fn act(&mut self, action: &str, params: Map, cx: &Context) -> impl Running<Output = Result<Done, Error>> + Send;

    /// The options of a select that lists none itself, each a value and a label.
    fn options(&self, field: &str, cx: &Context) -> impl Future<Output = Result<Vec<(String, String)>, Error>> + Send {
        let _ = (field, cx);
        async { Ok(Vec::new()) }
    }
}

/// What came of an action.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Whether it was done.
    pub ok: bool,
    /// What it does to the graph's run, where that is another than declared.
    pub side_effect: Option<SideEffect>,
    /// The signal that it gives.
    pub signal: Option<(String, Value)>,
}

impl Done {
    /// It was done.
    pub fn ok() -> Self {
        Self { ok: true, ..Self::default() }
    }

    /// It was not, which is no error.
    pub fn not() -> Self {
        Self::default()
    }

    /// It was done, and gives a signal: `episode_reset` also resets the states of containers that end with `episode`.
    ///
    /// A payload that cannot be said is none.
    pub fn signal(name: impl Into<String>, payload: impl Serialize) -> Self {
        let payload = wire::to_value(&payload).unwrap_or_default();
        Self { ok: true, side_effect: Some(SideEffect::Signal), signal: Some((name.into(), payload)) }
    }

    /// Says what it does to the graph's run.
    #[must_use]
    pub fn with_side_effect(mut self, side_effect: SideEffect) -> Self {
        self.side_effect = Some(side_effect);
        self
    }

    /// What its caller is told; the containers of the nodeset hear its signal too.
    pub fn told(self, containers: &Containers, declared: SideEffect) -> Map {
        let Self { ok, side_effect, signal } = self;
        let mut told = Map::new();
        told.push("ok", ok);
        told.push("side_effect", side_effect.unwrap_or(declared).as_str());
        if let Some((name, payload)) = signal {
            containers.signal(name.strip_suffix("_reset").unwrap_or(&name), None);
            told.push("signal_name", name);
            told.push("signal_payload", payload);
        }
        told
    }
}

/// What a panel is asked.
#[derive(Clone, Debug)]
pub enum PanelAsk {
    /// What it shows.
    State,
    /// The options of a field.
    Options(String),
    /// Sets a field, and asks what the panel shows then.
    Set(String, Value),
    /// Takes an action.
    Act(String, Map),
}

/// What a panel answers.
#[derive(Clone, Debug)]
pub enum PanelAnswer {
    /// What it shows.
    State(Value),
    /// Values and labels.
    Options(Vec<(String, String)>),
    /// What came of an action.
    Done(Done),
}

/// So many nodes are the panel's.
const TOOLS: usize = 3;

type Look<S> = for<'a> fn(&'a S, PanelAsk, &'a Context) -> BoxFuture<'a, Result<PanelAnswer, Error>>;
type Touch<S> = for<'a> fn(&'a mut S, PanelAsk, &'a Context) -> BoxFuture<'a, Result<PanelAnswer, Error>>;

/// The panel of a nodeset in its table.
#[derive(Debug)]
pub struct PanelRow<S: 'static> {
    /// Its fields and actions.
    pub decl: PanelDecl,
    /// Answers under a read lock.
    pub look: Look<S>,
    /// Sets and acts under the write lock, where it changes its nodeset.
    pub touch: Option<Touch<S>>,
}

/// A nodeset with a panel, whatever its access.
#[diagnostic::on_unimplemented(
    message = "the nodeset `{Self}` says `panel`, and has none",
    label = "no panel",
    note = "write `impl nodecast::panel::Panel for {Self}` (or `PanelMut`), or take `panel` out of `#[nodeset]`"
)]
pub trait Paneled<K>: Sized + 'static {
    /// Its row.
    const ROW: PanelRow<Self>;
}

#[diagnostic::do_not_recommend]
impl<S: Panel> Paneled<kind::Shared> for S {
    const ROW: PanelRow<S> = PanelRow { decl: S::PANEL, look: shared::<S>, touch: None };
}

#[diagnostic::do_not_recommend]
impl<S: PanelMut> Paneled<kind::Exclusive> for S {
    const ROW: PanelRow<S> = PanelRow { decl: S::PANEL, look: seen::<S>, touch: Some(touched::<S>) };
}

/// The row of the panel of `S`.
pub const fn panel_row<S: Paneled<K>, K>() -> PanelRow<S> {
    S::ROW
}

fn shared<'a, S: Panel>(set: &'a S, ask: PanelAsk, cx: &'a Context) -> BoxFuture<'a, Result<PanelAnswer, Error>> {
    Box::pin(async move {
        match ask {
            PanelAsk::State => state(set.state(cx).await),
            PanelAsk::Options(field) => {
                Ok(PanelAnswer::Options(options(S::PANEL, &field, set.options(&field, cx)).await?))
            }
            PanelAsk::Set(field, value) => {
                set.set(&field, value, cx).await?;
                state(set.state(cx).await)
            }
            PanelAsk::Act(action, params) => Ok(PanelAnswer::Done(set.act(&action, params, cx).await?)),
        }
    })
}

fn seen<'a, S: PanelMut>(set: &'a S, ask: PanelAsk, cx: &'a Context) -> BoxFuture<'a, Result<PanelAnswer, Error>> {
    Box::pin(async move {
        match ask {
            PanelAsk::Options(field) => {
                Ok(PanelAnswer::Options(options(S::PANEL, &field, set.options(&field, cx)).await?))
            }
            // The others change it, and come by another way.
            PanelAsk::State | PanelAsk::Set(..) | PanelAsk::Act(..) => state(set.state(cx).await),
        }
    })
}

fn touched<'a, S: PanelMut>(
    set: &'a mut S,
    ask: PanelAsk,
    cx: &'a Context,
) -> BoxFuture<'a, Result<PanelAnswer, Error>> {
    Box::pin(async move {
        match ask {
            PanelAsk::Set(field, value) => {
                set.set(&field, value, cx).await?;
                state(set.state(cx).await)
            }
            PanelAsk::Act(action, params) => Ok(PanelAnswer::Done(set.act(&action, params, cx).await?)),
            looks => seen(set, looks, cx).await,
        }
    })
}

fn state<T: Serialize>(state: Result<T, Error>) -> Result<PanelAnswer, Error> {
    Ok(PanelAnswer::State(wire::to_value(&state?).map_err(unsaid)?))
}

/// Those that are declared; else those that the panel knows when it is asked.
async fn options(
    panel: PanelDecl,
    field: &str,
    asked: impl Future<Output = Result<Vec<(String, String)>, Error>>,
) -> Result<Vec<(String, String)>, Error> {
    match panel.fields.iter().find(|known| known.name == field).map(|known| known.kind) {
        Some(PanelKind::Select(declared @ [_, ..])) => {
            Ok(declared.iter().map(|Choice { value, label }| ((*value).to_owned(), (*label).to_owned())).collect())
        }
        _ => asked.await,
    }
}

/// Checks the nodes of the panel, which stand behind the listed ones, as those are checked.
///
/// # Panics
///
/// For every mistake; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
pub const fn check_panel_tools<S>(table: &Table<S>) {
    let mut at = table.rows.len() - TOOLS;
    while at < table.rows.len() {
        check_node(table, at);
        at += 1;
    }
}

/// Checks the panel against its nodeset.
///
/// # Panics
///
/// For a panel that changes a shared nodeset; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
#[allow(clippy::panic, reason = "the panic is the compiler's message")]
pub const fn check_panel<S>(table: &Table<S>) {
    if let Some(PanelRow { touch: Some(_), .. }) = &table.panel
        && matches!(table.decl.parallelism, Parallelism::Shared)
    {
        panic!(
            "the panel changes its nodeset, which is shared; add `parallelism = \"replicated\"` to `#[nodeset]`, or \
             implement `Panel`"
        );
    }
}
