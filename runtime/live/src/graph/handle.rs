//! The handles: copies that name a node, and stay on its thread.

use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{Location, resume_unwind};
use std::rc::Rc;

use super::node::{Key, Kind, Made, Node, Rank};
use super::{Graph, Inner, of};

macro_rules! handle {
    ($(#[$about:meta])* $name:ident<$($of:ident),*>) => {
        $(#[$about])*
        pub struct $name<$($of),*> {
            pub(crate) key: Key,
            // A raw pointer keeps it on its thread.
            pub(super) of: PhantomData<*const ($($of,)*)>,
        }

        impl<$($of),*> Copy for $name<$($of),*> {}

        // Derived, they would ask the same of the types within.
        #[allow(clippy::expl_impl_clone_on_copy, reason = "a derive bounds the parameters")]
        impl<$($of),*> Clone for $name<$($of),*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($of),*> fmt::Debug for $name<$($of),*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.key)
            }
        }

        impl<$($of),*> $name<$($of),*> {
            /// Gives it a name, which messages and the traced tools call it by.
            #[must_use]
            #[track_caller]
            pub fn named(self, name: &'static str) -> Self {
                let graph = of(&self.key);
                let node = graph.node(&self.key);
                node.name.set(Some(name));
                graph.hook().named(&node, name);
                Self { key: Key { name: Some(name), ..self.key }, of: PhantomData }
            }
        }
    };
}
pub(super) use handle;

handle! {
    /// A value that is written.
    Signal<T>
}

handle! {
    /// A value that is computed from others, when it is read.
    Memo<T>
}

handle! {
    /// Work that is done when what it reads has moved.
    Effect<>
}

/// Makes a signal.
#[track_caller]
pub fn signal<T: PartialEq + fmt::Debug + 'static>(graph: &Graph, value: T) -> Signal<T> {
    Signal { key: graph.inner().written(Kind::Signal, value, None), of: PhantomData }
}

/// Makes a memo: computed when it is read, and again when a source has moved. An equal result does not move it.
#[track_caller]
pub fn memo<T: PartialEq + fmt::Debug + 'static>(graph: &Graph, compute: impl FnMut() -> T + 'static) -> Memo<T> {
    graph.inner().computed(None, T::eq, compute)
}

/// Makes a memo whose result is taken for equal to the one before, which is kept, where `same` says so. The name of that
/// comparer shows up in explanations.
#[track_caller]
pub fn memo_by<T: fmt::Debug + 'static>(
    graph: &Graph,
    comparer: &'static str,
    same: impl Fn(&T, &T) -> bool + 'static,
    compute: impl FnMut() -> T + 'static,
) -> Memo<T> {
    graph.inner().computed(Some(comparer), same, compute)
}

/// Makes an effect: runs now, and after each flush in which a source moved.
#[track_caller]
pub fn effect(graph: &Graph, work: impl FnMut() + 'static) -> Effect {
    effect_at(graph, Rank::Ordinary, work)
}

/// The same with a turn of its own.
#[track_caller]
pub(crate) fn effect_at(graph: &Graph, rank: Rank, mut work: impl FnMut() + 'static) -> Effect {
    let inner = graph.inner();
    let work = Box::new(move |_: Option<&dyn Any>| {
        work();
        None
    });
    let made = Made { value: None, work: Some(work), update: None, rank, comparer: None, shown: |_, _| Ok(()) };
    let node = inner.add(Kind::Effect, made, Location::caller());
    inner.refresh(&node);
    inner.settle();
    Effect { key: node.key, of: PhantomData }
}

/// A value in the words of `Debug`.
fn shown<T: fmt::Debug + 'static>(value: &dyn Any, out: &mut dyn fmt::Write) -> fmt::Result {
    value.downcast_ref::<T>().map_or(Ok(()), |value| write!(out, "{value:?}"))
}

/// The value behind a key, which is brought up to date before.
#[track_caller]
#[allow(clippy::panic, reason = "a node without a value has panicked before, and the panic says so")]
pub(super) fn value_of<T: 'static>(key: &Key, subscribes: bool) -> Rc<T> {
    let graph = of(key);
    let node = graph.node(key);
    graph.read(&node, subscribes);
    let value = node.value().and_then(|value| value.downcast().ok());
    value.unwrap_or_else(|| panic!("{key} has no value"))
}

macro_rules! reads {
    ($name:ident<$($of:ident),+> as $value:ident) => {
        impl<$($of: 'static),+> $name<$($of),+> {
            /// Its value; what runs reads it again when it moves.
            #[track_caller]
            pub fn get(&self) -> $value
            where
                $value: Clone,
            {
                $value::clone(&value_of(&self.key, true))
            }

            /// Its value; what runs does not hear of it when it moves.
            #[track_caller]
            pub fn peek(&self) -> $value
            where
                $value: Clone,
            {
                $value::clone(&value_of(&self.key, false))
            }

            /// The same as `get` without a copy.
            #[track_caller]
            pub fn with<R>(&self, read: impl FnOnce(&$value) -> R) -> R {
                read(&value_of(&self.key, true))
            }
        }
    };
}
pub(super) use reads;

reads! { Signal<T> as T }
reads! { Memo<T> as T }

impl<T: PartialEq + 'static> Signal<T> {
    /// Writes it; an equal value wakes nothing.
    #[track_caller]
    pub fn set(&self, value: T) {
        let graph = of(&self.key);
        graph.write(&graph.node(&self.key), value);
    }

    /// Writes what `change` makes of it; its read is nobody's.
    #[track_caller]
    pub fn update(&self, change: impl FnOnce(&T) -> T) {
        let graph = of(&self.key);
        let before = graph.node(&self.key).value().and_then(|value| value.downcast::<T>().ok());
        if let Some(before) = before {
            self.set(graph.untracked(|| change(&before)));
        }
    }
}

impl Inner {
    /// Adds a node that is written.
    #[track_caller]
    pub(super) fn written<T: fmt::Debug + 'static>(&self, kind: Kind, value: T, update: Option<Rc<dyn Any>>) -> Key {
        let value: Option<Rc<dyn Any>> = Some(Rc::new(value));
        let made = Made { value, work: None, update, rank: Rank::Ordinary, comparer: None, shown: shown::<T> };
        self.add(kind, made, Location::caller()).key
    }

    /// Adds a node that is computed.
    #[track_caller]
    pub(super) fn computed<T: fmt::Debug + 'static>(
        &self,
        comparer: Option<&'static str>,
        same: impl Fn(&T, &T) -> bool + 'static,
        mut compute: impl FnMut() -> T + 'static,
    ) -> Memo<T> {
        let work = Box::new(move |before: Option<&dyn Any>| {
            let value = compute();
            let is_same = before.and_then(<dyn Any>::downcast_ref).is_some_and(|before| same(before, &value));
            (!is_same).then(|| Rc::new(value) as Rc<dyn Any>)
        });
        let (update, rank) = (None, Rank::Ordinary);
        let made = Made { value: None, work: Some(work), update, rank, comparer, shown: shown::<T> };
        Memo { key: self.add(Kind::Memo, made, Location::caller()).key, of: PhantomData }
    }

    /// Writes a value, and flushes if nothing outside does.
    pub(super) fn write<T: PartialEq + 'static>(&self, node: &Rc<Node>, value: T) {
        let before = node.value();
        let same = |before: &dyn Any| before.downcast_ref::<T>().is_some_and(|before| *before == value);
        if before.as_deref().is_some_and(|before| self.untracked(|| same(before))) {
            return self.hook().written(node, None, self.runs().as_deref());
        }
        self.put(node, before, Rc::new(value));
    }

    /// Puts a value in the place of another, and flushes if nothing outside does.
    pub(super) fn put(&self, node: &Rc<Node>, before: Option<Rc<dyn Any>>, value: Rc<dyn Any>) {
        self.hook().written(node, Some((before.as_deref(), &*value)), self.runs().as_deref());
        node.value.replace(Some(value));
        node.moves.set(node.moves.get() + 1);
        self.mark(node);
        // The user's `drop` may read.
        drop(before);
        self.settle();
    }

    /// Runs code of the user's whose reads are nobody's.
    pub(super) fn untracked<R>(&self, work: impl FnOnce() -> R) -> R {
        match self.within(None, work).0 {
            Ok(value) => value,
            Err(panic) => resume_unwind(panic),
        }
    }
}
