//! Numbers of a schema, compared exactly: bounds that are whole stay whole, however large.

use std::cmp::Ordering;

use serde_json::{Number, Value as Json};

use crate::wire::on_grid;

/// The order of two numbers, exactly where both are whole or both are floats.
pub(super) fn order(a: &Number, b: &Number) -> Ordering {
    match (whole(a), whole(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(a), None) => below(b, a).reverse(),
        (None, Some(b)) => below(a, b),
        (None, None) => float(a).total_cmp(&float(b)),
    }
}

/// The order of a number that is not whole and one that is.
fn below(fraction: &Number, whole: i128) -> Ordering {
    // A float that is not whole is small enough for its floor to be exact.
    #[allow(clippy::cast_possible_truncation, reason = "floats with a fraction are below 2^53")]
    let floor = float(fraction).floor() as i128;
    if floor < whole { Ordering::Less } else { Ordering::Greater }
}

/// The number as an integer, where it is one: 5.0 is.
pub(super) fn whole(number: &Number) -> Option<i128> {
    if let Some(number) = number.as_i128() {
        return Some(number);
    }
    let float = number.as_f64()?;
    #[allow(clippy::cast_possible_truncation, reason = "whole and in range, so exact")]
    (float.fract() == 0.0 && float.abs() < 1e38).then_some(float as i128)
}

fn float(number: &Number) -> f64 {
    number.as_f64().unwrap_or(f64::NAN)
}

/// Whether every multiple of `a` is one of `b`, as decimals are written.
pub(super) fn is_multiple(a: f64, b: f64) -> bool {
    on_grid(b, [a])
}

/// What bounds a number from one side.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Bound {
    /// The number.
    pub(super) at: Number,
    /// Whether it is itself left out.
    pub(super) open: bool,
}

impl Bound {
    /// The bound that a keyword gives; for whole numbers the last one that is inside.
    pub(super) fn read(value: &Json, open: bool) -> Option<Self> {
        Some(Self { at: value.as_number()?.clone(), open })
    }

    /// The same for whole numbers: closed, and on one of them.
    fn of_whole(&self, up: bool) -> Option<i128> {
        let Self { at, open } = self;
        match whole(at) {
            Some(at) if *open => Some(if up { at.checked_add(1)? } else { at.checked_sub(1)? }),
            Some(at) => Some(at),
            None => {
                let at = if up { float(at).ceil() } else { float(at).floor() };
                #[allow(clippy::cast_possible_truncation, reason = "floats with a fraction are below 2^53")]
                Some(at as i128)
            }
        }
    }
}

/// A range, open to either side where there is no bound.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Range {
    pub(super) min: Option<Bound>,
    pub(super) max: Option<Bound>,
}

impl Range {
    /// What is in both.
    pub(super) fn and(&self, other: &Self) -> Self {
        Self {
            min: tighter(self.min.as_ref(), other.min.as_ref(), Ordering::Greater),
            max: tighter(self.max.as_ref(), other.max.as_ref(), Ordering::Less),
        }
    }

    /// Whether all of it is in `other`; `whole` says that only whole numbers count.
    pub(super) fn is_in(&self, other: &Self, whole: bool) -> bool {
        let inside = |own: &Option<Bound>, other: &Option<Bound>, up: bool| match (own, other) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(other)) if whole => match (own.of_whole(up), other.of_whole(up)) {
                (Some(own), Some(other)) => {
                    if up {
                        own >= other
                    } else {
                        own <= other
                    }
                }
                _ => false,
            },
            (Some(own), Some(other)) => {
                let toward = if up { Ordering::Greater } else { Ordering::Less };
                match order(&own.at, &other.at) {
                    Ordering::Equal => own.open || !other.open,
                    order => order == toward,
                }
            }
        };
        inside(&self.min, &other.min, true) && inside(&self.max, &other.max, false)
    }

    /// Whether nothing is in it.
    pub(super) fn is_empty(&self, whole: bool) -> bool {
        let (Some(min), Some(max)) = (&self.min, &self.max) else { return false };
        if whole {
            return matches!((min.of_whole(true), max.of_whole(false)), (Some(min), Some(max)) if min > max);
        }
        match order(&min.at, &max.at) {
            Ordering::Less => false,
            Ordering::Equal => min.open || max.open,
            Ordering::Greater => true,
        }
    }

    /// The whole numbers in it, if they are few.
    pub(super) fn whole_numbers(&self, most: usize) -> Option<Vec<Json>> {
        let min = self.min.as_ref()?.of_whole(true)?;
        let max = self.max.as_ref()?.of_whole(false)?;
        let count = usize::try_from(max.checked_sub(min)?.checked_add(1)?.max(0)).ok()?;
        let numbers = (min..=max).map(|number| i64::try_from(number).ok().map(Json::from));
        if count <= most { numbers.collect() } else { None }
    }
}

fn tighter(a: Option<&Bound>, b: Option<&Bound>, wins: Ordering) -> Option<Bound> {
    match (a, b) {
        (Some(a), Some(b)) => match order(&a.at, &b.at) {
            Ordering::Equal => Some(if a.open { a.clone() } else { b.clone() }),
            order => Some(if order == wins { a.clone() } else { b.clone() }),
        },
        (one, other) => one.or(other).cloned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::{Bound, Range};

    fn range(min: Json, max: Json) -> Range {
        Range { min: Bound::read(&min, false), max: Bound::read(&max, false) }
    }

    #[test]
    fn bounds_are_exact() {
        let open = Range { min: Bound::read(&json!(0), true), max: None };
        assert!(open.is_in(&range(json!(1), Json::Null), true), "whole numbers above 0 are those from 1");
        assert!(!open.is_in(&range(json!(1), Json::Null), false));
        assert!(range(json!(1), Json::Null).is_in(&open, false));
        assert!(range(json!(0.5), json!(2.5)).is_in(&range(json!(1), json!(2)), true));
        assert!(!range(json!(0.5), json!(2.5)).is_in(&range(json!(1), json!(2)), false));
        // Beyond 2^53, where floats have no odd numbers.
        let large = |last: i64| range(json!(0), json!(9_007_199_254_740_990_i64 + last));
        assert!(large(2).is_in(&large(3), true) && !large(3).is_in(&large(2), true));
        assert_eq!(range(json!(2), json!(4)).whole_numbers(3), Some(vec![json!(2), json!(3), json!(4)]));
        assert_eq!(range(json!(2), json!(5)).whole_numbers(3), None);
        assert!(range(json!(2.1), json!(2.9)).is_empty(true) && !range(json!(2.1), json!(2.9)).is_empty(false));
    }
}
