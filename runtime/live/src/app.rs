//! An application on its graph: what its messages do, and what clients see of it.

use std::cell::OnceCell;
use std::fmt;

use nodecast::Error;

use crate::expose::{Expose, Exposed, Exposure};
use crate::graph::{Graph, Key, Mvu, Refused, batch};
use crate::message::{Message, NoMessages};

type Dispatch<M> = Box<dyn Fn(M) -> Result<(), Refused>>;

/// What [`GraphHost`](crate::GraphHost) hosts: made by `setup`, on the thread of the graph.
pub struct App<M = NoMessages, V = Exposure> {
    /// The handles that clients see.
    pub view: V,
    more: Vec<Exposure>,
    dispatch: Option<Dispatch<M>>,
    model: Option<Key>,
    graph: OnceCell<Graph>,
}

impl<M: Message, V: Expose> App<M, V> {
    /// A model with its messages, and what is seen of it.
    pub fn new<S: PartialEq + fmt::Debug + 'static>(model: Mvu<M, S>, view: V) -> Self {
        let dispatch: Box<dyn Fn(M) -> Result<(), Refused>> = Box::new(move |message| model.dispatch(message));
        Self { view, more: Vec::new(), dispatch: Some(dispatch), model: Some(model.key), graph: OnceCell::new() }
    }

    /// Exposes further names, which are known only at run time.
    #[must_use]
    pub fn also(mut self, exposure: Exposure) -> Self {
        self.more.push(exposure);
        self
    }

    /// Dispatches a message, as a client does.
    pub fn dispatch(&self, message: M) -> Result<(), Refused> {
        match &self.dispatch {
            Some(dispatch) => dispatch(message),
            None => Err(Refused("this application takes no messages".to_owned())),
        }
    }

    /// The graph that it is hosted on; none before `setup` has returned.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.get()
    }

    /// Delays the flush of what `work` writes to its end, as [`batch`](crate::batch) does.
    pub fn batch<T>(&self, work: impl FnOnce() -> T) -> T {
        match self.graph.get() {
            Some(graph) => batch(graph, work),
            None => work(),
        }
    }

    pub(crate) fn host(&self, graph: &Graph) {
        // A host hosts it once.
        let _ = self.graph.set(graph.clone());
    }

    /// Whether there is something to dispatch to.
    pub(crate) fn takes_messages(&self) -> bool {
        self.dispatch.is_some()
    }

    /// All names, in registration order.
    pub(crate) fn exposed(&self, graph: &Graph) -> Result<Vec<Exposed>, Error> {
        let mut exposed = self.view.exposed();
        exposed.extend(self.more.iter().flat_map(Expose::exposed));
        crate::expose::check(&exposed, graph)?;
        if let Some(model) = self.model.filter(|model| !graph.owns(model)) {
            return Err(crate::expose::refused(format!(
                "{model} takes the messages, and is of another graph, or dropped"
            )));
        }
        Ok(exposed)
    }
}

impl<V: Expose> App<NoMessages, V> {
    /// An application that clients only look at.
    pub fn read_only(view: V) -> Self {
        Self { view, more: Vec::new(), dispatch: None, model: None, graph: OnceCell::new() }
    }
}

impl<M, V: fmt::Debug> fmt::Debug for App<M, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("App").field("view", &self.view).finish_non_exhaustive()
    }
}
