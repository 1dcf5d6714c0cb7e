//! The known name that somebody most likely meant.

/// The known name nearest to `name`; none when all are too far to be a slip.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|candidate| (strsim::normalized_damerau_levenshtein(name, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.5)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_finds_its_name_and_noise_finds_none() {
        let known = ["image", "min_area"];
        assert_eq!(nearest("imgae", known), Some("image"));
        assert_eq!(nearest("min-area", known), Some("min_area"));
        assert_eq!(nearest("zz", known), None);
    }
}
