//! What one item shows to be wrong (`DESIGN.md` 4). Reads the model and reports; changes nothing.

pub(crate) mod types;

use crate::errors::Errors;
use crate::model::{Node, NodeError, Nodeset, Outputs};

pub(crate) fn node(_: &mut Errors, _: &Node) {}
pub(crate) fn nodeset(_: &mut Errors, _: &Nodeset) {}
pub(crate) fn outputs(_: &mut Errors, _: &Outputs) {}
pub(crate) fn node_error(_: &mut Errors, _: &NodeError) {}
