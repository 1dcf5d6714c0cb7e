//! The lines that a model reads: steps, states, and what is cut of them.

use std::fmt::Write as _;

use crate::snapshot::{Name, Snapshot};

/// So many characters of a message's arguments are shown.
pub(crate) const LONGEST_ARGS: usize = 200;
/// So many of a value.
const LONGEST_VALUE: usize = 60;
/// So many changes of a step.
const MOST_CHANGES: usize = 20;
/// So many characters of a mark for what does not fit.
const MARK: usize = 60;
/// So many characters of a state line.
const LONGEST_STATE: usize = 8_000;

/// What a message did.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The message with its arguments.
    pub(crate) label: String,
    /// The version afterwards.
    pub(crate) version: u64,
    /// What has changed: name, before, after.
    pub(crate) changes: Vec<(Name, String, String)>,
    /// The values that JSON could not carry, with the reason.
    pub(crate) unshown: Vec<(Name, String)>,
}

impl Step {
    /// What happened between two snapshots.
    pub(crate) fn between(label: String, before: &Snapshot, after: &Snapshot, unshown: Vec<(Name, String)>) -> Self {
        let pairs = before.iter().zip(after.iter());
        let changes = pairs.filter(|((_, old), (_, new))| old != new);
        let changes = changes.map(|((name, old), (_, new))| (name.to_owned().into(), cut_value(old), cut_value(new)));
        Self { label, version: after.version(), changes: changes.collect(), unshown }
    }

    /// `1 add_item {…} → v2: subtotal 0→500, total 0→500`.
    pub(crate) fn line(&self, position: usize) -> String {
        let Self { label, version, changes, unshown } = self;
        let mut parts: Vec<String> =
            changes.iter().take(MOST_CHANGES).map(|(name, old, new)| format!("{name} {old}→{new}")).collect();
        if changes.len() > MOST_CHANGES {
            parts.push(format!("+{} more", changes.len() - MOST_CHANGES));
        }
        if changes.is_empty() {
            parts.push("no change".to_owned());
        }
        let told = |(name, problem): &(Name, String)| {
            // It may be the text of a user's own error.
            format!("{name} is not shown: {}", cut(&one_line(problem), LONGEST_ARGS))
        };
        parts.extend(unshown.iter().take(MOST_CHANGES).map(told));
        if unshown.len() > MOST_CHANGES {
            parts.push(format!("+{} more are not shown", unshown.len() - MOST_CHANGES));
        }
        format!("{position} {label} → v{version}: {}", parts.join(", "))
    }
}

/// The lines of steps, counted from 1.
pub(crate) fn steps(steps: &[Step]) -> Vec<String> {
    steps.iter().enumerate().map(|(at, step)| step.line(at + 1)).collect()
}

/// `v3: subtotal=500, discount=50, total=450`.
pub(crate) fn state(snapshot: &Snapshot) -> String {
    let mut line = format!("v{}:", snapshot.version());
    let mut length = line.chars().count();
    let all = snapshot.iter().len();
    // The line where it ends if there is more than fits.
    let mut fitting = (line.len(), 0);
    for (at, (name, value)) in snapshot.iter().enumerate() {
        let part = format!("{} {name}={}", if at > 0 { "," } else { "" }, cut_value(value));
        length += part.chars().count();
        if length > LONGEST_STATE {
            let (end, shown) = fitting;
            line.truncate(end);
            let separator = if shown > 0 { "," } else { "" };
            let _ = write!(line, "{separator} +{} more, read live://state", all - shown);
            return line;
        }
        line.push_str(&part);
        if length <= LONGEST_STATE - MARK {
            fitting = (line.len(), at + 1);
        }
    }
    line
}

/// A message with its arguments, which are cut; a message without any is its name alone.
pub(crate) fn label(name: &str, args: &str) -> String {
    if args.is_empty() || args == "{}" || args == "null" {
        name.to_owned()
    } else {
        format!("{name} {}", cut(args, LONGEST_ARGS))
    }
}

pub(crate) fn cut_value(value: &str) -> String {
    cut(value, LONGEST_VALUE)
}

/// At most so many characters, the last a `…` where there are more.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
    }
}

/// The same without a break, so that a line stays one.
fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `live.md` 6 and 11: a step is one line, of so many parts.
    #[test]
    fn a_step_with_many_values_that_cannot_be_shown_is_one_line() {
        let unshown = (0..23).map(|at| (Name::from(format!("v{at}")), "no\nnumber".to_owned())).collect();
        let step = Step { label: "go".to_owned(), version: 1, changes: Vec::new(), unshown };
        let line = step.line(1);
        assert!(line.starts_with("1 go → v1: no change, v0 is not shown: no number, v1 is"), "{line}");
        assert!(line.ends_with("v19 is not shown: no number, +3 more are not shown"), "{line}");
        assert_eq!(line.lines().count(), 1);
    }
}
