//! What the `const` checks of a table need: text that can be built, and names compared, while compiling.

use super::{FieldDecl, Source};

/// Text of at most 512 bytes, built in a `const`; what does not fit is cut.
#[derive(Clone, Copy, Debug)]
pub struct Text {
    bytes: [u8; 512],
    len: usize,
}

impl Text {
    /// No text.
    pub const fn new() -> Self {
        Self { bytes: [0; 512], len: 0 }
    }

    /// This text with `more` behind it.
    #[must_use]
    #[allow(clippy::indexing_slicing, reason = "iterators are not const yet; the loop's condition checks the index")]
    pub const fn add(mut self, more: &str) -> Self {
        let more = more.as_bytes();
        let mut at = 0;
        while at < more.len() && self.len < self.bytes.len() {
            self.bytes[self.len] = more[at];
            self.len += 1;
            at += 1;
        }
        self
    }

    /// This text with a number behind it.
    #[must_use]
    #[allow(
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        reason = "the largest number has twenty digits, and a digit fits a byte"
    )]
    pub const fn number(self, mut number: usize) -> Self {
        let mut digits = [b'0'; 20];
        let mut first = digits.len() - 1;
        loop {
            digits[first] = b'0' + (number % 10) as u8;
            number /= 10;
            if number == 0 {
                break;
            }
            first -= 1;
        }
        match core::str::from_utf8(digits.split_at(first).1) {
            Ok(digits) => self.add(digits),
            Err(_) => self,
        }
    }

    /// This text with a place in the source behind it.
    #[must_use]
    pub const fn place(self, source: Source) -> Self {
        self.add(source.file).add(":").number(source.line as usize)
    }

    /// The text; a cut inside a character leaves nothing but a note.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "(text too long to show)",
        }
    }
}

impl Default for Text {
    fn default() -> Self {
        Self::new()
    }
}

/// Whether two names are the same.
pub const fn same_text(a: &str, b: &str) -> bool {
    compare(a, b, Rewrite::Nothing)
}

/// Whether two names are one header, whose case does not count.
pub const fn same_header(a: &str, b: &str) -> bool {
    compare(a, b, Rewrite::Case)
}

/// Whether two names become one for clients that rewrite `-` and `.` to `_` (`DESIGN.md` 4).
pub const fn nearly_equal(a: &str, b: &str) -> bool {
    compare(a, b, Rewrite::Marks)
}

/// A number that nearly equal names have in common (FNV-1a), so that a thousand names are told apart without comparing the
/// text of each with that of each: the compiler would be at it for minutes.
#[allow(clippy::indexing_slicing, reason = "iterators are not const yet; the loop's condition checks the index")]
pub const fn fingerprint(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let (mut hash, mut at) = (0xcbf2_9ce4_8422_2325, 0);
    while at < bytes.len() {
        hash = (hash ^ rewritten(bytes[at], Rewrite::Marks) as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    hash
}

/// Whether two URIs may be one: templates are the same where they differ in the names of their variables alone.
#[allow(clippy::indexing_slicing, reason = "iterators are not const yet; the loops' conditions check the indices")]
pub const fn same_uri(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut at, mut bt) = (0, 0);
    while at < a.len() && bt < b.len() {
        if a[at] != b[bt] {
            return false;
        }
        if a[at] == b'{' {
            while at < a.len() && a[at] != b'}' {
                at += 1;
            }
            while bt < b.len() && b[bt] != b'}' {
                bt += 1;
            }
        }
        at += 1;
        bt += 1;
    }
    at >= a.len() && bt >= b.len()
}

/// What is the same before two names are compared.
#[derive(Clone, Copy)]
enum Rewrite {
    Nothing,
    Case,
    Marks,
}

#[allow(clippy::indexing_slicing, reason = "iterators are not const yet; both indices are below the common length")]
const fn compare(a: &str, b: &str, rewrite: Rewrite) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if rewritten(a[at], rewrite) != rewritten(b[at], rewrite) {
            return false;
        }
        at += 1;
    }
    true
}

const fn rewritten(byte: u8, rewrite: Rewrite) -> u8 {
    match (byte, rewrite) {
        (b'-' | b'.', Rewrite::Marks) => b'_',
        (other, Rewrite::Case) => other.to_ascii_lowercase(),
        (other, _) => other,
    }
}

/// How many of the rows that a build may leave out are there.
pub const fn count(present: &[()]) -> usize {
    present.len()
}

/// Checks that one field has this name, of those that a build leaves.
///
/// # Panics
///
/// Where two have it; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
#[allow(clippy::panic, clippy::indexing_slicing, reason = "iterators are not const yet, and a panic is the message")]
pub const fn check_field_name(fields: &[FieldDecl], name: &str) {
    let (mut at, mut found) = (0, 0);
    while at < fields.len() {
        if same_text(fields[at].name, name) {
            found += 1;
        }
        at += 1;
    }
    if found > 1 {
        let text = Text::new().add("this build has two fields named `").add(name);
        panic!("{}", text.add("`; let their `#[cfg(…)]` exclude each other, or rename one").as_str());
    }
}

#[cfg(test)]
mod tests {
    use super::{Text, fingerprint, nearly_equal, same_header, same_text, same_uri};

    #[test]
    fn names_that_clients_rewrite_are_nearly_equal() {
        assert!(nearly_equal("cut-out", "cut_out"));
        assert!(nearly_equal("cut.out", "cut-out"));
        assert!(!same_text("cut-out", "cut_out"));
        assert!(same_header("LEASE-id", "Lease-Id"));
        assert!(!same_header("lease_id", "lease-id"));
        assert!(!nearly_equal("Cut-out", "cut_out"));
        assert!(!nearly_equal("cut_out", "cutout"));
        assert!(!nearly_equal("cut_out", "cut_oux"));
        assert_eq!(fingerprint("cut.out-1"), fingerprint("cut_out_1"));
        // The vector of FNV-1a for `foobar`.
        assert_eq!(fingerprint("foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn names_of_variables_do_not_tell_uris_apart() {
        assert!(same_uri("a://x", "a://x"));
        assert!(same_uri("a://{x}/b", "a://{another}/b"));
        for (a, b) in [("a://x", "a://xy"), ("a://xy", "a://x"), ("a://{x}", "a://x"), ("a://{x}/b", "a://{x}/c")] {
            assert!(!same_uri(a, b), "{a} {b}");
        }
    }

    #[test]
    fn numbers_are_decimal() {
        assert_eq!(
            Text::new().number(0).add(" ").number(10).add(" ").number(usize::MAX).as_str(),
            format!("0 10 {}", usize::MAX)
        );
    }

    #[test]
    fn text_keeps_what_fits() {
        assert_eq!(Text::new().add("two nodes: `").add("ä").add("`").as_str(), "two nodes: `ä`");
        let long = "x".repeat(600);
        assert_eq!(Text::new().add(&long).as_str().len(), 512);
    }
}
