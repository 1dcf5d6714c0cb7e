//! `tokens`: what the tools of a target cost a model that reads them, before it has called any.

use serde_json::{Map, Value};

use crate::cli::Tokens;
use crate::contracts::{Side, Sources, finding};
use crate::cost::{self, Cost};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::lint::count;
use crate::report::{Finding, Level, Report, Table};
use crate::target::Target;
use crate::tools;

/// Counts.
pub(crate) async fn run(verb: &Tokens) -> Result<Exit, Failure> {
    let asked = &verb.tools;
    let target = Target::read(&asked.read)?;
    let listed = tools::listed(&target, asked).await?;
    let costs: Vec<Priced> = listed.iter().map(Priced::of).collect();
    let before = match &verb.baseline {
        Some(baseline) => Side::Named(baseline.clone()).contracts(&asked.read.at).await?,
        None => None,
    };
    // Of one node, what the others cost is not asked.
    let is_here = |tool: &Priced| costs.iter().any(|here| here.name == tool.name);
    let before: Option<Vec<Priced>> = before.map(|contracts| {
        let all = contracts.tools(asked.profile.unwrap_or_default()).into_iter().map(Priced::of);
        all.filter(|tool| asked.node.is_none() || is_here(tool)).collect()
    });
    let was = |name: &str| match &before {
        None => Before::Unknown,
        Some(tools) => {
            tools.iter().find(|tool| tool.name == name).map_or(Before::New, |tool| Before::Was(tool.comparable))
        }
    };
    let mut findings = Vec::new();
    let mut rows = Vec::new();
    for tool in &costs {
        let was = was(&tool.name);
        if let Before::Was(was) = was
            && tool.comparable.has_risen(was)
        {
            findings.push(finding(&cost::risen(&tool.name, was, tool.comparable), &Sources::default()));
        }
        rows.push(tool.row(was));
    }
    for gone in before.iter().flatten().filter(|tool| !is_here(tool)) {
        let nothing = Priced { name: gone.name.clone(), ..Priced::default() };
        rows.push(nothing.row(Before::Was(gone.comparable)));
    }
    let all = Priced::all(&costs);
    let all_before = before.as_deref().map_or(Before::Unknown, |before| Before::Was(Priced::all(before).comparable));
    rows.push(all.row(all_before));
    let total = all.served;
    let is_over = verb.max.is_some_and(|max| total.tokens > max);
    if let (true, Some(max)) = (is_over, verb.max) {
        findings.push(over(total, max));
    }
    let about = if cost::IS_EXACT { "" } else { "about " };
    let mut facts = Map::new();
    facts.insert("exact".to_owned(), cost::IS_EXACT.into());
    facts.insert("tools".to_owned(), costs.iter().map(|tool| tool.json(was(&tool.name))).collect());
    facts.insert("total".to_owned(), all.json(all_before));
    let closing = format!("{about}{} tokens for {}", total.tokens, count(costs.len(), "tool"));
    let head = ["tool"].iter().chain(Cost::head()).chain(&["change"]).map(|word| (*word).to_owned()).collect();
    Report { verb: "tokens", findings, facts, table: Some(Table { head, rows }), closing }
        .write(verb.format.asked())?;
    Ok(if is_over { Exit::Budget } else { Exit::Done })
}

/// A tool and what it costs.
#[derive(Clone, Debug, Default)]
struct Priced {
    name: String,
    /// As it is served.
    served: Cost,
    /// In the form in which it is compared with what it was.
    comparable: Cost,
}

impl Priced {
    fn of(tool: &Value) -> Self {
        Self { name: tools::name(tool).to_owned(), served: Cost::of(tool), comparable: Cost::comparable(tool) }
    }

    /// All of them.
    fn all(priced: &[Self]) -> Self {
        priced.iter().fold(Self { name: "in all".to_owned(), ..Self::default() }, |sum, one| Self {
            served: sum.served.and(one.served),
            comparable: sum.comparable.and(one.comparable),
            ..sum
        })
    }

    /// For programs; where it was there before, with the difference.
    fn json(&self, before: Before) -> Value {
        let mut object = self.served.json(&self.name);
        let number = |tokens: usize| i64::try_from(tokens).unwrap_or(i64::MAX);
        if let (Before::Was(was), Some(object)) = (before, object.as_object_mut()) {
            object.insert("change".to_owned(), (number(self.comparable.tokens) - number(was.tokens)).into());
        }
        object
    }

    fn row(&self, before: Before) -> Vec<String> {
        let now = self.comparable.tokens;
        let change = match before {
            Before::Unknown => String::new(),
            Before::New => "new".to_owned(),
            Before::Was(was) if was.tokens == now => "0".to_owned(),
            Before::Was(was) if was.tokens < now => format!("+{}", now - was.tokens),
            Before::Was(was) => format!("-{}", was.tokens - now),
        };
        [vec![self.name.clone()], self.served.columns(), vec![change]].concat()
    }
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

fn over(total: Cost, max: usize) -> Finding {
    Finding {
        level: Level::Error,
        verdict: "over",
        class: None,
        rule: "budget".to_owned(),
        subject: "in all".to_owned(),
        pointer: String::new(),
        message: format!("{} tokens, and {max} are allowed", total.tokens),
        why: "shorten descriptions, or raise --max".to_owned(),
        place: None,
    }
}
