//! `lint`: what in a target's tools some client cannot take.

use std::collections::BTreeMap;

use nodecast::call::nearest;
use nodecast::contract::{self, Fault, LINTS, Profile, Severity};
use serde_json::{Map, Value, json};

use crate::cli::{Lint, ReadArgs};
use crate::contracts::Sources;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inspect::documents_of;
use crate::output::{self, Format};
use crate::report::{Finding, Level, Report};
use crate::target::krate::Krate;
use crate::target::{Target, host};
use crate::tools;

/// What a profile leaves out: no fault of the crate, and so no rule of the linter.
const LOSS: &str = "profile_loss";
const LOSS_WHY: &str = "a profile is for clients that read less of JSON Schema, and leaves out what they cannot take";
const LOSS_INSTEAD: &str =
    "nothing has to change, since calls are checked against the whole contract; a description can say what is lost";

/// Looks at the tools, or explains a rule.
pub(crate) async fn run(verb: &Lint) -> Result<Exit, Failure> {
    if let Some(rule) = &verb.explain {
        return explain(rule, verb.format.asked());
    }
    let (target, allowed, sources) = target(verb)?;
    let listed = tools::listed(&target, &verb.tools).await?;
    let is_allowed = |rule: &str, tool: &str| {
        let named = |name: &str| allowed.contains_key(&format!("{name}/{rule}"));
        named(tool) || named(tools::short(tool)) || named("*")
    };
    let faults = contract::lint(&listed);
    let all = faults.len();
    let mut findings: Vec<Finding> = faults
        .iter()
        .filter(|fault| !is_allowed(fault.lint.id, &fault.tool))
        .map(|fault| finding(fault, &sources))
        .collect();
    let (kept, left) = (findings.len(), all - findings.len());
    let fails = findings.iter().any(|finding| verb.strict || finding.level == Level::Error);
    let mut said = vec![match kept {
        0 => format!("every client takes {}", count(listed.len(), "tool")),
        some => format!("{} in {}", count(some, "finding"), count(listed.len(), "tool")),
    }];
    if left > 0 {
        said.push(format!("{left} allowed by the crate"));
    }
    let profile = verb.tools.profile.unwrap_or_default();
    let losses = losses(&target, verb.tools.profile, &listed, &sources).await?;
    if !losses.is_empty() {
        said.push(format!("{} by the profile `{}`", count(losses.len(), "loss"), profile.as_str()));
    }
    findings.extend(losses);
    let format = verb.format.asked();
    if format.is_for_people() {
        findings = by_tool(findings);
    }
    let facts = Map::from_iter([("tools".to_owned(), Value::from(listed.len())), ("allowed".to_owned(), left.into())]);
    Report { verb: "lint", findings, facts, table: None, closing: said.join("; ") }.write(format)?;
    Ok(if fails { Exit::Lint } else { Exit::Done })
}

/// So many of something, in words.
pub(crate) fn count(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('s')) {
        (1, _) => format!("one {noun}"),
        (many, Some(stem)) => format!("{many} {stem}ses"),
        (many, None) => format!("{many} {noun}s"),
    }
}

/// What is said of a tool: each message, with its places.
type Said = Vec<(String, Vec<String>)>;

/// Findings of one rule in one tool as one, with the places listed: people read each sentence once.
fn by_tool(findings: Vec<Finding>) -> Vec<Finding> {
    let mut joined: Vec<(Finding, Said)> = Vec::new();
    for finding in findings {
        let is_same = |other: &Finding| other.rule == finding.rule && other.subject == finding.subject;
        let at = (finding.message.clone(), finding.pointer.clone());
        match joined.iter_mut().find(|(other, _)| is_same(other)) {
            Some((_, said)) => match said.iter_mut().find(|(message, _)| *message == at.0) {
                Some((_, places)) => places.push(at.1),
                None => said.push((at.0, vec![at.1])),
            },
            None => joined.push((finding, vec![(at.0, vec![at.1])])),
        }
    }
    let one = |(finding, said): (Finding, Said)| {
        if said.iter().map(|(_, places)| places.len()).sum::<usize>() == 1 {
            return finding;
        }
        let said: Vec<String> =
            said.into_iter().map(|(message, places)| format!("{message} at {}", places.join(", "))).collect();
        Finding { pointer: String::new(), message: said.join("; "), ..finding }
    };
    joined.into_iter().map(one).collect()
}

/// The target; of a crate also what it allows and where its nodes are declared.
fn target(verb: &Lint) -> Result<(Target, BTreeMap<String, String>, Sources), Failure> {
    let ReadArgs { target, manifest, at } = &verb.tools.read;
    let is_crate = target.is_none() && manifest.is_none() && !at.is_command();
    if !is_crate {
        return Ok((Target::read(&verb.tools.read)?, BTreeMap::new(), Sources::default()));
    }
    let krate = Krate::find(&at.krate)?;
    let allowed = krate.settings()?.allow;
    sound(&allowed)?;
    let program = host::build_for(&krate, &at.krate, &at.nodeset)?;
    let sources = Sources::of(&program)?;
    Ok((Target::Program(program), allowed, sources))
}

/// Refuses what allows nothing, and what says no reason.
fn sound(allowed: &BTreeMap<String, String>) -> Result<(), Failure> {
    let failure = |said: String| Failure::usage(format!("[package.metadata.nodecast.allow]: {said}"));
    for (key, reason) in allowed {
        let Some((_, rule)) = key.rsplit_once('/') else {
            return Err(failure(format!("`{key}` names no node"))
                .hint(format!("write \"my_node/{key}\", or \"*/{key}\" for every node")));
        };
        known(rule)?;
        if reason.trim().is_empty() {
            return Err(failure(format!("`{key}` has no reason")).hint("say why it may pass"));
        }
    }
    Ok(())
}

fn finding(fault: &Fault, sources: &Sources) -> Finding {
    let Fault { lint, tool, pointer, message } = fault;
    let (level, verdict) = match lint.severity {
        Severity::Error => (Level::Error, "error"),
        Severity::Warning => (Level::Warning, "warning"),
        Severity::Notice => (Level::Notice, "notice"),
    };
    Finding {
        level,
        verdict,
        class: None,
        rule: lint.id.to_owned(),
        subject: tool.clone(),
        pointer: pointer.clone(),
        message: message.clone(),
        why: format!("{}; {}", lint.why, lint.instead),
        place: sources.place(tool),
    }
}

/// What the profile leaves out of these tools, of a target that has a contract.
async fn losses(
    target: &Target,
    profile: Option<Profile>,
    listed: &[Value],
    sources: &Sources,
) -> Result<Vec<Finding>, Failure> {
    // One that is not ours would be started again only to say that it has none.
    if matches!(target, Target::Command(_)) && profile.is_none() {
        return Ok(Vec::new());
    }
    let profile = profile.unwrap_or_default();
    let Some(printed) = documents_of(target).await? else { return Ok(Vec::new()) };
    let place = format!("/projections/{}/losses", profile.as_str());
    let all = tools::documents(&printed, "contract").into_iter();
    let losses = all.filter_map(|document| document.pointer(&place).and_then(Value::as_array)).flatten();
    let word = |loss: &Value, key: &str| loss.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let ours = losses.filter(|loss| listed.iter().any(|tool| tools::name(tool) == word(loss, "tool")));
    let findings = ours.map(|loss| Finding {
        level: Level::Notice,
        verdict: "loss",
        class: None,
        rule: LOSS.to_owned(),
        subject: word(loss, "tool"),
        pointer: word(loss, "pointer"),
        message: format!("leaves out {}", word(loss, "lost")),
        why: format!("by the profile `{}`; calls are still checked against the whole contract", profile.as_str()),
        place: sources.place(&word(loss, "tool")),
    });
    Ok(findings.collect())
}

fn known(id: &str) -> Result<&'static contract::Lint, Failure> {
    LINTS.iter().find(|lint| lint.id == id).ok_or_else(|| {
        let ids: Vec<&str> = LINTS.iter().map(|lint| lint.id).collect();
        let failure = Failure::usage(format!("there is no rule `{id}`")).detail("known", ids.clone());
        match nearest(id, ids.iter().copied()) {
            Some(near) => failure.hint(format!("there is `{near}`")),
            None => failure.hint(format!("the rules: {}", ids.join(", "))),
        }
    })
}

/// Says what a rule is for; losses have the name of one in every report, and are asked about too.
fn explain(id: &str, format: Format) -> Result<Exit, Failure> {
    let (severity, why, instead) = if id == LOSS {
        ("loss", LOSS_WHY, LOSS_INSTEAD)
    } else {
        let rule = known(id)?;
        let severity = match rule.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Notice => "notice",
        };
        (severity, rule.why, rule.instead)
    };
    if format.is_for_programs() {
        let object = json!({"rule": id, "severity": severity, "why": why, "instead": instead});
        output::document(format, &object.to_string())?;
        return Ok(Exit::Done);
    }
    let allowing = if id == LOSS {
        String::new()
    } else {
        format!(
            "\n\nTo allow it, in Cargo.toml:\n\n  [package.metadata.nodecast.allow]\n  \"my_node/{id}\" = \
             \"the reason\""
        )
    };
    output::answer_line(&format!("{id} ({severity})\n\nWhy: {why}.\nInstead: {instead}.{allowing}"))?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use nodecast::contract::LINTS;

    use super::{Finding, Level, by_tool, count, sound};

    #[test]
    fn what_is_allowed_has_a_node_a_rule_and_a_reason() {
        let of = |key: &str, reason: &str| sound(&[(key.to_owned(), reason.to_owned())].into());
        assert!(of("segment/type_array", "only our own client calls it").is_ok());
        assert!(of("*/type_array", "only our own client calls it").is_ok());
        for (key, reason, says) in [
            ("type_array", "a reason", "`type_array` names no node"),
            ("segment/type_aray", "a reason", "there is no rule `type_aray`"),
            ("segment/type_array", " ", "`segment/type_array` has no reason"),
        ] {
            let refused = of(key, reason).unwrap_err();
            assert!(refused.sentence().contains(says), "{}", refused.sentence());
        }
    }

    #[test]
    fn a_sentence_is_said_once_a_tool() {
        let finding = |subject: &str, pointer: &str, message: &str| Finding {
            level: Level::Notice,
            verdict: "loss",
            class: None,
            rule: "profile_loss".to_owned(),
            subject: subject.to_owned(),
            pointer: pointer.to_owned(),
            message: message.to_owned(),
            why: String::new(),
            place: None,
        };
        let found = by_tool(vec![
            finding("a", "/x", "leaves out null"),
            finding("b", "/x", "leaves out null"),
            finding("a", "/y", "leaves out array form"),
            finding("a", "/z", "leaves out null"),
        ]);
        let said: Vec<_> = found.iter().map(|one| (&*one.subject, &*one.pointer, &*one.message)).collect();
        assert_eq!(
            said,
            [("a", "", "leaves out null at /x, /z; leaves out array form at /y"), ("b", "/x", "leaves out null")]
        );
    }

    #[test]
    fn the_book_has_every_rule_in_its_own_words() {
        let page = include_str!("../../docs/lint.md");
        for rule in LINTS {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{}` |", rule.id)));
            assert!(row.is_some_and(|row| row.contains(rule.why) && row.contains(rule.instead)), "{}", rule.id);
        }
    }

    #[test]
    fn things_are_counted_in_words() {
        assert_eq!(count(1, "tool"), "one tool");
        assert_eq!(count(3, "tool"), "3 tools");
        assert_eq!(count(3, "loss"), "3 losses");
        assert_eq!(count(0, "finding"), "0 findings");
    }
}
