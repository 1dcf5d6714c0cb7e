//! A model that messages change, and selections of it.

use std::fmt;
use std::marker::PhantomData;
use std::rc::Rc;

use super::handle::{handle, reads, value_of};
use super::node::{Key, Kind};
use super::{Graph, Memo, of};

/// Makes a new model of a message and the one before.
type Update<M, S> = Box<dyn Fn(M, &S) -> Result<S, String>>;

handle! {
    /// A model that only messages change.
    ///
    /// ```
    /// use nodecast_live::{Graph, Mvu};
    ///
    /// let g = Graph::new();
    /// let count = Mvu::new(&g, 0, |step: i32, count: &i32| count.checked_add(step).ok_or("that is too much"));
    /// let doubled = count.select(|count| count * 2);
    /// count.dispatch(4)?;
    /// assert_eq!(doubled.get(), 8);
    /// # Ok::<(), nodecast_live::Refused>(())
    /// ```
    Mvu<M, S>
}

reads! { Mvu<M, S> as S }

/// Why an update changed nothing: what its error says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

impl<M: 'static, S: PartialEq + fmt::Debug + 'static> Mvu<M, S> {
    /// A model, and what a message makes of it.
    #[track_caller]
    pub fn new<E: fmt::Display>(graph: &Graph, model: S, update: impl Fn(M, &S) -> Result<S, E> + 'static) -> Self {
        let update: Update<M, S> =
            Box::new(move |message, model| update(message, model).map_err(|error| error.to_string()));
        Self { key: graph.inner().written(Kind::Mvu, model, Some(Rc::new(update))), of: PhantomData }
    }

    /// Lets the update make a new model of the message and the old one, and flushes. After an error, or a panic of the
    /// update or of what runs in that flush, the model and all that follows from it are as before.
    #[track_caller]
    pub fn dispatch(&self, message: M) -> Result<(), Refused> {
        let graph = of(&self.key);
        let node = graph.node(&self.key);
        let update = node.update.clone().and_then(|update| update.downcast::<Update<M, S>>().ok());
        let model = node.value().and_then(|model| model.downcast::<S>().ok());
        // It is made with both, so the way around is out of reach.
        let (Some(update), Some(model)) = (update, model) else { return Ok(()) };
        let made = graph.untracked(|| update(message, &model)).map_err(Refused)?;
        graph.attempt(&node, model, || graph.write(&node, made));
        Ok(())
    }

    /// A memo over the model.
    #[track_caller]
    pub fn select<T: PartialEq + fmt::Debug + 'static>(&self, select: impl Fn(&S) -> T + 'static) -> Memo<T> {
        let model = *self;
        of(&self.key).computed(None, T::eq, move || model.with(&select))
    }

    /// The same with a comparer, as of [`memo_by`](crate::memo_by).
    #[track_caller]
    pub fn select_by<T: fmt::Debug + 'static>(
        &self,
        comparer: &'static str,
        same: impl Fn(&T, &T) -> bool + 'static,
        select: impl Fn(&S) -> T + 'static,
    ) -> Memo<T> {
        let model = *self;
        of(&self.key).computed(Some(comparer), same, move || model.with(&select))
    }
}
