//! What is said of a name that is not known: what somebody most likely meant, and so much of it as is worth reading.

use std::borrow::Cow;

/// Longer ones are no slip of a name, and comparing takes the square of the length.
const LONGEST: usize = 256;
/// So many characters of a name are shown.
const SHOWN: usize = 100;

/// The known name nearest to `name`; none when all are too far to be a slip.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if name.len() > LONGEST {
        return None;
    }
    known
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(name, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.5)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// A name as a message shows it: cut where it is longer than any name would be.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()).into(),
        None => name.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{nearest, shown};

    #[test]
    fn t04_a_name_of_a_megabyte_is_compared_with_nothing() {
        let long = "ä".repeat(1 << 20);
        assert_eq!(nearest(&long, [long.as_str()]), None);
        assert_eq!(shown(&long), format!("{}…", "ä".repeat(100)));
        assert_eq!(shown("short"), "short");
    }

    #[test]
    fn a_slip_finds_its_name_and_noise_finds_none() {
        let known = ["image", "min_area"];
        assert_eq!(nearest("imgae", known), Some("image"));
        assert_eq!(nearest("min-area", known), Some("min_area"));
        assert_eq!(nearest("zz", known), None);
    }
}
