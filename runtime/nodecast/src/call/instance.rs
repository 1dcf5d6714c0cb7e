//! A started nodeset behind its read-write lock, called by row.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::RwLock;

use super::batch::Batches;
use super::work::{on_a_thread, stopped};
use super::{
    Args, BoxFuture, Call, Completer, Context, Nodeset, Offer, PanelAnswer, PanelAsk, Partial, Prepare, Reply,
    RunBatch, Stage,
};
use crate::Error;
use crate::wire::Value;

/// What runs the entries of a catalog, whatever stands behind it.
pub trait Runner: Send + Sync {
    /// Prepares the entries, once, before the first is run; none needs it, unless it says so.
    fn prepare<'a>(&'a self, cx: &'a Context) -> BoxFuture<'a, Result<(), Error>> {
        let _ = cx;
        Box::pin(std::future::ready(Ok(())))
    }

    /// Whether it reads arguments into types, which may refuse what their schema takes; so that only it knows when a call
    /// enters its execution.
    #[doc(hidden)]
    fn decodes(&self) -> bool {
        false
    }

    /// Runs the entry at `index` with checked arguments.
    fn run<'a>(&'a self, index: usize, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>>;

    /// Answers what is offered beside nodes, with checked arguments; nothing is, unless it says so.
    fn answer<'a>(&'a self, offer: Offer, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        let _ = (offer, args, cx);
        Box::pin(std::future::ready(Err(no_row())))
    }

    /// Whether a URI of a template leads to a document, for who wants to watch it; each does, unless it says otherwise.
    fn leads(&self, offer: Offer, uri: &str) -> bool {
        let _ = (offer, uri);
        true
    }

    /// What the argument at `index` of `offer` could become, of all that it is completed by asking.
    fn complete<'a>(
        &'a self,
        offer: Offer,
        index: usize,
        partial: &'a Partial,
        cx: &'a Context,
    ) -> BoxFuture<'a, Result<Vec<String>, Error>> {
        let _ = (offer, index, partial, cx);
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Answers for the panel; there is none, unless it says so.
    fn panel<'a>(&'a self, ask: PanelAsk, cx: &'a Context) -> BoxFuture<'a, Result<PanelAnswer, Error>> {
        let _ = (ask, cx);
        Box::pin(std::future::ready(Err(no_row())))
    }

    /// Ends it after the last call.
    fn stop(&self) -> BoxFuture<'_, End>;
}

/// How an instance ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Through its own `stop`.
    Stopped,
    /// A blocking node still held it, so that nobody could take it apart.
    Abandoned,
}

/// A blocking node that was cancelled has this long to let go of the instance.
const PATIENCE: Duration = Duration::from_millis(500);

/// A started nodeset. One lock orders its calls: readers share it, a `NodeMut` has it alone.
pub struct Instance<S> {
    set: Arc<RwLock<Option<S>>>,
    /// One a row; none for a node that takes one call at a time.
    batches: Vec<Option<Arc<Batches>>>,
}

impl<S: Nodeset> Instance<S> {
    /// Starts a nodeset; its nodes prepare by [`Runner::prepare`].
    pub async fn start(settings: Value, cx: &Context) -> Result<Self, Error> {
        Ok(Self::of((S::hooks().start)(settings, cx).await?))
    }

    /// A nodeset that is there already, made by the program that serves it.
    pub fn of(set: S) -> Self {
        let set = Arc::new(RwLock::new(Some(set)));
        let batches = S::TABLE.rows.iter().map(|row| match (&row.call, row.batched()) {
            (Call::Batch(run), Some(limits)) => Some(Batches::new(&row.decl, limits, on(set.clone(), *run))),
            _ => None,
        });
        Self { batches: batches.collect(), set }
    }

    /// Does what blocks, as a reader among others.
    async fn off_the_workers<T: Send + 'static>(
        &self,
        what: impl FnOnce(&S) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let set = Arc::clone(&self.set).read_owned().await;
        on_a_thread(move || what(set.as_ref().ok_or_else(stopped)?)).await?
    }
}

impl<S: Nodeset> Runner for Instance<S> {
    fn decodes(&self) -> bool {
        true
    }

    fn prepare<'a>(&'a self, cx: &'a Context) -> BoxFuture<'a, Result<(), Error>> {
        Box::pin(async move {
            for row in S::TABLE.rows {
                match row.prepare {
                    Prepare::Shared(prepare) => {
                        let set = self.set.read().await;
                        prepare(set.as_ref().ok_or_else(stopped)?, cx).await?;
                    }
                    Prepare::Exclusive(prepare) => {
                        let mut set = self.set.write().await;
                        prepare(set.as_mut().ok_or_else(stopped)?, cx).await?;
                    }
                    Prepare::Blocking(prepare) => {
                        let cx = cx.clone();
                        self.off_the_workers(move |set| prepare(set, &cx)).await?;
                    }
                }
            }
            Ok(())
        })
    }

    fn run<'a>(&'a self, index: usize, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        Box::pin(async move {
            let Some(row) = S::TABLE.rows.get(index) else {
                return Err(no_row());
            };
            match row.call {
                Call::Shared(run) => {
                    let set = self.set.read().await;
                    run(set.as_ref().ok_or_else(stopped)?, args, cx).await
                }
                Call::Exclusive(run) => {
                    let mut set = self.set.write().await;
                    run(set.as_mut().ok_or_else(stopped)?, args, cx).await
                }
                Call::Blocking(run) => {
                    let cx = cx.clone();
                    self.off_the_workers(move |set| run(set, args, &cx)).await
                }
                Call::Batch(_) => {
                    let batches = self.batches.get(index).and_then(Option::as_ref).ok_or_else(stopped)?;
                    batches.call(args, cx).await
                }
            }
        })
    }

    fn answer<'a>(&'a self, offer: Offer, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        Box::pin(async move {
            let run = match offer {
                Offer::Resource(index) => S::TABLE.resources.get(index).map(|row| row.read),
                Offer::Prompt(index) => S::TABLE.prompts.get(index).map(|row| row.get),
            };
            let set = self.set.read().await;
            run.ok_or_else(no_row)?(set.as_ref().ok_or_else(stopped)?, args, cx).await
        })
    }

    fn complete<'a>(
        &'a self,
        offer: Offer,
        index: usize,
        partial: &'a Partial,
        cx: &'a Context,
    ) -> BoxFuture<'a, Result<Vec<String>, Error>> {
        Box::pin(async move {
            let fields = match offer {
                Offer::Resource(index) => S::TABLE.resources.get(index).map(|row| row.complete),
                Offer::Prompt(index) => S::TABLE.prompts.get(index).map(|row| row.complete),
            };
            let Some(Completer::Asked(ask)) = fields.and_then(|fields| fields.get(index)) else {
                return Err(no_row());
            };
            let set = self.set.read().await;
            ask(set.as_ref().ok_or_else(stopped)?, partial, cx).await
        })
    }

    fn panel<'a>(&'a self, ask: PanelAsk, cx: &'a Context) -> BoxFuture<'a, Result<PanelAnswer, Error>> {
        Box::pin(async move {
            let panel = S::TABLE.panel.as_ref().ok_or_else(no_row)?;
            if let (Some(touch), PanelAsk::Set(..) | PanelAsk::Act(..)) = (panel.touch, &ask) {
                let mut set = self.set.write().await;
                return touch(set.as_mut().ok_or_else(stopped)?, ask, cx).await;
            }
            let set = self.set.read().await;
            (panel.look)(set.as_ref().ok_or_else(stopped)?, ask, cx).await
        })
    }

    fn stop(&self) -> BoxFuture<'_, End> {
        Box::pin(async move {
            let Ok(mut set) = tokio::time::timeout(PATIENCE, self.set.write()).await else {
                if let Some(set) = self.set.read().await.as_ref() {
                    (S::hooks().abandon)(set).await;
                }
                return End::Abandoned;
            };
            let set = set.take();
            if let Some(set) = set {
                (S::hooks().stop)(set).await;
            }
            End::Stopped
        })
    }
}

/// Runs the batches of one node on the nodeset, as a reader among others.
fn on<S: Nodeset>(set: Arc<RwLock<Option<S>>>, run: RunBatch<S>) -> super::batch::Run {
    Box::new(move |batch, cx| {
        let set = set.clone();
        Box::pin(async move {
            let set = set.read().await;
            Ok(run(set.as_ref().ok_or_else(stopped)?, batch, &cx).await)
        })
    })
}

fn no_row() -> Error {
    Error::at(Stage::InternalRuntime, "no_row", "the catalog and the table disagree")
}
