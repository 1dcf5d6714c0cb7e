//! What a tool costs a model that reads it: tokens by the vocabularies of models, or an estimate where these are not built in.

use std::collections::BTreeMap;

use nodecast::contract::{self, Change, Class, Judgement, Rule, Verdict};
use serde_json::{Map, Value};

use crate::tools;

/// From here on a rise is worth a thought (`contract.md` 4), as from a tenth on.
const MOST_RISE: usize = 200;

/// A tool that costs more than it did.
const COST_RISEN: Rule = Rule {
    id: "cost_risen",
    class: Class::Cost,
    judgement: Judgement::Always(Verdict::Warning),
    why: "every conversation pays for what the tools say, before the first call",
};

/// Whether tokens are counted or estimated.
pub(crate) const IS_EXACT: bool = cfg!(feature = "tokens");

/// What something costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cost {
    /// In the vocabulary o200k, or about.
    pub(crate) tokens: usize,
    /// In the vocabulary cl100k, where it is counted.
    cl100k: Option<usize>,
    characters: usize,
}

impl Cost {
    /// Of a tool as it is served: its name, its description, its schemas.
    pub(crate) fn of(tool: &Value) -> Self {
        let words = ["name", "description"].iter().filter_map(|key| tool.get(*key)?.as_str().map(str::to_owned));
        let schemas = ["inputSchema", "outputSchema"].iter().filter_map(|key| tool.get(*key).map(Value::to_string));
        let text: String = words.chain(schemas).flat_map(|part| [part, "\n".to_owned()]).collect();
        let (tokens, cl100k) = counted(&text);
        Self { tokens, cl100k, characters: text.chars().count() }
    }

    /// The same of the tool in canonical form, as a contract has it: so that `1.0` and `1` cost the same, and the order of
    /// names nothing, where two lists are compared.
    pub(crate) fn comparable(tool: &Value) -> Self {
        let plain = contract::canonical(tool).ok().and_then(|text| serde_json::from_str(&text).ok());
        Self::of(plain.as_ref().unwrap_or(tool))
    }

    /// Of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            tokens: self.tokens + other.tokens,
            cl100k: self.cl100k.map(|own| own + other.cl100k.unwrap_or_default()).or(other.cl100k),
            characters: self.characters + other.characters,
        }
    }

    /// Whether it is so much more than before that somebody should think about it.
    pub(crate) fn has_risen(self, before: Self) -> bool {
        self.tokens > before.tokens + MOST_RISE || self.tokens * 10 > before.tokens * 11
    }

    /// What stands in the columns of a table.
    pub(crate) fn head() -> &'static [&'static str] {
        if IS_EXACT { &["o200k", "cl100k", "characters"] } else { &["tokens, about", "characters"] }
    }

    /// As many words.
    pub(crate) fn columns(self) -> Vec<String> {
        let counts = [Some(self.tokens), self.cl100k.or(IS_EXACT.then_some(0)), Some(self.characters)];
        counts.into_iter().flatten().map(|count| count.to_string()).collect()
    }

    /// For programs: `tokens` is what a budget is held to, whether they are counted or estimated.
    pub(crate) fn json(self, name: &str) -> Value {
        let mut object = Map::new();
        object.insert("name".to_owned(), name.into());
        object.insert("tokens".to_owned(), self.tokens.into());
        if IS_EXACT {
            object.insert("o200k".to_owned(), self.tokens.into());
            object.insert("cl100k".to_owned(), self.cl100k.unwrap_or_default().into());
        }
        object.insert("characters".to_owned(), self.characters.into());
        Value::Object(object)
    }
}

#[cfg(feature = "tokens")]
fn counted(text: &str) -> (usize, Option<usize>) {
    let count = |bpe: &tiktoken_rs::CoreBPE| bpe.encode_ordinary(text).len();
    (count(tiktoken_rs::o200k_base_singleton()), Some(count(tiktoken_rs::cl100k_base_singleton())))
}

/// Without a tokenizer: schemas are about three and a half characters a token.
#[cfg(not(feature = "tokens"))]
fn counted(text: &str) -> (usize, Option<usize>) {
    (text.chars().count() * 2 / 7, None)
}

/// The row for a rise.
pub(crate) fn risen(tool: &str, before: Cost, now: Cost) -> Change {
    let about = if IS_EXACT { "" } else { ", about" };
    Change {
        rule: COST_RISEN,
        verdict: Verdict::Warning,
        subject: tool.to_owned(),
        pointer: String::new(),
        side: None,
        message: format!("tokens{about}: {} → {}", before.tokens, now.tokens),
        why: COST_RISEN.why.to_owned(),
    }
}

/// Rows for the tools of both lists that cost so much more than before.
pub(crate) fn rises(old: &[&Value], new: &[&Value]) -> Vec<Change> {
    let old: BTreeMap<&str, &Value> = old.iter().map(|tool| (tools::name(tool), *tool)).collect();
    let pairs = new.iter().filter_map(|tool| {
        let before = old.get(tools::name(tool))?;
        // Most tools are as they were, and counting takes its time.
        (before != tool).then(|| (tools::name(tool), Cost::comparable(before), Cost::comparable(tool)))
    });
    pairs
        .filter(|(_, before, now)| now.has_risen(*before))
        .map(|(name, before, now)| risen(name, before, now))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Cost, rises};

    fn cost(tokens: usize) -> Cost {
        Cost { tokens, ..Cost::default() }
    }

    /// `contract.md` 4: up by more than 10 %, or by more than 200.
    #[test]
    fn a_rise_counts_from_a_tenth_or_two_hundred() {
        for (before, now, has_risen) in [
            (100, 110, false),
            (100, 111, true),
            (4000, 4200, false),
            (4000, 4201, true),
            (100, 90, false),
            (0, 1, true),
        ] {
            assert_eq!(cost(now).has_risen(cost(before)), has_risen, "{before} → {now}");
        }
    }

    #[test]
    fn a_tool_that_says_more_is_a_row() {
        let tool = |words: &str| json!({"name": "n__a", "title": "Any", "description": words, "inputSchema": {"type": "object"}});
        let (short, long) = (tool("Does."), tool(&"Does something. ".repeat(20)));
        let found = rises(&[&short], &[&long]);
        let rows: Vec<_> =
            found.iter().map(|row| (row.rule.id, row.rule.class.as_str(), row.subject.as_str())).collect();
        assert_eq!(rows, [("cost_risen", "cost", "n__a")]);
        assert_eq!(rises(&[&long], &[&short]), []);
        assert_eq!(rises(&[], &[&long]), []);
    }

    /// A contract is canonical, and a list as it is served is not.
    #[test]
    fn the_same_in_another_form_costs_the_same() {
        let served = json!({"name": "a", "inputSchema": {"type": "object", "properties": {"b": {"minimum": 1.0, "type": "number"}}}});
        let kept = json!({"name": "a", "inputSchema": {"properties": {"b": {"type": "number", "minimum": 1}}, "type": "object"}});
        assert_eq!(Cost::comparable(&served), Cost::comparable(&kept));
        assert_eq!(rises(&[&kept], &[&served]), []);
    }

    /// The counts of three implementations that agree: Python's tiktoken 0.14.0 with the vocabularies of the hashes that it
    /// asks for (446a9538… of o200k, 223921b7… of cl100k), and npm's js-tiktoken 1.0.21 and gpt-tokenizer 4.0.0, which bring
    /// vocabularies of their own. Special tokens are text here, as they are in a description.
    #[cfg(feature = "tokens")]
    #[test]
    fn texts_cost_what_the_vocabularies_say() {
        for (text, o200k, cl100k) in [
            ("antidisestablishmentarianism", 6, 6),
            ("2 + 2 = 4", 7, 7),
            ("お誕生日おめでとう", 8, 9),
            ("Größe: naïve café, 12345 × 67 — “ok”\n\ttabs  and   spaces\r\n", 24, 24),
            (
                "{\"type\":\"object\",\"properties\":{\"image\":{\"type\":\"string\",\"contentEncoding\":\"base64\",\
                 \"contentMediaType\":\"image/png\",\"description\":\"Picture to cut up.\"},\"min_area\":{\"type\":\"number\",\
                 \"minimum\":0,\"maximum\":1,\"default\":0.02}},\"required\":[\"image\"],\"additionalProperties\":false}",
                66,
                64,
            ),
            ("vision__segment", 3, 3),
            ("<|endoftext|>", 7, 7),
            ("😀👩\u{200d}👩\u{200d}👧", 9, 15),
            ("snake_case_name camelCaseName SCREAMING_CASE", 10, 10),
            ("I'll we've THEY'RE don't", 6, 8),
        ] {
            assert_eq!(super::counted(text), (o200k, Some(cl100k)), "{text}");
        }
    }
}
