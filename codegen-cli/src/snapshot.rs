//! `snapshot`: the reviewed projections of a crate, brought up to date.

use serde_json::{Map, Value};

use crate::cli::Snapshot;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::kept::{Kept, State};
use crate::output;
use crate::report::{Finding, Level, Report};
use crate::target::host;
use crate::target::krate::Krate;

/// Writes what changed, and nothing else.
pub(crate) fn run(verb: &Snapshot) -> Result<Exit, Failure> {
    let krate = Krate::find(&verb.krate)?;
    let program = host::build_for(&krate, &verb.krate, &verb.nodeset)?;
    let printed = output::json(&program.document("snapshots:all", None)?)?;
    let kept = Kept::of(&krate, &printed, &verb.nodeset)?;
    if verb.review {
        return review(&kept);
    }
    let changes = kept.changes()?;
    for change in &changes {
        kept.write(change)?;
    }
    let findings = changes.iter().map(|change| Finding {
        level: Level::Notice,
        verdict: match change.state {
            State::Missing => "added",
            State::Stale => "changed",
            State::Orphaned => "removed",
        },
        class: None,
        rule: "snapshot".to_owned(),
        subject: kept.shown(&change.file),
        pointer: String::new(),
        message: String::new(),
        why: String::new(),
        place: None,
    });
    let closing = match changes.len() {
        0 => format!("{} snapshots are as the declarations say", kept.files.len()),
        1 => "one snapshot written; look at it before it is committed".to_owned(),
        many => format!("{many} snapshots written; look at them before they are committed"),
    };
    let facts = Map::from_iter([("snapshots".to_owned(), Value::from(kept.files.len()))]);
    Report { verb: "snapshot", findings: findings.collect(), facts, table: None, closing }
        .write(verb.format.asked())?;
    Ok(Exit::Done)
}

/// Leaves what would be written beside what is there, and lets cargo-insta walk through it.
fn review(kept: &Kept) -> Result<Exit, Failure> {
    for change in kept.changes()?.iter().filter(|change| change.state != State::Orphaned) {
        kept.propose(change)?;
    }
    let mut insta = std::process::Command::new("cargo");
    insta.args(["insta", "review", "--workspace-root"]).arg(&kept.folder);
    match insta.status() {
        Ok(status) if status.success() => Ok(Exit::Done),
        _ => Err(Failure::new(Exit::Unreachable, "cargo_insta", "cargo-insta did not run")
            .hint("cargo install cargo-insta; what is to be reviewed lies beside the snapshots, as *.snap.new")),
    }
}
