//! Exact decimal arithmetic on the shortest decimals of floats, for the step of a slider (`mcp.md` 2).

/// Whether all values are multiples of `step`, exactly, as decimals are written.
pub(crate) fn on_grid(step: f64, values: impl IntoIterator<Item = f64>) -> bool {
    values.into_iter().all(|value| is_multiple(value, step).unwrap_or(false))
}

/// `None` when a number is not finite, the step is zero, or the digits do not fit 128 bits.
fn is_multiple(value: f64, step: f64) -> Option<bool> {
    let (value, value_scale) = digits(value)?;
    let (step, step_scale) = digits(step)?;
    let scale = value_scale.max(step_scale);
    let value = value.checked_mul(10_i128.checked_pow(scale - value_scale)?)?;
    let step = step.checked_mul(10_i128.checked_pow(scale - step_scale)?)?;
    Some(value.checked_rem(step)? == 0)
}

/// The digits of the shortest decimal that reads back equal, and how many stand behind the point.
fn digits(value: f64) -> Option<(i128, u32)> {
    if !value.is_finite() {
        return None;
    }
    let text = value.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let digits = format!("{whole}{fraction}").parse().ok()?;
    Some((digits, u32::try_from(fraction.len()).ok()?))
}

#[cfg(test)]
mod tests {
    use super::on_grid;

    #[test]
    fn tenths_are_exact_in_decimal() {
        // In binary 0.3 is no multiple of 0.1.
        assert!(on_grid(0.1, [0.3, 1.0, 0.0, -0.7]));
        assert!(on_grid(0.01, [0.02]));
        assert!(!on_grid(0.05, [0.02]));
        assert!(!on_grid(0.0, [1.0]));
        assert!(!on_grid(0.1, [f64::NAN]));
        assert!(on_grid(2.0, [1e20]));
    }
}
