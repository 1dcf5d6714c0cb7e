//! Two of a kind among many values, found without comparing every pair.

use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash, Hasher};

use super::{Integer, Map, Value};

/// Up to here comparing every pair is faster than hashing.
const FEW: usize = 16;

/// So many are looked at in one round, since what is remembered of them counts towards what a body may cost.
const ROUND: usize = 1 << 18;

/// When two values are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// As keys: what was written differently differs.
    Form,
    /// As JSON Schema has it: 1 and 1.0 are one number.
    Number,
}

/// An item whose value is one with that of one before it.
pub(super) fn twin<T>(items: &[T], value: fn(&T) -> &Value, by: By) -> Option<&Value> {
    // Randomly keyed, so that a body cannot be made of colliding values.
    let state = RandomState::new();
    if items.len() <= FEW {
        return pair(&state, items.iter().map(value), by);
    }
    let at = |place: &u32| items.get(*place as usize).map(value);
    let places = 0..u32::try_from(items.len()).unwrap_or(u32::MAX);
    let rounds = items.len().div_ceil(ROUND) as u64;
    let expected = items.len() / items.len().div_ceil(ROUND);
    (0..rounds).find_map(|round| {
        let mut hashed: Vec<(u32, u32)> = Vec::with_capacity(expected + expected / 8);
        for place in places.clone() {
            let Some(value) = at(&place) else { continue };
            let hash = hash(&state, value, by);
            if hash % rounds == round {
                // More than chance brings are there only if some are one.
                if hashed.len() == hashed.capacity()
                    && let Some(found) = pair_of_hashed(&state, &mut hashed, at, by)
                {
                    return Some(found);
                }
                hashed.push((u32::try_from(hash >> 32).unwrap_or_default(), place));
            }
        }
        pair_of_hashed(&state, &mut hashed, at, by)
    })
}

/// A pair among those of one hash.
fn pair_of_hashed<'v>(
    state: &RandomState,
    hashed: &mut [(u32, u32)],
    at: impl Fn(&u32) -> Option<&'v Value> + Copy,
    by: By,
) -> Option<&'v Value> {
    hashed.sort_unstable();
    hashed
        .chunk_by(|(one, _), (other, _)| one == other)
        .filter(|run| run.len() > 1)
        .find_map(|run| pair(state, run.iter().take(FEW).filter_map(|(_, place)| at(place)), by))
}

/// A pair among few, of which the later one is given.
fn pair<'v>(state: &RandomState, values: impl Iterator<Item = &'v Value> + Clone, by: By) -> Option<&'v Value> {
    let mut later = values.clone().enumerate();
    later
        .find(|(count, value)| values.clone().take(*count).any(|other| same(state, value, other, by)))
        .map(|(_, value)| value)
}

/// Whether no two items are the same as JSON compares them.
pub(crate) fn distinct(items: &[Value]) -> bool {
    twin(items, |item| item, By::Number).is_none()
}

/// NaN is one with itself here: otherwise many of them would be compared in vain.
fn same(state: &RandomState, one: &Value, other: &Value, by: By) -> bool {
    match (one, other) {
        // Nearly all keys are.
        (Value::Text(one), Value::Text(other)) => one == other,
        (Value::Int(integer), Value::Float(float)) | (Value::Float(float), Value::Int(integer)) => {
            by == By::Number && Integer::from_integral(*float) == Some(*integer)
        }
        (Value::Float(one), Value::Float(other)) => {
            one.partial_cmp(other).map_or(one.is_nan() && other.is_nan(), Ordering::is_eq)
        }
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(state, one, other, by))
        }
        (Value::Map(one), Value::Map(other)) => {
            let same = |((key, value), (other_key, other)): (&(Value, Value), &(Value, Value))| {
                same(state, key, other_key, by) && same(state, value, other, by)
            };
            one.len() == other.len() && by_key(state, one, by).into_iter().zip(by_key(state, other, by)).all(same)
        }
        (one, other) => one == other,
    }
}

/// The members in an order that equal maps share.
fn by_key<'v>(state: &RandomState, map: &'v Map, by: By) -> Vec<&'v (Value, Value)> {
    let mut members: Vec<_> = map.iter().collect();
    members.sort_by_cached_key(|(key, _)| hash(state, key, by));
    members
}

/// What is the same hashes alike, and nothing else does but by chance.
fn hash(state: &RandomState, value: &Value, by: By) -> u64 {
    let mut hasher = state.build_hasher();
    let integer = match value {
        Value::Int(number) => Some(*number),
        Value::Float(number) if by == By::Number => Integer::from_integral(*number),
        _ => None,
    };
    match value {
        _ if integer.is_some() => (0_u8, integer).hash(&mut hasher),
        Value::Null | Value::Int(_) => 1_u8.hash(&mut hasher),
        Value::Bool(yes) => (2_u8, yes).hash(&mut hasher),
        Value::Float(number) if number.is_nan() => 3_u8.hash(&mut hasher),
        // 0.0 equals -0.0, and adding 0.0 makes them one pattern.
        Value::Float(number) => (4_u8, (number + 0.0).to_bits()).hash(&mut hasher),
        Value::Text(text) => (5_u8, text).hash(&mut hasher),
        Value::Bytes(bytes) => (6_u8, bytes).hash(&mut hasher),
        Value::Ext(code, bytes) => (7_u8, code, bytes).hash(&mut hasher),
        Value::List(items) => {
            (8_u8, items.len()).hash(&mut hasher);
            for item in items {
                hash(state, item, by).hash(&mut hasher);
            }
        }
        Value::Map(map) => {
            let entry = |(key, value): &(Value, Value)| {
                hash(state, key, by).wrapping_mul(31).wrapping_add(hash(state, value, by))
            };
            // A sum has no order.
            (9_u8, map.iter().map(entry).fold(0, u64::wrapping_add)).hash(&mut hasher);
        }
        Value::Array(array) => (10_u8, array.dtype(), array.shape(), array.data()).hash(&mut hasher),
        Value::Image(image) => (11_u8, image.shape(), image.pixels()).hash(&mut hasher),
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use std::hash::RandomState;

    use super::{By, FEW, ROUND, distinct, same, twin};
    use crate::wire::Value;

    fn items(json: serde_json::Value) -> Vec<Value> {
        let Value::List(items) = Value::from(json) else { panic!("no list") };
        items
    }

    #[test]
    fn twins_are_found_among_few_and_many() {
        let pairs = [
            (json!(1), json!(1.0), true),
            (json!(0), json!(-0.0), true),
            (json!({"a": 1, "b": [2]}), json!({"b": [2.0], "a": 1}), true),
            (json!("1"), json!(1), false),
            (json!(true), json!(1), false),
            (json!(null), json!(0), false),
            (json!([1, 2]), json!([2, 1]), false),
            (json!({"a": 1}), json!({"a": 1, "b": 1}), false),
        ];
        for (one, other, twins) in pairs {
            let state = RandomState::new();
            assert_eq!(same(&state, &one.clone().into(), &other.clone().into(), By::Number), twins, "{one} {other}");
            let mut list = items(json!([one, other]));
            assert_eq!(distinct(&list), !twins, "{one} {other}");
            list.extend((0..2 * FEW).map(|number| format!("filler {number}").into()));
            assert_eq!(distinct(&list), !twins, "{one} {other} among many");
        }
    }

    #[test]
    fn as_keys_numbers_differ_by_their_form() {
        let keys = items(json!([1, 1.0, 0]));
        assert!(twin(&keys, |key| key, By::Form).is_none());
        assert!(!distinct(&keys));
        let forms = |list: u32| (0..17).map(|at| if list >> at & 1 == 1 { 1_i64.into() } else { 1.0.into() }).collect();
        let mut keys: Vec<Value> = (0..1 << 17).map(forms).collect();
        assert!(twin(&keys, |key| key, By::Form).is_none(), "as many keys that are one by number");
        keys.push(forms(7));
        assert_eq!(twin(&keys, |key| key, By::Form), Some(&forms(7)));
    }

    #[test]
    fn many_are_looked_at_in_rounds_and_in_no_more_time_than_their_number() {
        let started = std::time::Instant::now();
        let mut numbers: Vec<Value> = (0..i64::try_from(2 * ROUND + 100).unwrap()).map(Value::from).collect();
        assert!(distinct(&numbers));
        numbers.push(7.into());
        assert_eq!(twin(&numbers, |number| number, By::Form), Some(&7.into()));
        // NaN equals nothing, and neither does a list that holds it.
        let nothing: Vec<Value> = (0..100_000).map(|_| vec![Value::from(f64::NAN)].into()).collect();
        assert!(!distinct(&nothing));
        let map = |turn: bool| -> Value {
            let mut members: Vec<_> = (0..50_000_i64).map(|key| (Value::from(key), Value::Null)).collect();
            if turn {
                members.reverse();
            }
            Value::Map(members.into_iter().collect())
        };
        assert!(!distinct(&[map(false), map(true)]));
        assert!(started.elapsed().as_secs() < 20);
    }
}
