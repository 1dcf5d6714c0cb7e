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

/// The full name that was meant: the one whose last part it is, as people and clients shorten `kitchen__bake` to `bake`, or
/// the nearest, compared as a whole and by its last part.
pub fn nearest_named<'a>(name: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let short = |full: &'a str| full.rsplit_once("__").map_or(full, |(_, last)| last);
    let all = || known.clone().into_iter();
    all().find(|full| short(full) == name).or_else(|| nearest(name, all())).or_else(|| {
        let near = nearest(name, all().map(short))?;
        all().find(|full| short(full) == near)
    })
}

/// A name as a message shows it: cut where it is longer than any name would be.
pub(crate) fn shown(name: &str) -> Cow<'_, str> {
    shown_up_to(name, SHOWN)
}

/// So many characters of a text, and a mark where there are more.
pub(crate) fn shown_up_to(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{nearest, nearest_named, shown};

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

    #[test]
    fn a_full_name_is_found_by_its_last_part() {
        let known = ["tiny__echo", "tiny__not_a_number", "other__echo", "plain"];
        let nearest = |name: &str| nearest_named(name, known);
        assert_eq!(nearest("echo"), Some("tiny__echo"));
        assert_eq!(nearest("ehco"), Some("tiny__echo"));
        assert_eq!(nearest("othr__echo"), Some("other__echo"));
        assert_eq!(nearest("plain"), Some("plain"));
        assert_eq!(nearest("zz"), None);
        assert_eq!(nearest(&"echo".repeat(1 << 18)), None);
    }
}
