//! The graph's thread: what is made on it, what it does, and its end.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

use nodecast::Error;
use nodecast::call::Stage;
use tokio_util::sync::CancellationToken;

use super::HostOptions;
use super::inbox::Inbox;
use super::invoke::{Door, panic_text};
use crate::app::App;
use crate::expose::Expose;
use crate::graph::Graph;
use crate::hook::Hook;
use crate::live::Live;
use crate::message::Message;
use crate::publish::Publisher;

thread_local! {
    static HERE: RefCell<Option<Here>> = const { RefCell::new(None) };
}

/// What the graph's thread knows of its own application.
#[derive(Clone)]
pub(crate) struct Here {
    pub(crate) app: Rc<dyn Any>,
    pub(crate) graph: Graph,
    pub(crate) publisher: Rc<Publisher>,
}

/// What stands on this thread; none on any thread but a graph's.
pub(crate) fn here() -> Option<Here> {
    HERE.with_borrow(Clone::clone)
}

/// Closes the inbox however the thread ends.
struct Closes(Arc<Inbox>);

impl Drop for Closes {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Starts the thread, and waits until `setup` has returned.
pub(super) fn start<M: Message, V: Expose>(
    options: HostOptions,
    inbox: Arc<Inbox>,
    ended: CancellationToken,
    setup: impl FnOnce(&Graph) -> Result<App<M, V>, Error> + Send + 'static,
) -> Result<(Live<M>, JoinHandle<()>), Error> {
    let (tell, told) = sync_channel(1);
    let thread = std::thread::Builder::new().name("live-graph".to_owned()).stack_size(options.stack_size);
    let join = thread.spawn(move || {
        // The first local is dropped last: then there is nothing left of the graph.
        let _ended = ended.drop_guard();
        host(options, inbox, setup, &tell);
    });
    let no_thread = |error| Error::at(Stage::InternalRuntime, "no_thread", "the graph has no thread").because(error);
    let join = join.map_err(no_thread)?;
    match told.recv() {
        Ok(Ok(live)) => Ok((live, join)),
        Ok(Err(error)) => {
            let _ = join.join();
            Err(error)
        }
        Err(_) => {
            let panic = join.join().err();
            Err(panicked(panic.as_deref().map_or_else(|| "it told nothing".to_owned(), panic_text)))
        }
    }
}

fn panicked(text: String) -> Error {
    Error::at(Stage::InternalRuntime, "panic", format!("`setup` panicked: {text}"))
}

fn host<M: Message, V: Expose>(
    options: HostOptions,
    inbox: Arc<Inbox>,
    setup: impl FnOnce(&Graph) -> Result<App<M, V>, Error>,
    tell: &SyncSender<Result<Live<M>, Error>>,
) {
    let _closes = Closes(inbox.clone());
    let graph = Graph::with_hook(Hook::new(options.trace_events));
    graph.limit_flush(options.flush_limit);
    let door = Door { inbox: inbox.clone(), thread: std::thread::current().id() };
    let begun = catch_unwind(AssertUnwindSafe(|| begin(&graph, door, setup)));
    let begun = begun.unwrap_or_else(|panic| Err(panicked(panic_text(&*panic))));
    match begun {
        Ok((live, here)) => {
            let app = here.app.clone();
            HERE.set(Some(here));
            // Who started it waits for this.
            let _ = tell.send(Ok(live));
            while let Some(work) = inbox.next() {
                work(&*app);
            }
            HERE.take();
        }
        Err(error) => {
            let _ = tell.send(Err(error));
        }
    }
    graph.clear();
}

fn begin<M: Message, V: Expose>(
    graph: &Graph,
    door: Door,
    setup: impl FnOnce(&Graph) -> Result<App<M, V>, Error>,
) -> Result<(Live<M>, Here), Error> {
    let app = setup(graph)?;
    app.host(graph);
    graph.seal();
    let exposed = app.exposed(graph)?;
    for exposed in &exposed {
        graph.expose(&exposed.key, &exposed.name, exposed.encode);
    }
    let live = Live::new::<V>(door, &app, &exposed)?;
    let publisher = Publisher::begin(graph, exposed, live.published())?;
    let here = Here { app: Rc::new(app), graph: graph.clone(), publisher };
    Ok((live, here))
}
