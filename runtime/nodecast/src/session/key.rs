//! What a holder shows, and who it is.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// What a holder shows to use its lease.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A session id of the older era.
    Session(Arc<str>),
    /// A lease handle of the newer era.
    Lease(Handle),
    /// The process itself, which a client on stdio has alone.
    Process,
}

/// A lease handle: 128 random bits, whose text is 32 hexadecimal digits.
///
/// The bits come from whoever makes one, as the time does, so that the machine stays a function of what it is given.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Handle(u128);

impl Handle {
    /// The handle of these bits, which nobody must be able to guess.
    pub fn new(bits: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bits))
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Possession opens the nodeset, so a log never shows it.
impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Handle(…)")
    }
}

/// A text that is no handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a lease is 32 hexadecimal digits")]
pub struct NoHandle;

impl FromStr for Handle {
    type Err = NoHandle;

    /// One handle has one text: no sign, no capitals, no other length.
    fn from_str(text: &str) -> Result<Self, NoHandle> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if text.len() != 32 || !text.bytes().all(is_digit) {
            return Err(NoHandle);
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| NoHandle)
    }
}

/// Who holds a lease.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holder {
    /// The authenticated principal, where there is one; nobody else's message is the holder's.
    pub principal: Option<String>,
    /// How the holder calls itself; shown to those who wait, and decides nothing.
    pub label: String,
}

impl Holder {
    /// A client may call itself anything; so many characters of it are shown to others.
    const LONGEST: usize = 80;

    /// A holder with what is shown of its name: what can be seen, on one line.
    pub fn new(principal: Option<String>, label: &str) -> Self {
        let is_seen = |letter: &char| letter.is_alphanumeric() || letter.is_ascii_punctuation() || *letter == ' ';
        let label = label.chars().filter(is_seen).take(Self::LONGEST).collect();
        Self { principal, label }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_a_handle_has_128_bits_and_one_text() {
        let bits = [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff];
        let text = "00112233445566778899aabbccddeeff";
        assert_eq!(Handle::new(bits).to_string(), text);
        assert_eq!(text.parse(), Ok(Handle::new(bits)));
        for other in [
            "",
            "00",
            &text.to_uppercase(),
            &format!("{text}0"),
            "+0112233445566778899aabbccddeeff",
            " 0112233445566778899aabbccddeeff",
        ] {
            assert_eq!(other.parse::<Handle>(), Err(NoHandle), "{other}");
        }
        assert!(!format!("{:?}", Key::Lease(Handle::new(bits))).contains("33"), "a log never shows it");
    }

    #[test]
    fn what_is_shown_of_a_holder_is_short_and_on_one_line() {
        let holder = Holder::new(None, &format!("a\nb\u{1b}[31m\u{202e}\u{200b}{}", "x".repeat(500)));
        assert_eq!((holder.label.chars().count(), &holder.label[..7]), (80, "ab[31mx"));
    }
}
