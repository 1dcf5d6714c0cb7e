//! `check`: whether a crate's snapshots are as its declarations say, and whether what changed breaks anybody.

use nodecast::contract::{Change, Verdict};
use serde_json::Map;

use crate::cli::Check;
use crate::contracts::{Contracts, Here, Side, changes, counted, finding, is_raised};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::kept::State;
use crate::lint::count;
use crate::report::{Finding, Level, Report};

/// Checks the crate.
pub(crate) async fn run(verb: &Check) -> Result<Exit, Failure> {
    if verb.at.is_command() {
        return Err(Failure::usage("check looks at a crate, which a command is not")
            .hint("compare what a server says: codegen-cli diff contract.json -- CMD ARG …"));
    }
    let here = Here::build(&verb.at)?;
    let mut findings = stale(&here)?;
    let is_stale = !findings.is_empty();
    let baseline = verb.baseline.clone().map_or(Side::MergeBase, Side::Named).contracts(&verb.at).await?;
    let mut facts = Map::new();
    let mut said = Vec::new();
    if is_stale {
        let verb = if findings.len() == 1 { "is" } else { "are" };
        said.push(format!("{} {verb} stale: codegen-cli snapshot", count(findings.len(), "snapshot")));
    }
    let mut is_breaking = false;
    match &baseline {
        None => said.push("there is no history to compare with".to_owned()),
        Some(from) => {
            let changes = changes(from, &here.contracts, here.promises);
            let breaks = changes.iter().any(|change| change.verdict == Verdict::Breaking);
            let allowed = allowed(from, &here.contracts, verb).filter(|_| breaks);
            is_breaking = breaks && allowed.is_none();
            findings.extend(changes.iter().map(|change| judged(change, &here, allowed.as_deref())));
            said.push(format!("{} since {}", counted(&changes), from.name));
            said.extend(allowed);
            facts.insert("from".to_owned(), from.name.as_str().into());
            facts.insert("worst".to_owned(), nodecast::contract::worst(&changes).map(Verdict::as_str).into());
        }
    }
    facts.insert("stale".to_owned(), is_stale.into());
    facts.insert("breaking".to_owned(), is_breaking.into());
    Report { verb: "check", findings, facts, table: None, closing: said.join("; ") }.write(verb.format.asked())?;
    Ok(match (is_breaking, is_stale) {
        (true, _) => Exit::Breaking,
        (false, true) => Exit::Conflict,
        (false, false) => Exit::Done,
    })
}

/// Why what breaks may, in a sentence; `None` if it may not.
fn allowed(from: &Contracts, to: &Contracts, verb: &Check) -> Option<String> {
    if verb.allow_breaking {
        return Some("what breaks was allowed".to_owned());
    }
    let (old, new) = (from.version()?, to.version()?);
    is_raised(old, new).then(|| format!("the version was raised from {old} to {new}, which allows what breaks"))
}

/// A change; what breaks and may is worth a thought only.
fn judged(change: &Change, here: &Here, allowed: Option<&str>) -> Finding {
    let finding = finding(change, &here.sources);
    match allowed {
        Some(_) if change.verdict == Verdict::Breaking => Finding { level: Level::Warning, ..finding },
        _ => finding,
    }
}

/// Files that are not as the declarations say.
fn stale(here: &Here) -> Result<Vec<Finding>, Failure> {
    let findings = here.kept.changes()?.into_iter().map(|change| {
        let stem = change.file.rsplit('/').next().unwrap_or(&change.file).trim_end_matches(".snap");
        let (verdict, message) = match change.state {
            State::Missing => ("stale", "the snapshot is missing"),
            State::Stale => ("stale", "the snapshot is not what the declaration says"),
            State::Orphaned => ("orphaned", "what the snapshot shows is not declared any more"),
        };
        Finding {
            level: Level::Error,
            verdict,
            class: None,
            rule: "snapshot".to_owned(),
            subject: here.kept.shown(&change.file),
            pointer: String::new(),
            message: message.to_owned(),
            why: "look at the difference, then: codegen-cli snapshot".to_owned(),
            place: here.sources.place(stem),
        }
    });
    Ok(findings.collect())
}
