//! The shape of a body, before it is parsed: nesting, number of values, and how many each container holds.
//!
//! It walks without recursion, so that a hostile body meets no stack, and it knows of JSON only what tells text from
//! structure. What is no JSON the parser refuses afterwards.

use crate::wire::WireError;
use crate::wire::limits::{Budget, MAX_DEPTH};

/// How many members each list and object has, in the order in which they open; the parser reserves just that.
///
/// A byte a container, since a body may be nothing but empty ones.
#[derive(Debug, Default)]
pub(super) struct Counts {
    small: Vec<u8>,
    /// Those that no byte holds, with their places; once all are known, the first place stands last.
    large: Vec<(usize, usize)>,
    at: usize,
}

impl Counts {
    /// Of the container that opens next.
    pub(super) fn next(&mut self) -> usize {
        let at = self.at;
        self.at += 1;
        match self.large.last() {
            Some((place, count)) if *place == at => {
                let count = *count;
                self.large.pop();
                count
            }
            _ => self.small.get(at).copied().unwrap_or_default().into(),
        }
    }

    fn close(&mut self, (place, count): (usize, usize)) {
        match (u8::try_from(count), self.small.get_mut(place)) {
            (Ok(count), Some(small)) => *small = count,
            _ => self.large.push((place, count)),
        }
    }
}

/// Counts the members of every container of a body.
pub(super) fn scan(body: &[u8]) -> Result<Counts, WireError> {
    let mut scan = Scan { budget: Budget::for_body(body.len()), counts: Counts::default(), open: Vec::new() };
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
                scan.open.push((scan.counts.small.len(), 0));
                scan.counts.small.push(0);
            }
            b']' | b'}' => {
                if let Some(closed) = scan.open.pop() {
                    scan.counts.close(closed);
                }
            }
            b',' => scan.next()?,
            // What stands before it is a key, which is a value too.
            b':' if !scan.open.is_empty() => scan.budget.spend()?,
            _ => scan.first()?,
        }
    }
    let mut counts = scan.counts;
    counts.large.sort_unstable_by_key(|(place, _)| std::cmp::Reverse(*place));
    Ok(counts)
}

struct Scan {
    budget: Budget,
    counts: Counts,
    /// Place and members so far of the containers that are open.
    open: Vec<(usize, usize)>,
}

impl Scan {
    /// A value stands here, which counts if it is the first of its container; the others follow a comma.
    fn first(&mut self) -> Result<(), WireError> {
        match self.open.last_mut() {
            Some((_, count @ 0)) => {
                *count = 1;
                self.budget.spend()
            }
            _ => Ok(()),
        }
    }

    fn next(&mut self) -> Result<(), WireError> {
        match self.open.last_mut() {
            Some((_, count)) => {
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
        let mut counts = scan(body).unwrap();
        assert_eq!([(); 7].map(|()| counts.next()), [3, 3, 0, 2, 0, 1, 1]);
        let long = |count: usize| format!("[{}0]", "0,".repeat(count - 1));
        let body = format!("[{}, [], {}, {}, [1], {}]", long(255), long(256), long(3), long(1000));
        let mut counts = scan(body.as_bytes()).unwrap();
        assert_eq!([(); 7].map(|()| counts.next()), [6, 255, 0, 256, 3, 1, 1000]);
    }

    #[test]
    fn what_is_no_json_passes_on_to_the_parser() {
        for body in [&b"]]}"[..], b"[,,", b"\"\\", b":,", b"nope, not at all"] {
            assert!(scan(body).is_ok());
        }
    }
}
