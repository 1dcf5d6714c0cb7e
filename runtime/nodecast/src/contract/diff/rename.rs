//! Names that went and names that came: which of them are one thing under another name.

/// One thing under another name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Renamed {
    pub(super) old: String,
    pub(super) new: String,
}

/// Names are alike from here on, by Jaro and Winkler.
const ALIKE: f64 = 0.75;

/// Pairs of names that are alike and mean the same, the most alike first.
pub(super) fn pairs(
    removed: &[&String],
    added: &[&String],
    means_the_same: impl Fn(&str, &str) -> bool,
) -> Vec<Renamed> {
    let mut candidates: Vec<(f64, &String, &String)> = Vec::new();
    for old in removed {
        for new in added {
            let alike = alike(old, new);
            if alike >= ALIKE && means_the_same(old, new) {
                candidates.push((alike, old, new));
            }
        }
    }
    candidates.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut pairs: Vec<Renamed> = Vec::new();
    for (_, old, new) in candidates {
        if pairs.iter().all(|pair| pair.old != *old && pair.new != *new) {
            pairs.push(Renamed { old: old.clone(), new: new.clone() });
        }
    }
    pairs
}

fn alike(a: &str, b: &str) -> f64 {
    let words = |name: &str| name.split(['_', '-']).map(str::to_owned).collect::<Vec<_>>();
    let (words_a, words_b) = (words(a), words(b));
    // `image` and `source_image`, `min_area` and `area_min`.
    let (short, long) = if words_a.len() <= words_b.len() { (&words_a, &words_b) } else { (&words_b, &words_a) };
    if short.iter().all(|word| long.contains(word)) {
        return 0.9;
    }
    strsim::jaro_winkler(a, b)
}

#[cfg(test)]
mod tests {
    use super::{Renamed, pairs};

    #[test]
    fn the_most_alike_are_one() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let (removed, added) = (names(&["image", "threshold"]), names(&["source_image", "treshold", "mask"]));
        let refs = |names: &'static [String]| names.iter().collect::<Vec<_>>();
        let found = pairs(&refs(Box::leak(removed.into())), &refs(Box::leak(added.into())), |_, _| true);
        let renamed = |old: &str, new: &str| Renamed { old: old.to_owned(), new: new.to_owned() };
        // Jaro matches the first `h` of `threshold` with the only one of `treshold`: 0.88, and all words of `image` are 0.9.
        assert_eq!(found, [renamed("image", "source_image"), renamed("threshold", "treshold")]);
    }
}
