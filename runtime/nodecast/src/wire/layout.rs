//! What is written around values: objects whose members lie where they are, so that no tree is built for a body alone.

use super::{Map, Value};

/// A value, or an object around such.
#[derive(Clone, Copy, Debug)]
pub enum Layout<'v> {
    /// A value.
    Value(&'v Value),
    /// Names, which differ, with what stands under them.
    Object(&'v [(&'v str, Layout<'v>)]),
}

/// The tree that is written.
impl From<Layout<'_>> for Value {
    fn from(layout: Layout<'_>) -> Self {
        match layout {
            Layout::Value(value) => value.clone(),
            Layout::Object(members) => {
                Self::Map(members.iter().map(|(name, member)| (*name, Self::from(*member))).collect::<Map>())
            }
        }
    }
}
