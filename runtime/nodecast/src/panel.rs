//! What declares a panel: the traits, and the words of its fields and actions (`wire.md` 8).

pub use crate::call::{Done, Panel, PanelMut};
pub use crate::decl::{Choice, EnabledWhen, PanelAction, PanelDecl, PanelField, PanelKind, SideEffect};
pub use crate::wire::Map;
