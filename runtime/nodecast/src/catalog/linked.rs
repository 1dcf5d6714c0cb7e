//! The nodesets that are linked into a binary, for hosts that are generated.

use linkme::distributed_slice;

use super::{Catalog, Settings};
use crate::Error;
use crate::call::{BoxFuture, Context, Instance, Nodeset, Runner};
use crate::wire::Value;

/// Every nodeset of the binary; `#[nodeset]` enters it.
#[distributed_slice]
pub static NODESETS: [Linked];

/// Starts an instance of one nodeset from its settings.
pub type Start = fn(Value, &Context) -> BoxFuture<'_, Result<Box<dyn Runner>, Error>>;

/// How a generated host reads and starts a nodeset that it cannot name.
#[derive(Clone, Copy, Debug)]
pub struct Linked {
    /// Name as served.
    pub name: &'static str,
    /// Its catalog, or why the declaration cannot be served.
    pub catalog: fn() -> Result<Catalog, Error>,
    /// What it can be set to.
    pub settings: fn() -> Result<Settings, Error>,
    /// Starts an instance from its settings, once they are checked.
    pub start: Start,
    /// The path of its struct, by whose last name a framework may ask for it.
    pub path: fn() -> &'static str,
}

impl Linked {
    /// The entry of `S`.
    pub const fn of<S: Nodeset>() -> Self {
        Self {
            name: S::TABLE.decl.name,
            catalog: Catalog::of::<S>,
            settings: Settings::of::<S>,
            start: start::<S>,
            path: std::any::type_name::<S>,
        }
    }

    /// The name of its struct.
    pub fn strukt(&self) -> &'static str {
        let path = (self.path)();
        path.rsplit_once("::").map_or(path, |(_, name)| name)
    }
}

fn start<S: Nodeset>(settings: Value, cx: &Context) -> BoxFuture<'_, Result<Box<dyn Runner>, Error>> {
    Box::pin(async move {
        Settings::of::<S>()?.check(&settings)?;
        Ok(Box::new(Instance::<S>::start(settings, cx).await?) as Box<dyn Runner>)
    })
}
