//! Both verdicts on one value, and whether they agree.

use serde_json::Value as Json;

use super::cross;
use super::dice::Dice;
use super::form::Document;
use super::generate::{Instance, instance};
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

/// One value on its way.
struct Trial<'t> {
    arguments: &'t Json,
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

        let trial = Trial { arguments, regime: Regime::Json, changed, has_content };
        let in_json = self.subject.call(cross::json(arguments), Regime::Json);
        let in_json = self.compare(&trial, accepted, in_json);

        // Beyond what JSON carries, msgpack has the range of the type, and numbers where JSON has text.
        let is_beyond_json = cross::is_beyond_json(arguments);
        let differs = self.subject.has_forms || is_beyond_json;
        let accepted_in_msgpack = if differs { self.subject.accepts_in_msgpack(arguments) } else { accepted };
        let trial = Trial { regime: Regime::Msgpack, ..trial };
        let crossed = cross::msgpack(arguments, &instance.places, &mut self.dice);
        let in_msgpack = self.subject.call(crossed, Regime::Msgpack);
        let in_msgpack = self.compare(&trial, accepted_in_msgpack, in_msgpack);

        if let (Some(in_json), Some(in_msgpack)) = (in_json, in_msgpack)
            && !has_content
            // A float to one and an integer to the other.
            && !is_beyond_json
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
                // Where msgpack has numbers and JSON has text, more than what was changed may be wrong in it.
                let in_one_place = trial.regime == Regime::Json || !self.subject.has_forms;
                if let Some(changed) = trial.changed.filter(|_| in_one_place)
                    && !findings.iter().any(|finding| is_related(&finding.pointer, &changed.pointer))
                {
                    let told = format!("refuses it elsewhere than at `{}`: {}", changed.pointer, told(&findings));
                    self.disagree(trial, told, "refuses it");
                }
            }
            (true, Verdict::Refused(findings)) => match exception(trial, &findings) {
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

/// The exception of `wire.md` 1.1 under which a refusal falls that no schema can say.
fn exception(trial: &Trial<'_>, findings: &[Finding]) -> Option<Exception> {
    if trial.has_content && trial.changed.is_some() {
        return Some(match trial.regime {
            Regime::Json => Exception::Content,
            Regime::Msgpack => Exception::Msgpack,
        });
    }
    findings.iter().all(|finding| finding.kind == "map_key").then_some(Exception::MapKeys)
}

fn told(findings: &[Finding]) -> String {
    let told = findings.iter().map(|finding| format!("{} at `{}`: {}", finding.kind, finding.pointer, finding.detail));
    told.collect::<Vec<_>>().join("; ")
}
