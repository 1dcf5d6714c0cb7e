//! The keywords that schemas carry for ourselves: they say what a value means, and never leave the process.

/// Names the wire type of a schema of ours.
pub const X_WIRE: &str = "x-wire";

/// Says that decimal text stands for an integer: its smallest and its largest value, as text too.
pub const X_INTEGER: &str = "x-integer";

/// Says that null stands for a number that is not finite.
pub const X_NOT_FINITE: &str = "x-not-finite";

/// Stands where a schema lets through what is none of its members but the tag of a struct.
pub const X_TAG: &str = "x-tag";

/// All of them.
pub const MARKS: [&str; 4] = [X_WIRE, X_INTEGER, X_NOT_FINITE, X_TAG];
