//! Text within what clients take: head and tail of what is longer, and where the rest is.

/// Longest text block, in UTF-16 units: clients cut or refuse longer ones.
const MAX_TEXT: usize = 40_000;

/// Whether a text is longer than clients take.
pub(super) fn is_too_long(text: &str) -> bool {
    // A unit is at least a byte, so most texts need no counting.
    text.len() > MAX_TEXT && text.encode_utf16().count() > MAX_TEXT
}

/// Head and tail of a text, and between them how much is left out, and `rest`: where that is.
pub(super) fn cut(text: &str, rest: &str) -> String {
    let units = text.encode_utf16().count();
    let more = grouped(units.saturating_sub(MAX_TEXT));
    let mark = format!("\n[more than {more} of {} characters left out{rest}]\n", grouped(units));
    let half = MAX_TEXT.saturating_sub(mark.len()) / 2;
    let (head, tail) = (prefix(text.chars(), half), prefix(text.chars().rev(), half));
    let (head, tail) = (text.get(..head).unwrap_or_default(), text.get(text.len() - tail..).unwrap_or_default());
    format!("{head}{mark}{tail}")
}

/// The bytes of as many characters as have `units` UTF-16 units.
fn prefix(chars: impl Iterator<Item = char>, units: usize) -> usize {
    let mut left = units;
    chars
        .map_while(|char| {
            left = left.checked_sub(char.len_utf16())?;
            Some(char.len_utf8())
        })
        .sum()
}

/// A number with a comma before each three digits, as people and models read large ones.
pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w7_text_is_bounded() {
        assert!(!is_too_long(&"ä".repeat(MAX_TEXT)));
        assert!(!is_too_long(&"😀".repeat(MAX_TEXT / 2)));
        assert!(is_too_long(&"😀".repeat(MAX_TEXT / 2 + 1)));
        let cut = cut(&"ä😀".repeat(100_000), "; elsewhere");
        assert!(cut.encode_utf16().count() <= MAX_TEXT);
        assert!(cut.starts_with("ä😀") && cut.ends_with("😀"));
        assert!(cut.contains("260,000 of 300,000 characters left out; elsewhere"), "{}", &cut[50_000..]);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(
            [0, 12, 999, 1_000, 40_000, 5_000_000].map(grouped),
            ["0", "12", "999", "1,000", "40,000", "5,000,000"]
        );
    }
}
