//! What the keys of a map are, asked of the type that decodes them.
//!
//! A schema does not say it, since schemars drops what it knows of a key (its `maps.rs` keeps the sign of integers and
//! the names of a plain enum, and nothing of a bool, a character, a range or an enum with docs). The decoder knows: a
//! map is decoded that has one key which only text takes, and who refuses it says what would have been right, to serde
//! and so to us, through whatever buffers, flattens or tries it.

use std::borrow::Cow;
use std::cell::RefCell;

use serde::de::{DeserializeOwned, Expected, Unexpected};

use super::de::Decoder;
use super::{Regime, Value, native};
use crate::decl::{KeyAnswer, KeyType};

/// The key that asks.
pub const ASKING_KEY: &str = "$nodecast::key";

thread_local! {
    /// What refused the key so far; none while nobody asks.
    static ANSWERS: RefCell<Option<Vec<KeyType>>> = const { RefCell::new(None) };
}

/// What the map in `value` that has the key [`ASKING_KEY`] wants in its place; none where it takes any text, and where
/// several types refuse it, such as the variants of an untagged enum.
pub fn key_type<T: DeserializeOwned>(value: serde_json::Value) -> Option<KeyAnswer> {
    let _scope = native::Scope::enter(Regime::Json);
    let asking = Asking::start();
    let taken = T::deserialize(Decoder(Cow::Owned(Value::from(value)))).is_ok();
    let mut answers = ANSWERS.take().unwrap_or_default().into_iter();
    drop(asking);
    let keys = answers.next()?;
    answers.all(|other| other == keys).then_some(KeyAnswer { keys, taken })
}

/// While it lives, answers are taken down.
struct Asking;

impl Asking {
    fn start() -> Self {
        ANSWERS.set(Some(Vec::new()));
        Self
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ANSWERS.set(None);
    }
}

/// The text of a key that asks.
pub(super) fn asking(key: &Value) -> Option<&'static str> {
    (key.as_text() == Some(ASKING_KEY) && is_asked()).then_some(ASKING_KEY)
}

fn is_asked() -> bool {
    ANSWERS.with_borrow(Option::is_some)
}

/// Takes down who refused the key, and what it expected in serde's words.
pub(super) fn refused(found: Unexpected<'_>, expected: &dyn Expected) {
    if found == Unexpected::Str(ASKING_KEY)
        && is_asked()
        && let Some(answer) = understood(&expected.to_string())
    {
        answer_with(answer);
    }
}

/// Takes down that the key is none of these names.
pub(super) fn not_among(found: &str, names: &'static [&'static str]) {
    if found == ASKING_KEY && is_asked() {
        answer_with(KeyType::OneOf(names));
    }
}

fn answer_with(answer: KeyType) {
    ANSWERS.with_borrow_mut(|answers| answers.as_mut().map(|answers| answers.push(answer)));
}

/// The type that serde and std call so.
fn understood(expected: &str) -> Option<KeyType> {
    let (name, zero) = match expected.strip_prefix("a nonzero ") {
        Some(name) => (name, false),
        None => (expected, true),
    };
    macro_rules! integers {
        ($($ty:ident)*) => {
            match name {
                $(stringify!($ty) => {
                    Some(KeyType::Integer { min: $ty::MIN.to_string(), max: $ty::MAX.to_string(), zero })
                })*
                "a boolean" => Some(KeyType::Boolean),
                "a character" => Some(KeyType::Character),
                _ => None,
            }
        };
    }
    integers! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};
    use std::hash::Hash;
    use std::num::{NonZeroI8, NonZeroU16};

    use serde::Deserialize;
    use serde::de::DeserializeOwned;
    use serde_json::json;

    use super::{ASKING_KEY, key_type};
    use crate::decl::KeyType;

    #[derive(Deserialize, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[serde(rename_all = "kebab-case")]
    enum Way {
        /// With docs, which is what schemars stumbles over.
        UpWards,
        Down,
    }

    #[derive(Deserialize, PartialEq, Eq, Hash)]
    struct Id(Option<u32>);

    #[derive(Deserialize)]
    #[allow(dead_code, reason = "only decoded")]
    struct Flat<K: Eq + Hash> {
        id: u8,
        #[serde(flatten)]
        rest: HashMap<K, bool>,
    }

    #[derive(Deserialize)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only decoded")]
    enum Either {
        Numbers(BTreeMap<u8, bool>),
        Names(BTreeMap<String, bool>),
    }

    fn of<T: DeserializeOwned>() -> Option<KeyType> {
        key_type::<T>(json!({ ASKING_KEY: true })).map(|answer| answer.keys)
    }

    fn flat<K: DeserializeOwned + Eq + Hash>() -> Option<KeyType> {
        key_type::<Flat<K>>(json!({ "id": 1, ASKING_KEY: true })).map(|answer| answer.keys)
    }

    fn integer(min: impl ToString, max: impl ToString, zero: bool) -> KeyType {
        KeyType::Integer { min: min.to_string(), max: max.to_string(), zero }
    }

    #[test]
    fn a_type_says_what_its_keys_are() {
        assert_eq!(of::<BTreeMap<u8, bool>>(), Some(integer(0, 255, true)));
        assert_eq!(of::<BTreeMap<i64, bool>>(), Some(integer(i64::MIN, i64::MAX, true)));
        assert_eq!(of::<BTreeMap<u128, bool>>(), Some(integer(0, u128::MAX, true)));
        assert_eq!(of::<BTreeMap<NonZeroU16, bool>>(), Some(integer(0, u16::MAX, false)));
        assert_eq!(of::<BTreeMap<NonZeroI8, bool>>(), Some(integer(i8::MIN, i8::MAX, false)));
        assert_eq!(of::<HashMap<Id, bool>>(), Some(integer(0, u32::MAX, true)));
        assert_eq!(of::<BTreeMap<bool, bool>>(), Some(KeyType::Boolean));
        assert_eq!(of::<BTreeMap<char, bool>>(), Some(KeyType::Character));
        assert_eq!(of::<HashMap<Way, bool>>(), Some(KeyType::OneOf(&["up-wards", "down"])));
        assert_eq!(of::<BTreeMap<String, bool>>(), None);
    }

    #[test]
    fn what_is_buffered_says_it_too() {
        assert_eq!(flat::<u8>(), Some(integer(0, 255, true)));
        assert_eq!(flat::<bool>(), Some(KeyType::Boolean));
        assert_eq!(flat::<Way>(), Some(KeyType::OneOf(&["up-wards", "down"])));
        assert_eq!(flat::<String>(), None);
        let either = key_type::<Either>(json!({ ASKING_KEY: true })).unwrap();
        assert!(either.taken, "what one variant refuses the other takes");
    }

    #[test]
    fn nobody_is_asked_by_what_was_sent() {
        let sent = crate::wire::from_value::<BTreeMap<u8, bool>>(json!({ ASKING_KEY: true }).into());
        assert_eq!(sent.unwrap_err().kind, "map_key");
    }
}
