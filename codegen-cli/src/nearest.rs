//! The known name that a misspelt one was likely meant to be.

/// The nearest of `known`, if it is near enough to be worth a hint.
pub(crate) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let (near, likeness) = known
        .iter()
        .map(|candidate| (*candidate, strsim::jaro_winkler(name, candidate)))
        .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
    (likeness > 0.8).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_a_slip_and_nothing_else() {
        assert_eq!(nearest("segmnt", &["describe", "segment"]), Some("segment"));
        assert_eq!(nearest("xyz", &["describe", "segment"]), None);
        assert_eq!(nearest("x", &[]), None);
    }
}
