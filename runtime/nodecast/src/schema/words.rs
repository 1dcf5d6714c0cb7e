//! Which keywords of a schema are words: for people and models, and without a say in which values are accepted. The one
//! place that knows it.

/// The annotations of JSON Schema 2020-12, and what names a document.
const WORDS: [&str; 10] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$schema",
    "$id",
];

/// Whether a keyword is words; so is each that somebody made up, as long as it is called as such ones are.
pub(crate) fn is_words(key: &str) -> bool {
    WORDS.contains(&key) || key.starts_with("x-")
}
