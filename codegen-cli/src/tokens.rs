//! `tokens`: what the tools of a target cost a model that reads them, before it has called any.

use nodecast::contract::Profile;
use serde_json::{Map, Value, json};

use crate::cli::Tokens;
use crate::contracts::{Contracts, Side};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::lint::count;
use crate::report::{Finding, Level, Report, Table};
use crate::target::Target;
use crate::tools;

/// From here on a rise is worth a thought (`contract.md` 4).
const MOST_RISE: usize = 200;

/// What something costs.
#[derive(Clone, Copy, Debug, Default)]
struct Cost {
    o200k: usize,
    cl100k: usize,
    characters: usize,
}

impl Cost {
    /// Of a tool as it is served: its name, its description, its schemas.
    fn of(tool: &Value) -> Self {
        let mut text = String::new();
        for key in ["name", "title", "description"] {
            if let Some(words) = tool.get(key).and_then(Value::as_str) {
                text.push_str(words);
                text.push('\n');
            }
        }
        for key in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get(key) {
                text.push_str(&schema.to_string());
                text.push('\n');
            }
        }
        let (o200k, cl100k) = counted(&text);
        Self { o200k, cl100k, characters: text.chars().count() }
    }

    fn and(self, other: Self) -> Self {
        Self {
            o200k: self.o200k + other.o200k,
            cl100k: self.cl100k + other.cl100k,
            characters: self.characters + other.characters,
        }
    }

    fn json(self, name: &str) -> Value {
        json!({"name": name, "o200k": self.o200k, "cl100k": self.cl100k, "characters": self.characters})
    }
}

#[cfg(feature = "tokens")]
fn counted(text: &str) -> (usize, usize) {
    let count = |bpe: &tiktoken_rs::CoreBPE| bpe.encode_ordinary(text).len();
    (count(tiktoken_rs::o200k_base_singleton()), count(tiktoken_rs::cl100k_base_singleton()))
}

/// Without a tokenizer: schemas are about three and a half characters a token.
#[cfg(not(feature = "tokens"))]
fn counted(text: &str) -> (usize, usize) {
    let about = text.chars().count() * 2 / 7;
    (about, about)
}

/// Counts.
pub(crate) async fn run(verb: &Tokens) -> Result<Exit, Failure> {
    let asked = &verb.tools;
    let target = Target::read(&asked.read)?;
    let listed = tools::listed(&target, asked).await?;
    let costs: Vec<(String, Cost)> = listed.iter().map(|tool| (tools::name(tool).to_owned(), Cost::of(tool))).collect();
    let total = costs.iter().fold(Cost::default(), |sum, (_, cost)| sum.and(*cost));
    let before = match &verb.baseline {
        Some(baseline) => Side::Named(baseline.clone()).contracts(&asked.read.at).await?,
        None => None,
    };
    // Of one node, what the others cost is not asked.
    let is_asked = |tool: &str| asked.node.is_none() || costs.iter().any(|(name, _)| name == tool);
    let before = before.map(|contracts| {
        let mut all = published(&contracts, asked.profile.unwrap_or_default());
        all.retain(|(name, _)| is_asked(name));
        all
    });
    let was = |name: &str| match &before {
        None => Before::Unknown,
        Some(tools) => tools.iter().find(|(tool, _)| tool == name).map_or(Before::New, |(_, cost)| Before::Was(*cost)),
    };
    let mut findings = Vec::new();
    let mut rows = Vec::new();
    for (name, cost) in &costs {
        let was = was(name);
        if let Before::Was(was) = was
            && (cost.o200k > was.o200k + MOST_RISE || cost.o200k * 10 > was.o200k * 11)
        {
            let message = format!("{} tokens, and were {}", cost.o200k, was.o200k);
            findings.push(risen(Level::Warning, "warning", name, message));
        }
        rows.push(row(name, *cost, was));
    }
    let sum_before = before.as_ref().map_or(Before::Unknown, |tools| {
        Before::Was(tools.iter().fold(Cost::default(), |sum, (_, cost)| sum.and(*cost)))
    });
    rows.push(row("in all", total, sum_before));
    let is_over = verb.max.is_some_and(|max| total.o200k > max);
    if let (true, Some(max)) = (is_over, verb.max) {
        let message = format!("{} tokens, and {max} are allowed", total.o200k);
        findings.push(risen(Level::Error, "over", "in all", message));
    }
    let exactly = if cfg!(feature = "tokens") { "" } else { "about " };
    let mut facts = Map::new();
    facts.insert("exact".to_owned(), cfg!(feature = "tokens").into());
    facts.insert("tools".to_owned(), costs.iter().map(|(name, cost)| cost.json(name)).collect());
    facts.insert("total".to_owned(), total.json("in all"));
    let closing = format!("{exactly}{} tokens for {}", total.o200k, count(costs.len(), "tool"));
    let table = Table { head: ["tool", "o200k", "cl100k", "characters", "change"].map(str::to_owned).into(), rows };
    Report { verb: "tokens", findings, facts, table: Some(table), closing }.write(verb.format.asked())?;
    Ok(if is_over { Exit::Budget } else { Exit::Done })
}

fn published(contracts: &Contracts, profile: Profile) -> Vec<(String, Cost)> {
    let place = format!("/projections/{}/tools", profile.as_str());
    let tools =
        contracts.iter().filter_map(|(_, document)| document.pointer(&place).and_then(Value::as_array)).flatten();
    tools.map(|tool| (tools::name(tool).to_owned(), Cost::of(tool))).collect()
}

/// What a tool cost before.
#[derive(Clone, Copy)]
enum Before {
    /// There is no baseline.
    Unknown,
    /// It was not there.
    New,
    Was(Cost),
}

fn row(name: &str, cost: Cost, before: Before) -> Vec<String> {
    let change = match before {
        Before::Unknown => String::new(),
        Before::New => "new".to_owned(),
        Before::Was(was) if was.o200k == cost.o200k => "0".to_owned(),
        Before::Was(was) if was.o200k < cost.o200k => format!("+{}", cost.o200k - was.o200k),
        Before::Was(was) => format!("-{}", was.o200k - cost.o200k),
    };
    vec![name.to_owned(), cost.o200k.to_string(), cost.cl100k.to_string(), cost.characters.to_string(), change]
}

fn risen(level: Level, verdict: &'static str, subject: &str, message: String) -> Finding {
    Finding {
        level,
        verdict,
        rule: "tokens".to_owned(),
        subject: subject.to_owned(),
        pointer: String::new(),
        message,
        why: "every conversation pays for what the tools say, before the first call".to_owned(),
        place: None,
    }
}

#[cfg(all(test, feature = "tokens"))]
mod tests {
    use super::counted;

    /// The counts that the vendor's cookbook gives under "How to count tokens with tiktoken".
    #[test]
    fn texts_cost_what_the_vocabularies_say() {
        for (text, o200k, cl100k) in
            [("antidisestablishmentarianism", 6, 6), ("2 + 2 = 4", 7, 7), ("お誕生日おめでとう", 8, 9)]
        {
            assert_eq!(counted(text), (o200k, cl100k), "{text}");
        }
    }
}
