//! Both verdicts on one value, and whether they agree.

use std::collections::BTreeMap;

use serde_json::Value as Json;

use super::cross;
use super::dice::Dice;
use super::form::Document;
use super::generate::{Instance, Place, instance};
use super::mutate::{Neighbour, is_related, neighbour};
use super::report::{Disagreement, Exception, Report};
use super::subject::{Subject, Verdict};
use crate::call::{Finding, Reply};
use crate::wire::{Regime, Value};

/// More of one node say nothing new.
const MOST_DISAGREEMENTS: usize = 5;

/// Judges `count` values of a node.
pub(super) fn judge(subject: &Subject, seed: u64, count: usize) -> Report {
    let mut judge = Judge { subject, seed, dice: Dice::new(seed), report: Report::default() };
    let document = Document::new(&subject.schema);
    while judge.report.judged() < count && judge.report.disagreements.len() < MOST_DISAGREEMENTS {
        let instance = instance(document, &mut judge.dice);
        let is_valid = judge.value(&instance, None);
        for _ in 0..2 {
            if let Some(neighbour) = neighbour(document, &instance, &mut judge.dice) {
                judge.value(&instance, Some(&neighbour).filter(|_| is_valid));
            }
        }
    }
    judge.report
}

struct Judge<'s> {
    subject: &'s Subject,
    seed: u64,
    dice: Dice,
    report: Report,
}

/// Keys that every type of its kind takes.
const NUMBERS: [&str; 4] = ["1", "2", "3", "4"];
const OTHERS: [&[&str]; 2] = [&["true", "false"], &["a", "b", "c", "d"]];

/// One value on its way.
struct Trial<'t> {
    arguments: &'t Json,
    /// What the arguments are, or were before one place was changed.
    instance: &'t Instance<'t>,
    regime: Regime,
    /// Where it was changed, if it is the neighbour of a valid one.
    changed: Option<&'t Neighbour>,
    has_content: bool,
}

impl Judge<'_> {
    /// Judges an instance, or what became of it, in both regimes; says whether the published schema accepts it.
    fn value(&mut self, instance: &Instance<'_>, changed: Option<&Neighbour>) -> bool {
        let arguments = changed.map_or(&instance.value, |changed| &changed.value);
        let has_content = changed
            .map_or_else(|| instance.places.iter().any(|place| place.form.is_content), |changed| changed.is_content);
        let accepted = self.subject.published.accepts(arguments);

        let trial = Trial { arguments, instance, regime: Regime::Json, changed, has_content };
        // An integer that JSON does not carry is refused before any schema is asked, as a second key of one name is.
        let is_beyond_json = cross::is_beyond_json(arguments);
        let in_json = self.subject.call(cross::json(arguments), Regime::Json);
        let in_json = self.compare(&trial, accepted && !is_beyond_json, in_json);

        // Beyond what JSON carries, msgpack has the range of the type, and numbers where JSON has text.
        let differs = self.subject.has_forms || is_beyond_json;
        let accepted_in_msgpack = if differs { self.subject.accepts_in_msgpack(arguments) } else { accepted };
        let trial = Trial { regime: Regime::Msgpack, ..trial };
        let crossed = cross::msgpack(arguments, &instance.places, &mut self.dice);
        let in_msgpack = self.subject.call(crossed, Regime::Msgpack);
        let in_msgpack = self.compare(&trial, accepted_in_msgpack, in_msgpack);

        if let (Some(in_json), Some(in_msgpack)) = (in_json, in_msgpack)
            && !has_content
            && in_json != in_msgpack
        {
            self.disagree(&trial, format!("in JSON it is {in_json}, in msgpack {in_msgpack}"), "");
        }
        accepted
    }

    /// Compares the verdicts; gives back what the node returned.
    fn compare(&mut self, trial: &Trial<'_>, published: bool, ours: Verdict) -> Option<Value> {
        match (published, ours) {
            (true, Verdict::Accepted(reply)) => {
                self.report.count(trial.regime, true);
                return reply.and_then(|reply| self.returned(trial, reply));
            }
            (false, Verdict::Refused(findings)) => {
                self.report.count(trial.regime, false);
                // What is valid by the schema may be what a regime does not carry, and then be wrong elsewhere too.
                let in_one_place = match trial.regime {
                    Regime::Json => !cross::is_beyond_json(trial.arguments),
                    Regime::Msgpack => !self.subject.has_forms,
                };
                if let Some(changed) = trial.changed.filter(|_| in_one_place)
                    && !findings.iter().any(|finding| is_related(&finding.pointer, &changed.pointer))
                {
                    let told = format!("refuses it elsewhere than at `{}`: {}", changed.pointer, told(&findings));
                    self.disagree(trial, told, "refuses it");
                }
            }
            (true, Verdict::Refused(findings)) => match self.exception(trial, &findings) {
                Some(exception) => self.report.except(exception),
                None => self.disagree(trial, format!("refuses it: {}", told(&findings)), "accepts it"),
            },
            (false, Verdict::Accepted(_)) => {
                let is_unset = self.subject.published.accepts(&self.subject.without_unset(trial.arguments));
                if is_unset {
                    self.report.except(Exception::UnsetConfig);
                } else {
                    self.disagree(trial, "accepts it".to_owned(), "");
                }
            }
            (_, Verdict::Failed(error)) => self.disagree(trial, format!("fails: {error}"), ""),
        }
        None
    }

    /// What the node returned must be valid by what is published of it.
    fn returned(&mut self, trial: &Trial<'_>, reply: Reply) -> Option<Value> {
        let value = reply.into_values().pop()?;
        let json = match value.to_json() {
            Ok(json) => json,
            // What came in parts may come out as a whole beyond the integers of JSON, and only msgpack carries that.
            Err(error) if trial.regime == Regime::Msgpack || error.kind == "out_of_range" => return None,
            Err(error) => {
                self.disagree(trial, format!("returns {value}, which JSON cannot carry: {error}"), "");
                return None;
            }
        };
        let outputs = serde_json::json!({ "result": json });
        if !self.subject.sent.accepts(&outputs) {
            let complaint = self.subject.sent.complaint(&outputs);
            self.disagree(trial, format!("returns {json}; the published schema of outputs {complaint}"), "");
        }
        Some(value)
    }

    /// The exception of `wire.md` 1.1 under which a refusal falls that no schema can say.
    fn exception(&self, trial: &Trial<'_>, findings: &[Finding]) -> Option<Exception> {
        if trial.has_content && trial.changed.is_some() {
            return Some(match trial.regime {
                Regime::Json => Exception::Content,
                Regime::Msgpack => Exception::Msgpack,
            });
        }
        let keys_alone = || {
            OTHERS
                .iter()
                .any(|keys| self.accepts(trial, in_place(trial, keys)) || self.accepts(trial, by_name(trial, keys)))
        };
        let is_key = findings.iter().all(|finding| finding.kind == "map_key");
        (is_key || keys_alone()).then_some(Exception::MapKeys)
    }

    fn accepts(&self, trial: &Trial<'_>, arguments: Json) -> bool {
        let read = match trial.regime {
            Regime::Json => cross::json(&arguments),
            Regime::Msgpack => Ok(arguments.into()),
        };
        matches!(self.subject.call(read, trial.regime), Verdict::Accepted(_))
    }

    fn disagree(&mut self, trial: &Trial<'_>, ours: String, published: &str) {
        let published = match published {
            "" => self.subject.published.complaint(trial.arguments),
            published => published.to_owned(),
        };
        self.report.disagreements.push(Disagreement {
            node: self.subject.name.clone(),
            seed: self.seed,
            regime: trial.regime,
            arguments: trial.arguments.clone(),
            published,
            ours,
        });
    }
}

/// The keys that the maps of a place are given, and none for what is more than there are: of truth values there are two.
fn keys_of<'k>(place: &Place<'_>, keys: &'k [&'static str]) -> impl Iterator<Item = Option<&'static str>> + 'k {
    let keys = if place.form.has("patternProperties") { &NUMBERS } else { keys };
    keys.iter().copied().map(Some).chain(std::iter::repeat(None))
}

fn is_declared(place: &Place<'_>, name: &str) -> bool {
    place.form.properties().iter().any(|(known, _)| *known == name)
}

/// The value whose maps have these keys, and those of numbers have numbers.
fn in_place(trial: &Trial<'_>, keys: &[&'static str]) -> Json {
    let mut arguments = trial.arguments.clone();
    // From the inside out, since the keys are part of the pointers.
    for place in trial.instance.places.iter().rev().filter(|place| place.form.open().is_some()) {
        if let Some(members) = arguments.pointer_mut(&place.pointer).and_then(Json::as_object_mut) {
            let (own, entries): (Vec<_>, Vec<_>) =
                std::mem::take(members).into_iter().partition(|(name, _)| is_declared(place, name));
            let renamed = entries.into_iter().zip(keys_of(place, keys));
            members.extend(own);
            members.extend(renamed.filter_map(|((_, value), key)| Some((key?.to_owned(), value))));
        }
    }
    arguments
}

/// The same by name and not by place, since what was changed may hold the same map twice.
fn by_name(trial: &Trial<'_>, keys: &[&'static str]) -> Json {
    let mut renamed = BTreeMap::new();
    for place in trial.instance.places.iter().filter(|place| place.form.open().is_some()) {
        for value in [trial.arguments, &trial.instance.value] {
            let members = value.pointer(&place.pointer).and_then(Json::as_object).into_iter().flatten();
            let entries = members.filter(|(name, _)| !is_declared(place, name));
            for ((name, _), key) in entries.zip(keys_of(place, keys)) {
                renamed.entry(name.as_str()).or_insert(key);
            }
        }
    }
    rename(trial.arguments, &renamed)
}

/// The value with other names, and without the members that have none.
fn rename(value: &Json, names: &BTreeMap<&str, Option<&str>>) -> Json {
    match value {
        Json::Array(items) => items.iter().map(|item| rename(item, names)).collect(),
        Json::Object(members) => {
            let renamed = |name: &String| match names.get(name.as_str()) {
                Some(new) => new.map(str::to_owned),
                None => Some(name.clone()),
            };
            members.iter().filter_map(|(name, member)| Some((renamed(name)?, rename(member, names)))).collect()
        }
        other => other.clone(),
    }
}

fn told(findings: &[Finding]) -> String {
    let told = findings.iter().map(|finding| format!("{} at `{}`: {}", finding.kind, finding.pointer, finding.detail));
    told.collect::<Vec<_>>().join("; ")
}
