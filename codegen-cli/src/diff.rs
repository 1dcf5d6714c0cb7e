//! `diff`: what changed between two targets, and what that means.

use nodecast::contract::{Promises, Verdict, worst};
use serde_json::Map;

use crate::cli::Diff;
use crate::contracts::{Contracts, Here, Side, Sources, changes, counted, finding};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Report;
use crate::target::Target;

/// Shows the changes.
pub(crate) async fn run(verb: &Diff) -> Result<Exit, Failure> {
    let from = verb.from.clone().map_or(Side::MergeBase, Side::Named);
    // The crate's own sources and promises hold where its tree is one of the sides.
    let (to, sources, promises) = if let Some(to) = &verb.to {
        (side(&Side::Named(to.clone()), verb).await?, Sources::default(), Promises::default())
    } else if verb.at.is_command() {
        let listed = Contracts::of(&Target::resolve(None, &verb.at)?, "the command").await?;
        (listed.only(&verb.at.nodeset), Sources::default(), Promises::default())
    } else {
        let here = Here::build(&verb.at)?;
        (here.contracts, here.sources, here.promises)
    };
    let from = side(&from, verb).await?;
    if let Some(unknown) = verb.at.nodeset.iter().find(|name| !from.has(name) && !to.has(name)) {
        return Err(Failure::new(Exit::Refused, "no_nodeset", format!("neither side has a nodeset `{unknown}`")));
    }
    let changes = changes(&from, &to, promises);
    let worst = worst(&changes);
    let mut facts = Map::new();
    facts.insert("from".to_owned(), from.name.as_str().into());
    facts.insert("to".to_owned(), to.name.as_str().into());
    facts.insert("worst".to_owned(), worst.map(Verdict::as_str).into());
    let report = Report {
        verb: "diff",
        findings: changes.iter().map(|change| finding(change, &sources)).collect(),
        facts,
        table: None,
        closing: format!("{} → {}: {}", from.name, to.name, counted(&changes)),
    };
    report.write(verb.format.asked())?;
    Ok(if verb.exit_code && worst == Some(Verdict::Breaking) { Exit::Breaking } else { Exit::Done })
}

async fn side(side: &Side, verb: &Diff) -> Result<Contracts, Failure> {
    side.contracts(&verb.at).await?.ok_or_else(|| {
        Failure::new(Exit::Usage, "no_history", "there is no history to compare with")
            .hint("name what to compare with: codegen-cli diff contract.json")
    })
}
