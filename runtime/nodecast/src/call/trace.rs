//! Where a call stands in its caller's trace: W3C Trace Context, as HTTP headers and MCP's `_meta` carry it.

use std::fmt;

/// The `traceparent` of a caller.
///
/// ```
/// use nodecast::call::TraceParent;
///
/// let sent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01";
/// let parent = TraceParent::parse(sent).unwrap();
/// assert_eq!((parent.trace_id(), parent.is_sampled()), ("0af7651916cd43dd8448eb211c80319c", true));
/// assert_eq!(parent.to_string(), sent);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceParent {
    trace_id: String,
    parent_id: String,
    flags: u8,
}

impl TraceParent {
    /// The place of a span of ours.
    #[cfg(feature = "otel")]
    pub(super) fn new(trace_id: String, parent_id: String, sampled: bool) -> Self {
        Self { trace_id, parent_id, flags: u8::from(sampled) }
    }

    /// Reads one; none where it is malformed, since the standard starts a new trace then.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.trim().split('-');
        let (version, trace_id, parent_id, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        // Versions to come may append parts; ours has none.
        let whole = version != "00" || parts.next().is_none();
        let known = version != "ff" && is_hex(version, 2) && is_hex(flags, 2);
        let identified = is_id(trace_id, 32) && is_id(parent_id, 16);
        if !(whole && known && identified) {
            return None;
        }
        let flags = u8::from_str_radix(flags, 16).ok()?;
        Some(Self { trace_id: trace_id.to_owned(), parent_id: parent_id.to_owned(), flags })
    }

    /// The trace, in 32 hexadecimal digits.
    pub fn trace_id(&self) -> &str {
        &self.trace_id
    }

    /// The caller's span, in 16 hexadecimal digits.
    pub fn parent_id(&self) -> &str {
        &self.parent_id
    }

    /// Whether the caller records its trace.
    pub fn is_sampled(&self) -> bool {
        self.flags & 1 == 1
    }
}

impl fmt::Display for TraceParent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "00-{}-{}-{:02x}", self.trace_id, self.parent_id, self.flags)
    }
}

fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// All zeros is no id.
fn is_id(text: &str, digits: usize) -> bool {
    is_hex(text, digits) && text.bytes().any(|byte| byte != b'0')
}

#[cfg(test)]
mod tests {
    use super::TraceParent;

    #[test]
    fn the_standards_own_examples() {
        for good in [
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00",
            "cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-will-be-like",
        ] {
            assert!(TraceParent::parse(good).is_some(), "{good}");
        }
        for bad in [
            "",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more",
            "00-4bf92f3577b34da6a3ce929d0e0e473ä-00f067aa0ba902b7-01",
        ] {
            assert_eq!(TraceParent::parse(bad), None, "{bad}");
        }
    }
}
