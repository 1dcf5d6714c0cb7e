//! Schema and decoder over a corpus of types: every row of `wire.md` 1.1, every tagging of enums with every shape of
//! content and in every place, every attribute of serde and schemars that changes a form.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    missing_docs,
    dead_code,
    reason = "a test ends where something is not as it should be, and its types are there to be described"
)]

mod containers;
mod enums;
mod keys;
mod limits;
mod names;
mod natives;
mod nodes;
mod planted;
mod recursive;
mod scalars;
mod structs;
mod tagged;

use nodecast::Error;
use nodecast::testing::Agreement;
use nodecast::testing::agreement::{Exception, Report};

/// One type, or one nodeset.
struct Case {
    name: &'static str,
    run: fn(Agreement) -> Result<Report, Error>,
}

/// The cases of these types, each an input and an output.
macro_rules! cases {
    ($($ty:ty),* $(,)?) => {
        vec![$(crate::Case { name: stringify!($ty), run: |agreement| agreement.of::<$ty>() }),*]
    };
}
use cases;

fn corpus() -> Vec<Case> {
    [
        scalars::cases(),
        containers::cases(),
        keys::cases(),
        structs::cases(),
        names::cases(),
        limits::cases(),
        enums::cases(),
        tagged::cases(),
        recursive::cases(),
        natives::cases(),
        nodes::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Judges so many values of every type, and ends the test where two verdicts differ.
fn judge(values: usize, seed: u64) -> Report {
    let mut report = Report::default();
    let mut wrong = Vec::new();
    for (at, case) in corpus().into_iter().enumerate() {
        match (case.run)(Agreement::default().values(values).seed(seed + at as u64)) {
            Ok(judged) => {
                for disagreement in &judged.disagreements {
                    wrong.push(format!("{}: {disagreement}", case.name));
                }
                if judged.excepted(Exception::MapKeys) > 0 {
                    wrong.push(format!("{}: takes other keys than its schema says", case.name));
                }
                report.add(judged);
            }
            Err(error) => wrong.push(format!("{}: {error}", case.name)),
        }
    }
    println!(
        "seed {seed}, {} types\n{}",
        corpus().len(),
        report.to_string().lines().take(6).collect::<Vec<_>>().join("\n")
    );
    assert!(wrong.is_empty(), "{} disagreements\n\n{}", wrong.len(), wrong.join("\n\n"));
    report
}

#[test]
fn the_corpus_has_two_hundred_types() {
    let names: std::collections::BTreeSet<_> = corpus().into_iter().map(|case| case.name).collect();
    assert!(names.len() >= 200, "{}", names.len());
}

/// `faults.md` B19: the oracle of its section 2.1. The quick part of it.
#[test]
fn b19_schema_agrees_with_decoder() {
    let report = judge(50, 1);
    assert!(report.refused() * 10 >= report.judged() * 3, "{report}");
}

/// A million values; run by `.ci/full`. `AGREEMENT_SEED=7` gives other ones, `AGREEMENT_VALUES=50000` fewer.
#[test]
#[ignore = "takes minutes in a debug build"]
fn b19_a_million_values_agree() {
    let given = |name: &str| std::env::var(name).ok().map(|number| number.parse::<usize>().unwrap());
    let values = given("AGREEMENT_VALUES").unwrap_or(1_000_000);
    let seed = given("AGREEMENT_SEED").map_or(1_000, |seed| seed as u64);
    let report = judge(values.div_ceil(corpus().len()), seed);
    assert!(report.judged() >= values, "{report}");
    assert!(report.refused() * 10 >= report.judged() * 3, "{report}");
    assert!(report.excepted(Exception::Content) > 0, "{report}");
}
