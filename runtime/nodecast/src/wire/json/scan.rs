//! The shape of a body, before it is parsed: nesting, number of values, and how many each container holds.
//!
//! It walks without recursion, so that a hostile body meets no stack, and it knows of JSON only what tells text from
//! structure. What is no JSON the parser refuses afterwards.

use crate::wire::WireError;
use crate::wire::limits::{Budget, MAX_DEPTH};

/// How many members each list and object has, in the order in which they open; the parser reserves just that.
pub(super) fn scan(body: &[u8]) -> Result<std::vec::IntoIter<usize>, WireError> {
    let mut scan = Scan { budget: Budget::for_body(body.len()), counts: Vec::new(), open: Vec::new() };
    scan.budget.spend()?;
    let mut rest = body;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => {}
            b'"' => {
                scan.first()?;
                rest = skip_string(after);
            }
            b'[' | b'{' => {
                scan.first()?;
                if scan.open.len() >= MAX_DEPTH {
                    return Err(WireError::too_deep());
                }
                scan.open.push(scan.counts.len());
                scan.counts.push(0);
            }
            b']' | b'}' => {
                scan.open.pop();
            }
            b',' => scan.next()?,
            // What stands before it is a key, which is a value too.
            b':' if !scan.open.is_empty() => scan.budget.spend()?,
            _ => scan.first()?,
        }
    }
    Ok(scan.counts.into_iter())
}

struct Scan {
    budget: Budget,
    counts: Vec<usize>,
    /// Which of the counts belong to the containers that are open.
    open: Vec<usize>,
}

impl Scan {
    fn count(&mut self) -> Option<&mut usize> {
        self.counts.get_mut(*self.open.last()?)
    }

    /// A value stands here, which counts if it is the first of its container; the others follow a comma.
    fn first(&mut self) -> Result<(), WireError> {
        match self.count() {
            Some(count @ 0) => {
                *count = 1;
                self.budget.spend()
            }
            _ => Ok(()),
        }
    }

    fn next(&mut self) -> Result<(), WireError> {
        match self.count() {
            Some(count) => {
                *count += 1;
                self.budget.spend()
            }
            None => Ok(()),
        }
    }
}

/// What follows the string that `rest` is inside of.
fn skip_string(mut rest: &[u8]) -> &[u8] {
    while let Some(at) = memchr::memchr2(b'"', b'\\', rest) {
        let step = if rest.get(at) == Some(&b'"') { 1 } else { 2 };
        rest = rest.get(at + step..).unwrap_or_default();
        if step == 1 {
            return rest;
        }
    }
    &[]
}

#[cfg(test)]
mod tests {
    use super::scan;

    #[test]
    fn members_are_counted_in_the_order_of_opening() {
        let body = br#" {"a,b": [1, 2 ,3], "c\"]": {}, "d": [[], [ {"e":"[,"} ]]} "#;
        assert_eq!(scan(body).unwrap().as_slice(), [3, 3, 0, 2, 0, 1, 1]);
        assert_eq!(scan(b"7").unwrap().as_slice(), [0_usize; 0]);
    }

    #[test]
    fn what_is_no_json_passes_on_to_the_parser() {
        for body in [&b"]]}"[..], b"[,,", b"\"\\", b":,", b"nope, not at all"] {
            assert!(scan(body).is_ok());
        }
    }
}
