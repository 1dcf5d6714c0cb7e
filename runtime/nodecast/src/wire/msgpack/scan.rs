//! The shape of a body, checked before anything is built: nesting, lengths, number of values, nothing after the end.
//!
//! It walks without recursion, so that a hostile body meets no stack; what passes is safe to build recursively.

use super::reader::{Head, Reader, ends};
use crate::wire::WireError;
use crate::wire::limits::{Budget, MAX_DEPTH};

/// Checks a body whose value stands inside `depth` containers already.
pub(super) fn scan(body: &[u8], depth: usize) -> Result<(), WireError> {
    let mut reader = Reader::new(body);
    let mut budget = Budget::for_body(body.len());
    // Values still to come, one count a container that is open.
    let mut open: Vec<usize> = Vec::new();
    if body.is_empty() {
        return Err(WireError::malformed("the body is empty"));
    }
    loop {
        budget.spend()?;
        let at = body.len() - reader.left();
        let follow = match reader.head().map_err(|malformed| malformed.at(at))? {
            Head::Null | Head::Bool(_) | Head::Unsigned(_) | Head::Signed(_) | Head::Float(_) => None,
            Head::Text(length) | Head::Bytes(length) | Head::Ext(_, length) => {
                reader.take(length).map_err(|malformed| malformed.at(at))?;
                None
            }
            Head::List(length) => Some(length),
            Head::Map(length) => Some(length.checked_mul(2).ok_or_else(|| ends().at(at))?),
        };
        if let Some(follow) = follow {
            if depth + open.len() >= MAX_DEPTH {
                return Err(WireError::too_deep());
            }
            // Every value takes a byte at least, so this bounds what a length may reserve.
            if follow > reader.left() {
                return Err(ends().at(at));
            }
            open.push(follow);
        }
        while open.last() == Some(&0) {
            open.pop();
        }
        match open.last_mut() {
            Some(left) => *left -= 1,
            None => break,
        }
    }
    match reader.left() {
        0 => Ok(()),
        1 => Err(WireError::new("trailing_bytes", "1 byte follows the value; send one value a body")),
        left => Err(WireError::new("trailing_bytes", format!("{left} bytes follow the value; send one value a body"))),
    }
}
