//! What is told of a finding, and to whom: names that a caller made up are short in a refusal and absent from the log.

use super::{Finding, shown, shown_up_to};

/// A pointer of so many bytes is shown as it is.
const LONGEST_POINTER: usize = 256;

/// A sentence of so many bytes is; some list what is known.
const LONGEST_DETAIL: usize = 2048;

impl Finding {
    /// Cuts what a caller made too long to be read: names in the pointer, and the sentence.
    pub(super) fn shorten(&mut self) {
        if self.pointer.len() > LONGEST_POINTER {
            let parts: Vec<_> = self.pointer.split('/').map(shown).collect();
            let pointer = shown_up_to(&parts.join("/"), LONGEST_POINTER).into_owned();
            self.detail = self.detail.replace(&self.pointer, &pointer);
            self.pointer = pointer;
        }
        if self.detail.len() > LONGEST_DETAIL {
            self.detail = shown_up_to(&self.detail, LONGEST_DETAIL).into_owned();
        }
    }

    /// Its place as far as the declaration knows it: what a caller named or sent is not the log's to tell.
    pub(super) fn declared_place(&self) -> &str {
        let mut depth =
            if ["/inputs/", "/config/", "/outputs/"].iter().any(|part| self.pointer.starts_with(part)) { 2 } else { 1 };
        if self.kind == "unknown_field" && self.pointer.matches('/').count() == depth {
            depth -= 1;
        }
        let end = self.pointer.match_indices('/').nth(depth).map_or(self.pointer.len(), |(end, _)| end);
        self.pointer.get(..end).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: &'static str, pointer: &str) -> Finding {
        let detail = format!("`{pointer}` is not known");
        Finding { kind, pointer: pointer.to_owned(), detail, ..Finding::default() }
    }

    #[test]
    fn t04_a_name_of_fifty_kilobytes_is_shown_in_short() {
        let long = "x".repeat(50_000);
        let mut found = finding("unknown_field", &format!("/place/{long}/y"));
        found.shorten();
        let pointer = format!("/place/{}…/y", "x".repeat(100));
        assert_eq!((found.pointer.as_str(), found.detail), (pointer.as_str(), format!("`{pointer}` is not known")));
        let mut found = Finding { detail: long, ..finding("map_key", &"/x".repeat(50_000)) };
        found.shorten();
        assert!(
            found.pointer.chars().count() <= LONGEST_POINTER + 1 && found.detail.chars().count() <= LONGEST_DETAIL + 1
        );
        let mut short = finding("wrong_type", "/items/7");
        short.shorten();
        assert_eq!(short, finding("wrong_type", "/items/7"));
    }

    #[test]
    fn t25_the_log_has_the_declared_place_alone() {
        for (kind, pointer, place) in [
            ("wrong_type", "/items/7", "/items"),
            ("wrong_type", "/inputs/scores/secret/0", "/inputs/scores"),
            ("bad_output", "/outputs/result/digit", "/outputs/result"),
            ("unknown_field", "/secret", ""),
            ("unknown_field", "/inputs/secret", "/inputs"),
            ("unknown_field", "/place/secret", "/place"),
            ("missing_field", "/text", "/text"),
            ("malformed_body", "", ""),
        ] {
            assert_eq!(finding(kind, pointer).declared_place(), place, "{pointer}");
        }
    }
}
