//! What a client may see: values by name, and nodes that only the traced tools name.

use std::any::Any;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;

use nodecast::Error;
use nodecast::call::Stage;
use nodecast::decl::Source;
use serde::Serialize;

use crate::encode::canonical;
use crate::graph::{Effect, Encode, Graph, Key, Memo, Mvu, Signal};
use crate::snapshot::Name;

/// A name may be this long.
pub(crate) const LONGEST_NAME: usize = 64;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposes {
    /// A value of every snapshot.
    Value,
    /// A node that the traced tools find by it.
    Node,
}

/// One name of a table.
#[derive(Clone, Copy, Debug)]
pub struct ExposeDecl {
    /// The name.
    pub name: &'static str,
    /// What it stands for.
    pub what: Exposes,
    /// Where it is declared.
    pub source: Source,
}

impl ExposeDecl {
    /// A row of the table.
    pub const fn new(name: &'static str, what: Exposes, source: Source) -> Self {
        Self { name, what, source }
    }
}

/// A struct of handles that clients see by name; `#[derive(Expose)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` exposes nothing",
    label = "no view of the application",
    note = "add `#[derive(nodecast_live::Expose)]` to a struct of handles, or use `Exposure::builder`"
)]
pub trait Expose: 'static {
    /// What is known before the application runs.
    const EXPOSED: &'static [ExposeDecl];

    /// The names with their nodes, in registration order.
    fn exposed(&self) -> Vec<Exposed>;
}

/// A name with its node.
#[derive(Clone)]
pub struct Exposed {
    pub(crate) name: Name,
    pub(crate) key: Key,
    /// How its value is read; none for a node.
    pub(crate) encode: Option<Encode>,
}

impl std::fmt::Debug for Exposed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Exposed").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A handle whose value clients may read.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no value that clients could read",
    label = "not a `Signal` or `Memo` of a type with `serde::Serialize`",
    note = "add `#[derive(serde::Serialize)]` to the type inside, or `#[expose(node)]` to the field"
)]
pub trait Value {
    /// The value under this name.
    fn value(&self, name: Name) -> Exposed;
}

/// A handle that the traced tools may find.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no node of a graph",
    label = "not a handle",
    note = "a view holds `Signal`, `Memo`, `Mvu` and `Effect`; write `#[expose(skip)]` for a field of another type"
)]
pub trait Node {
    /// The node under this name.
    fn node(&self, name: Name) -> Exposed;
}

fn encode<T: Serialize + 'static>(value: &dyn Any) -> Result<Arc<str>, String> {
    value.downcast_ref::<T>().map_or_else(|| Err("it is of another type".to_owned()), canonical)
}

macro_rules! valued {
    ($($name:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Serialize + 'static> Value for $name<T> {
            fn value(&self, name: Name) -> Exposed {
                Exposed { name, key: self.key, encode: Some(encode::<T>) }
            }
        }
    )*};
}
valued! { Signal Memo }

macro_rules! noded {
    ($($name:ident<$($of:ident),*>)*) => {$(
        impl<$($of),*> Node for $name<$($of),*> {
            fn node(&self, name: Name) -> Exposed {
                Exposed { name, key: self.key, encode: None }
            }
        }
    )*};
}
noded! { Signal<T> Memo<T> Mvu<M, S> Effect<> }

/// What `#[derive(Expose)]` calls for a value.
pub fn value<H: Value>(handle: &H, name: &'static str) -> Exposed {
    handle.value(Name::Borrowed(name))
}

/// The same for a node.
pub fn node<H: Node>(handle: &H, name: &'static str) -> Exposed {
    handle.node(Name::Borrowed(name))
}

/// All of a view.
pub fn list<const N: usize>(all: [Exposed; N]) -> Vec<Exposed> {
    all.into()
}

/// Values and nodes whose names are known only at run time.
///
/// They are in what is served, and not in the contract of the built program.
///
/// ```
/// use nodecast_live::{Exposure, Graph, signal};
///
/// # fn setup(g: &Graph) -> Result<(), nodecast_live::Error> {
/// let mut rooms = Exposure::builder(g);
/// for room in ["kitchen", "hall"] {
///     rooms = rooms.value(format!("{room}.temperature"), signal(g, 20));
/// }
/// let rooms = rooms.build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Exposure(Vec<Exposed>);

impl Exposure {
    /// Begins one.
    pub fn builder(graph: &Graph) -> Builder {
        Builder { graph: graph.clone(), exposed: Vec::new(), of: PhantomData }
    }
}

impl Expose for Exposure {
    const EXPOSED: &'static [ExposeDecl] = &[];

    fn exposed(&self) -> Vec<Exposed> {
        self.0.clone()
    }
}

/// An [`Exposure`] in the making.
#[derive(Debug)]
#[must_use = "nothing is exposed before `build`"]
pub struct Builder {
    graph: Graph,
    exposed: Vec<Exposed>,
    of: PhantomData<*const ()>,
}

impl Builder {
    /// Exposes a value.
    pub fn value(mut self, name: impl Into<Name>, value: impl Value) -> Self {
        self.exposed.push(value.value(name.into()));
        self
    }

    /// Names a node for the traced tools.
    pub fn node(mut self, name: impl Into<Name>, node: impl Node) -> Self {
        self.exposed.push(node.node(name.into()));
        self
    }

    /// Fails where a name cannot be one, is there twice, or comes after `setup` has returned.
    pub fn build(self) -> Result<Exposure, Error> {
        if self.graph.is_sealed() {
            let names: Vec<_> = self.exposed.iter().map(|exposed| format!("`{}`", exposed.name)).collect();
            let detail = format!("{} cannot be exposed any more, since `setup` has returned", names.join(", "));
            return Err(refused(detail));
        }
        check(&self.exposed, &self.graph)?;
        Ok(Exposure(self.exposed))
    }
}

/// Refuses names that cannot be one or are there twice, and nodes of another graph.
pub(crate) fn check(exposed: &[Exposed], graph: &Graph) -> Result<(), Error> {
    let mut seen = BTreeSet::new();
    for Exposed { name, key, encode } in exposed {
        if let Some(problem) = problem(name) {
            return Err(refused(format!("`{name}` cannot be exposed: {problem}")));
        }
        if !graph.owns(key) {
            return Err(refused(format!("`{name}` cannot be exposed: its node is of another graph, or dropped")));
        }
        if !seen.insert((name, encode.is_some())) {
            let what = if encode.is_some() { "values" } else { "nodes" };
            return Err(refused(format!("two {what} are exposed as `{name}`; rename one")));
        }
    }
    Ok(())
}

/// Why a name cannot be one.
fn problem(name: &str) -> Option<String> {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_.~-".contains(letter);
    if name.is_empty() {
        Some("a name has a character at least".to_owned())
    } else if let Some(wrong) = name.chars().find(|letter| !fits(*letter)) {
        Some(format!("`{}` is none of `A-Z a-z 0-9 _ . ~ -`", wrong.escape_debug()))
    } else {
        (name.len() > LONGEST_NAME).then(|| format!("it has {} characters, and a name {LONGEST_NAME}", name.len()))
    }
}

pub(crate) fn refused(detail: String) -> Error {
    Error::at(Stage::SchemaValidation, "bad_exposure", detail)
}
