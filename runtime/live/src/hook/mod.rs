//! Whom the graph tells of its steps: the log, or nobody.

#[cfg(not(feature = "trace"))]
mod off;

#[cfg(not(feature = "trace"))]
pub(crate) use off::Hook;

#[cfg(feature = "trace")]
pub(crate) use crate::trace::Hook;
