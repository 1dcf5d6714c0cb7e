//! Integers from −2^63 to 2^64−1, one representation a number.

use std::cmp::Ordering;
use std::fmt;

/// An integer from −2^63 to 2^64−1.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Integer(Repr);

/// Equal numbers have equal representations: what is not negative is `NonNegative`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Repr {
    NonNegative(u64),
    Negative(i64),
}

impl Integer {
    /// As `i64`, where it fits.
    pub fn as_i64(self) -> Option<i64> {
        match self.0 {
            Repr::NonNegative(number) => i64::try_from(number).ok(),
            Repr::Negative(number) => Some(number),
        }
    }

    /// As `u64`, where it fits.
    pub fn as_u64(self) -> Option<u64> {
        match self.0 {
            Repr::NonNegative(number) => Some(number),
            Repr::Negative(_) => None,
        }
    }

    /// The nearest `f64`.
    #[allow(clippy::cast_precision_loss, reason = "the nearest float is what is asked for")]
    pub fn as_f64(self) -> f64 {
        match self.0 {
            Repr::NonNegative(number) => number as f64,
            Repr::Negative(number) => number as f64,
        }
    }

    /// The magnitude.
    pub fn unsigned_abs(self) -> u64 {
        match self.0 {
            Repr::NonNegative(number) => number,
            Repr::Negative(number) => number.unsigned_abs(),
        }
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        matches!(self.0, Repr::Negative(_))
    }

    /// The integer that a text writes in the one way in which we write it.
    pub fn written(text: &str) -> Option<Self> {
        let number = text.parse::<i128>().ok().and_then(|number| Self::try_from(number).ok())?;
        (number.to_string() == text).then_some(number)
    }

    /// The integer that a float without a fraction stands for, up to ±(2^53−1): the next float may have been another
    /// integer before it was one.
    #[allow(clippy::cast_possible_truncation, reason = "checked to be whole and in range")]
    pub fn from_integral(number: f64) -> Option<Self> {
        const LIMIT: f64 = 9_007_199_254_740_991.0;
        (number.fract() == 0.0 && number.abs() <= LIMIT).then(|| Self::from(number as i64))
    }
}

macro_rules! from {
    ($wide:ident: $($narrow:ident)*) => {$(
        impl From<$narrow> for Integer {
            fn from(number: $narrow) -> Self {
                Self::from($wide::from(number))
            }
        }
    )*};
}
from! { i64: i8 i16 i32 }
from! { u64: u8 u16 u32 }

impl From<i64> for Integer {
    fn from(number: i64) -> Self {
        Self(u64::try_from(number).map_or(Repr::Negative(number), Repr::NonNegative))
    }
}

impl From<u64> for Integer {
    fn from(number: u64) -> Self {
        Self(Repr::NonNegative(number))
    }
}

impl From<usize> for Integer {
    fn from(number: usize) -> Self {
        Self::from(number as u64)
    }
}

impl TryFrom<i128> for Integer {
    type Error = std::num::TryFromIntError;

    fn try_from(number: i128) -> Result<Self, Self::Error> {
        match u64::try_from(number) {
            Ok(number) => Ok(Self::from(number)),
            Err(_) => i64::try_from(number).map(Self::from),
        }
    }
}

impl From<Integer> for i128 {
    fn from(number: Integer) -> Self {
        match number.0 {
            Repr::NonNegative(number) => Self::from(number),
            Repr::Negative(number) => Self::from(number),
        }
    }
}

impl PartialOrd for Integer {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Integer {
    fn cmp(&self, other: &Self) -> Ordering {
        i128::from(*self).cmp(&i128::from(*other))
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::NonNegative(number) => fmt::Display::fmt(&number, f),
            Repr::Negative(number) => fmt::Display::fmt(&number, f),
        }
    }
}

impl fmt::Debug for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::Integer;

    #[test]
    fn one_number_one_representation() {
        assert_eq!(Integer::from(7_i64), Integer::from(7_u64));
        assert_eq!(Integer::try_from(i128::from(u64::MAX)).unwrap(), Integer::from(u64::MAX));
        assert!(Integer::try_from(i128::from(u64::MAX) + 1).is_err());
        assert!(Integer::try_from(i128::from(i64::MIN) - 1).is_err());
        assert!(Integer::from(-1_i64) < Integer::from(u64::MAX));
    }

    #[test]
    fn integral_floats_end_where_floats_skip() {
        assert_eq!(Integer::from_integral(-0.0), Some(Integer::from(0_i64)));
        assert_eq!(Integer::from_integral(9_007_199_254_740_991.0), Some(Integer::from((1_u64 << 53) - 1)));
        assert_eq!(Integer::from_integral(-9_007_199_254_740_992.0), None);
        assert_eq!(Integer::from_integral(0.5), None);
        assert_eq!(Integer::from_integral(f64::NAN), None);
        assert_eq!(Integer::from_integral(f64::INFINITY), None);
    }
}
