//! A regular expression for the integers of a range as decimal text, each written in one way: no `+`, no zeros before
//! it, no `-0`.
//!
//! It works on digits, not on numbers, so that no range is too wide; and it uses nothing that one dialect of regular
//! expressions reads differently from another.

/// The expression for `min` to `max`, both in decimal.
pub(super) fn pattern(min: &str, max: &str) -> String {
    expression(&forms(min, max))
}

/// The same without 0, which a type may not hold although its bounds do.
pub(super) fn pattern_without_zero(min: &str, max: &str) -> String {
    let (least, most) = (if min == "0" { "1" } else { min }, if max == "0" { "-1" } else { max });
    if least.starts_with('-') && !most.starts_with('-') {
        return expression(&[forms(least, "-1"), forms("1", most)].concat());
    }
    pattern(least, most)
}

fn forms(min: &str, max: &str) -> Vec<String> {
    let mut forms = Vec::new();
    match (min.strip_prefix('-'), max.strip_prefix('-')) {
        (Some(most), Some(least)) => forms.extend(negative(&magnitudes(least, most))),
        (Some(most), None) => {
            forms.extend(negative(&magnitudes("1", most)));
            forms.extend(magnitudes("0", max));
        }
        (None, None) => forms.extend(magnitudes(min, max)),
        (None, Some(_)) => {}
    }
    forms
}

fn expression(forms: &[String]) -> String {
    match forms {
        // Nothing at all matches, not even the empty text.
        [] => r"^[^\s\S]$".to_owned(),
        forms => format!("^({})$", forms.join("|")),
    }
}

fn negative(magnitudes: &[String]) -> Option<String> {
    (!magnitudes.is_empty()).then(|| format!("-{}", group(magnitudes)))
}

/// Alternatives for the numbers of any length from `least` to `most`, neither with zeros before it.
fn magnitudes(least: &str, most: &str) -> Vec<String> {
    if (least.len(), least) > (most.len(), most) {
        return Vec::new();
    }
    if least == "0" {
        let rest = if most == "0" { Vec::new() } else { magnitudes("1", most) };
        return [vec!["0".to_owned()], rest].concat();
    }
    let mut alternatives = Vec::new();
    // Lengths of which every number is in the range, which make one alternative.
    let mut whole: Option<(usize, usize)> = None;
    for length in least.len()..=most.len() {
        let (smallest, largest) = (format!("1{}", "0".repeat(length - 1)), "9".repeat(length));
        let low = if length == least.len() { least } else { &smallest };
        let high = if length == most.len() { most } else { &largest };
        if low == smallest && high == largest {
            whole = Some((whole.map_or(length, |(first, _)| first), length));
        } else {
            alternatives.extend(of_one_length(low.as_bytes(), high.as_bytes()));
        }
    }
    if let Some((first, last)) = whole {
        let more = match (first - 1, last - 1) {
            (0, 0) => String::new(),
            (few, many) if few == many => any(few),
            (few, many) => format!("[0-9]{{{few},{many}}}"),
        };
        alternatives.push(format!("[1-9]{more}"));
    }
    alternatives
}

/// Alternatives for the numbers between two of the same length.
fn of_one_length(low: &[u8], high: &[u8]) -> Vec<String> {
    let (Some((first, low_rest)), Some((last, high_rest))) = (low.split_first(), high.split_first()) else {
        return vec![String::new()];
    };
    if first == last {
        return vec![format!("{}{}", char::from(*first), group(&of_one_length(low_rest, high_rest)))];
    }
    let (zeros, nines) = (vec![b'0'; low_rest.len()], vec![b'9'; high_rest.len()]);
    let mut alternatives = Vec::new();
    let mut inner = (*first, *last);
    if low_rest != zeros {
        alternatives.push(format!("{}{}", char::from(*first), group(&of_one_length(low_rest, &nines))));
        inner.0 += 1;
    }
    if high_rest != nines {
        alternatives.push(format!("{}{}", char::from(*last), group(&of_one_length(&zeros, high_rest))));
        inner.1 -= 1;
    }
    if inner.0 <= inner.1 {
        alternatives.push(format!("{}{}", digits(inner.0, inner.1), any(low_rest.len())));
    }
    alternatives
}

fn digits(first: u8, last: u8) -> String {
    let (first, last) = (char::from(first), char::from(last));
    if first == last { first.to_string() } else { format!("[{first}-{last}]") }
}

/// Any digits, so many.
fn any(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "[0-9]".to_owned(),
        count => format!("[0-9]{{{count}}}"),
    }
}

/// Alternatives as a part of something longer.
fn group(alternatives: &[String]) -> String {
    match alternatives {
        [single] => single.clone(),
        several => format!("({})", several.join("|")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{pattern, pattern_without_zero};

    fn matcher(min: &str, max: &str) -> impl Fn(&str) -> bool + use<> {
        matches(&pattern(min, max))
    }

    fn matches(pattern: &str) -> impl Fn(&str) -> bool + use<> {
        let schema = jsonschema::validator_for(&json!({"type": "string", "pattern": pattern})).unwrap();
        move |text| schema.is_valid(&text.into())
    }

    #[test]
    fn small_ranges_hold_just_their_numbers() {
        // Every pair of bounds, against every number well beyond them.
        for (min, max) in (-23..=23).flat_map(|min| (min..=23).map(move |max| (min, max))).step_by(7) {
            let matches = matcher(&min.to_string(), &max.to_string());
            for number in -130..=130 {
                assert_eq!(matches(&number.to_string()), (min..=max).contains(&number), "{number} of {min}..={max}");
            }
        }
    }

    #[test]
    fn wide_ranges_end_where_their_type_does() {
        let bounds = [
            (i128::from(i8::MIN), i128::from(i8::MAX)),
            (0, u8::MAX.into()),
            (i16::MIN.into(), i16::MAX.into()),
            (0, u16::MAX.into()),
            (i32::MIN.into(), i32::MAX.into()),
            (0, u32::MAX.into()),
            (i64::MIN.into(), i64::MAX.into()),
            (0, u64::MAX.into()),
            (-99, 1_000),
            (7, 99_999),
            (-1_234_567, -765),
            (100, 100),
        ];
        for (min, max) in bounds {
            let matches = matcher(&min.to_string(), &max.to_string());
            // Numbers around the bounds and around every power of ten, where lengths change.
            let corners = (0..21).flat_map(|power| [10_i128.pow(power), -(10_i128.pow(power))]).chain([min, max, 0]);
            for number in corners.flat_map(|corner| (-12..=12).map(move |step| corner + step)) {
                let text = number.to_string();
                assert_eq!(matches(&text), (min..=max).contains(&number), "{text} of {min}..={max}");
            }
        }
    }

    #[test]
    fn random_ranges_and_numbers() {
        // A generator of fixed seed, so that a failure repeats.
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..300 {
            let mut number = || {
                let width = next() % 64;
                let magnitude = i128::from(next() >> width);
                if next() % 2 == 0 { magnitude } else { -magnitude }
            };
            let (one, other) = (number(), number());
            let (min, max) = (one.min(other), one.max(other));
            let matches = matcher(&min.to_string(), &max.to_string());
            for _ in 0..50 {
                let sent = number();
                assert_eq!(matches(&sent.to_string()), (min..=max).contains(&sent), "{sent} of {min}..={max}");
            }
        }
    }

    #[test]
    fn integers_of_128_bits() {
        let matches = matcher(&i128::MIN.to_string(), &i128::MAX.to_string());
        assert!(matches(&i128::MIN.to_string()) && matches(&i128::MAX.to_string()) && matches("0"));
        assert!(!matches("170141183460469231731687303715884105728"));
        assert!(!matches("-170141183460469231731687303715884105729"));
        let matches = matcher("0", &u128::MAX.to_string());
        assert!(matches(&u128::MAX.to_string()) && !matches("340282366920938463463374607431768211456"));
    }

    #[test]
    fn one_number_is_written_one_way() {
        let matches = matcher("-128", "127");
        for text in ["+1", "01", "-0", "-01", "00", "", " 1", "1 ", "1\n", "1.0", "1e2", "0x1", "٣", "--1", "-"] {
            assert!(!matches(text), "{text:?}");
        }
    }

    #[test]
    fn zero_may_be_left_out() {
        for (min, max) in [("-128", "127"), ("0", "255"), ("-5", "0"), ("3", "9"), ("-9", "-3")] {
            let (all, without) = (matcher(min, max), matches(&pattern_without_zero(min, max)));
            for number in -300..=300 {
                let text = number.to_string();
                assert_eq!(without(&text), all(&text) && number != 0, "{text} of {min}..={max}");
            }
        }
    }

    #[test]
    fn an_empty_range_holds_nothing() {
        for (min, max) in [("5", "-5"), ("59", "51"), ("-51", "-59"), ("100", "99")] {
            for text in ["", "0", "5", "-", "-5", "51", "-59"] {
                assert!(!matcher(min, max)(text), "{text:?} of {min}..={max}");
            }
        }
    }

    #[test]
    fn the_usual_ranges_are_short() {
        assert_eq!(pattern("0", "255"), "^(0|2(5[0-5]|[0-4][0-9])|1[0-9]{2}|[1-9][0-9]{0,1})$");
        assert!(pattern(&i64::MIN.to_string(), &i64::MAX.to_string()).len() < 1_000);
    }
}
