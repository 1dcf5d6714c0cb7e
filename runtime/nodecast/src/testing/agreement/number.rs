//! Numbers within bounds, most of them at the ends, and those just beyond.

use serde_json::{Number, Value as Json};

use super::dice::Dice;
use super::form::Form;

/// The bounds of a place as whole numbers; without, those that 64 bits have.
pub(super) fn range(form: &Form<'_>) -> (i128, i128) {
    let of = |keyword: &'static str, step: i128| form.all(keyword).filter_map(whole).map(move |bound| bound + step);
    let low = of("minimum", 0).chain(of("exclusiveMinimum", 1)).max();
    let high = of("maximum", 0).chain(of("exclusiveMaximum", -1)).min();
    (low.unwrap_or(-(1 << 53) + 1), high.unwrap_or((1 << 53) - 1))
}

/// A number as a whole one, towards zero; those of floats far beyond 64 bits are cut.
#[allow(clippy::cast_possible_truncation, reason = "cut before")]
fn whole(number: &Json) -> Option<i128> {
    const FAR: f64 = 1e30;
    let exact = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    exact.or_else(|| number.as_f64().map(|number| number.clamp(-FAR, FAR) as i128))
}

/// An integer that the form allows; now and then written as a float without a fraction.
pub(super) fn integer(form: &Form<'_>, dice: &mut Dice) -> Json {
    if let Some(step) = form.bound("multipleOf", false) {
        return on_grid(form, step, dice);
    }
    let (low, high) = range(form);
    let near = |number: i128| number.clamp(low, high.max(low));
    let drawn = match dice.below(8) {
        0 => low,
        1 => high,
        2 => near(low + 1),
        3 => near(high - 1),
        4 => near(0),
        5 => dice.between(low, high),
        _ => near(dice.between(-20, 200)),
    };
    if dice.one_in(8) { integral(drawn) } else { exact(drawn) }
}

/// A number that the form allows.
pub(super) fn number(form: &Form<'_>, dice: &mut Dice) -> Json {
    if let Some(step) = form.bound("multipleOf", false) {
        return on_grid(form, step, dice);
    }
    let low = form.bound("minimum", false).or(form.bound("exclusiveMinimum", false));
    let high = form.bound("maximum", true).or(form.bound("exclusiveMaximum", true));
    let wide =
        [0.0, -0.0, 1.0, 0.5, -1.5, 0.1, 1e-7, 123_456.789, 9_007_199_254_740_992.0, 1e19, 1e300, -1e300, 5e-324];
    let drawn = match (dice.below(8), low, high) {
        (0, Some(low), _) => low,
        (1, _, Some(high)) => high,
        (2, Some(low), Some(high)) => low / 2.0 + high / 2.0,
        (3 | 4, ..) => return integer(form, dice),
        _ => dice.pick(&wide).copied().unwrap_or_default(),
    };
    float(drawn.clamp(low.unwrap_or(f64::MIN), high.unwrap_or(f64::MAX).max(low.unwrap_or(f64::MIN))))
}

/// A multiple of `step`, exact as decimals are written.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "positions of a slider are few")]
fn on_grid(form: &Form<'_>, step: f64, dice: &mut Dice) -> Json {
    let low = form.bound("minimum", false).unwrap_or(-10.0 * step);
    let high = form.bound("maximum", true).unwrap_or(10.0 * step);
    let at = dice.between((low / step).round() as i128, (high / step).round() as i128);
    let digits = step.to_string().split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let written = format!("{:.digits$}", at as f64 * step);
    match written.parse::<i64>() {
        Ok(whole) => whole.into(),
        Err(_) => float(written.parse().unwrap_or_default()),
    }
}

/// Numbers that lie on the other side of something: a bound, a type's range, the reach of a float.
pub(super) fn beyond(form: &Form<'_>, value: &Json, dice: &mut Dice) -> Json {
    let (low, high) = range(form);
    let step = form.bound("multipleOf", false).unwrap_or(1.0);
    let value = value.as_f64().unwrap_or_default();
    match dice.below(18) {
        0 | 1 => exact(low - 1),
        2 | 3 => exact(high + 1),
        4 => integral(low - 1),
        5 => integral(high + 1),
        6 => float(value + 0.5),
        7 => float(value + step / 2.0),
        8 => float(-value),
        9 => float(-0.0),
        10 => exact((1 << 53) - 1),
        11 => exact(1 << 53),
        12 => float(9_007_199_254_740_994.0),
        13 => exact(i64::MAX.into()),
        14 => exact(i64::MIN.into()),
        15 => exact(u64::MAX.into()),
        16 => float(1e19),
        _ => float(form.bound("maximum", true).unwrap_or(f64::MAX / 4.0) * 1.5),
    }
}

/// The integer as a number of JSON; beyond 64 bits as the nearest float.
fn exact(number: i128) -> Json {
    let small = i64::try_from(number).map(Json::from);
    small.or_else(|_| u64::try_from(number).map(Json::from)).unwrap_or_else(|_| integral(number))
}

/// The integer written with a point.
#[allow(clippy::cast_precision_loss, reason = "the nearest float is what is asked for")]
fn integral(number: i128) -> Json {
    float(number as f64)
}

/// The float; JSON has none that is not finite.
pub(super) fn float(number: f64) -> Json {
    Number::from_f64(number).map_or_else(|| 0.into(), Json::Number)
}
