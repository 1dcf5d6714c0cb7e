//! The contracts of a target, and what changed between those of two.

pub(crate) mod baseline;
mod git;
mod side;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use nodecast::contract::{Change, Profile, Promises, Verdict, diff};
use serde_json::{Map, Value, json};

pub(crate) use side::{Here, Side};

use crate::cost;
use crate::failure::Failure;
use crate::inspect::documents_of;
use crate::kept::from_here;
use crate::output;
use crate::report::{Finding, Level, Place};
use crate::target::{Program, Target};
use crate::tools;

/// The contract documents of a target, by nodeset.
#[derive(Clone, Debug, Default)]
pub(crate) struct Contracts {
    /// What people call the target.
    pub(crate) name: String,
    documents: BTreeMap<String, Value>,
    /// Whether the target is a server that only lists tools.
    lists_only: bool,
}

impl Contracts {
    /// Those in one printed document: a contract, or an object nodeset → contract.
    pub(crate) fn printed(name: &str, printed: &Value) -> Self {
        let named =
            |document: &&Value| document.pointer("/contract/nodeset/name").and_then(Value::as_str).map(str::to_owned);
        let all = tools::documents(printed, "contract").into_iter();
        let documents = all.filter_map(|document| Some((named(&document)?, document.clone()))).collect();
        Self { name: name.to_owned(), documents, lists_only: false }
    }

    /// Those of any target; of a server that is not ours, what its list says.
    pub(crate) async fn of(target: &Target, name: &str) -> Result<Self, Failure> {
        if let Some(printed) = documents_of(target).await? {
            return Ok(Self::printed(name, &printed));
        }
        let listed = tools::parse(&tools::document(target, None, None).await?)?;
        Ok(Self::listed(name, &listed))
    }

    /// A contract as far as a list of tools says it.
    fn listed(name: &str, listed: &[Value]) -> Self {
        let nodes = listed.iter().map(|tool| {
            let hints = tool.get("annotations").and_then(Value::as_object);
            let hint = |key: &str| hints.and_then(|hints| hints.get(key)).cloned();
            let hints: Map<String, Value> = [
                ("read_only", "readOnlyHint"),
                ("destructive", "destructiveHint"),
                ("idempotent", "idempotentHint"),
                ("open_world", "openWorldHint"),
            ]
            .into_iter()
            .filter_map(|(name, key)| Some((name.to_owned(), hint(key)?)))
            .collect();
            json!({
                "name": tools::name(tool),
                "full_name": tools::name(tool),
                "title": tool.get("title"),
                "doc": tool.get("description"),
                "hints": hints,
                "icons": tool.get("icons"),
                "meta": tool.get("_meta"),
                "input_schema": tool.get("inputSchema"),
                "output_schema": tool.get("outputSchema"),
            })
        });
        let contract = json!({"nodeset": {"name": "tools"}, "nodes": nodes.collect::<Vec<_>>()});
        let mut projections = Map::new();
        projections.insert(Profile::default().as_str().to_owned(), json!({ "tools": listed }));
        let document = json!({ "contract": contract, "projections": projections });
        let documents = BTreeMap::from([("tools".to_owned(), document)]);
        Self { name: name.to_owned(), documents, lists_only: true }
    }

    /// The same as a list of tools alone, to be compared with such a one.
    fn as_list(&self) -> Self {
        if self.lists_only {
            return self.clone();
        }
        Self::listed(&self.name, &self.tools(Profile::default()).into_iter().cloned().collect::<Vec<_>>())
    }

    /// The tools as a profile publishes them.
    pub(crate) fn tools(&self, profile: Profile) -> Vec<&Value> {
        // A list has no other profile than the one that it is in.
        let profile = if self.lists_only { Profile::default() } else { profile };
        let place = format!("/projections/{}/tools", profile.as_str());
        let lists = self.documents.values().filter_map(|document| document.pointer(&place).and_then(Value::as_array));
        lists.flatten().collect()
    }

    /// Those of these nodesets alone; all, if none is named.
    pub(crate) fn only(mut self, nodesets: &[String]) -> Self {
        if !nodesets.is_empty() && !self.lists_only {
            self.documents.retain(|name, _| nodesets.contains(name));
        }
        self
    }

    /// Whether it has a nodeset of this name, as far as it can be said.
    pub(crate) fn has(&self, nodeset: &str) -> bool {
        self.lists_only || self.documents.contains_key(nodeset)
    }

    /// The version of the crate, where there is one.
    pub(crate) fn version(&self) -> Option<&str> {
        self.documents.values().find_map(|document| document.get("version")).and_then(Value::as_str)
    }

    /// Each document, by nodeset.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.documents.iter().map(|(name, document)| (name.as_str(), document))
    }
}

/// All changes from one target to another, the worst first.
pub(crate) fn changes(from: &Contracts, to: &Contracts, promises: Promises) -> Vec<Change> {
    if from.lists_only != to.lists_only {
        return changes(&from.as_list(), &to.as_list(), promises);
    }
    let nothing = |document: &Value| {
        let nodeset = document.pointer("/contract/nodeset").cloned().unwrap_or_default();
        json!({"version": document.get("version"), "contract": {"nodeset": nodeset}})
    };
    let mut all = Vec::new();
    let renamed = renamed(from, to);
    let names: BTreeSet<&String> = from.documents.keys().chain(to.documents.keys()).collect();
    for name in names.into_iter().filter(|name| !renamed.contains_key(*name)) {
        let was = renamed.iter().find(|(_, new)| **new == name).map_or(name, |(old, _)| *old);
        // A nodeset that came or went is all its nodes.
        all.extend(match (from.documents.get(was), to.documents.get(name)) {
            (Some(old), Some(new)) => diff(old, new, promises),
            (Some(old), None) => diff(old, &nothing(old), promises),
            (None, Some(new)) => diff(&nothing(new), new, promises),
            (None, None) => Vec::new(),
        });
    }
    let inline = Profile::default();
    all.extend(cost::rises(&from.tools(inline), &to.tools(inline)));
    all.sort_by_key(|change| std::cmp::Reverse(change.verdict));
    all
}

/// Nodesets that went, and those that came with the very same nodes.
fn renamed<'a>(from: &'a Contracts, to: &'a Contracts) -> BTreeMap<&'a String, &'a String> {
    let nodes = |document: &Value| -> Vec<[Value; 3]> {
        let nodes = document.pointer("/contract/nodes").and_then(Value::as_array).into_iter().flatten();
        let facts = ["name", "input_schema", "output_schema"];
        nodes.map(|node| facts.map(|key| node.get(key).cloned().unwrap_or_default())).collect()
    };
    let mut renamed: BTreeMap<&String, &String> = BTreeMap::new();
    for (old, was) in from.documents.iter().filter(|(name, _)| !to.documents.contains_key(*name)) {
        let was = nodes(was);
        let mut came = to.documents.iter().filter(|(name, _)| !from.documents.contains_key(*name));
        let is_it = |new: &String, is: &Value| {
            !was.is_empty() && nodes(is) == was && !renamed.values().any(|taken| *taken == new)
        };
        if let Some((new, _)) = came.find(|(new, is)| is_it(new, is)) {
            renamed.insert(old, new);
        }
    }
    renamed
}

/// Where the things of a crate are declared.
#[derive(Debug, Default)]
pub(crate) struct Sources(BTreeMap<String, Place>);

impl Sources {
    /// As the host knows them.
    pub(crate) fn of(program: &Program) -> Result<Self, Failure> {
        Ok(Self::read(&output::json(&program.document("sources:all", None)?)?))
    }

    /// Those of an object nodeset → name → place.
    fn read(printed: &Value) -> Self {
        let each = printed.as_object().into_iter().flat_map(Map::values).filter_map(Value::as_object).flatten();
        let known = each.filter_map(|(name, source)| {
            let file = source.get("file")?.as_str()?;
            let line = source.get("line")?.as_u64()?;
            Some((name.clone(), Place { file: from_here(std::path::Path::new(file)), line }))
        });
        Self(known.collect())
    }

    /// Where something of this full name is declared; what is gone is looked for where its nodeset is.
    pub(crate) fn place(&self, name: &str) -> Option<Place> {
        let mut heads = std::iter::successors(Some(name), |name| Some(name.rsplit_once("__")?.0));
        heads.find_map(|head| self.0.get(head)).cloned()
    }
}

/// A change as a finding.
pub(crate) fn finding(change: &Change, sources: &Sources) -> Finding {
    let Change { rule, verdict, subject, pointer, side, message, why } = change;
    let pointer = match side {
        Some(side) if !pointer.is_empty() => format!("{}{pointer}", side.as_str()),
        _ => pointer.clone(),
    };
    Finding {
        level: match verdict {
            Verdict::Breaking => Level::Error,
            Verdict::Warning | Verdict::Exempt => Level::Warning,
            Verdict::Compatible | Verdict::Words | Verdict::Info => Level::Notice,
        },
        verdict: verdict.as_str(),
        class: Some(rule.class.as_str()),
        rule: rule.id.to_owned(),
        subject: subject.clone(),
        pointer,
        message: message.clone(),
        why: why.clone(),
        place: sources.place(subject),
    }
}

/// How many of each verdict, in a sentence.
pub(crate) fn counted(changes: &[Change]) -> String {
    let count = |verdict: Verdict| changes.iter().filter(|change| change.verdict == verdict).count();
    let words = [
        (Verdict::Breaking, "breaking"),
        (Verdict::Exempt, "breaking what is unstable"),
        (Verdict::Warning, "to think about"),
        (Verdict::Compatible, "compatible"),
        (Verdict::Words, "in words"),
        (Verdict::Info, "of no consequence"),
    ];
    let parts: Vec<String> = words
        .into_iter()
        .map(|(verdict, word)| (count(verdict), word))
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if parts.is_empty() { "nothing changed".to_owned() } else { format!("changes: {}", parts.join(", ")) }
}

/// Whether a version was raised as far as a breaking change asks for: the first number that is not 0.
pub(crate) fn is_raised(old: &str, new: &str) -> bool {
    let numbers = |version: &str| -> Option<Vec<u64>> {
        let core = version.split(['-', '+']).next()?;
        core.split('.').map(|number| number.parse().ok()).collect()
    };
    let (Some(old), Some(new)) = (numbers(old), numbers(new)) else { return false };
    let until = old.iter().position(|number| *number > 0).unwrap_or(old.len().saturating_sub(1)) + 1;
    let head = |numbers: &[u64]| numbers.get(..until).map(<[u64]>::to_vec);
    head(&new) > head(&old)
}

#[cfg(test)]
mod tests {
    use nodecast::contract::Promises;
    use serde_json::{Value, json};

    use super::{Contracts, changes, is_raised};

    /// `contract.md` 4: renames are one row.
    #[test]
    fn a_nodeset_under_another_name_is_one_row() {
        let nodeset = |name: &str, schema: &Value| {
            let node = json!({"name": "a", "full_name": format!("{name}__a"), "input_schema": schema});
            json!({"contract": {"nodeset": {"name": name, "prefix": name}, "nodes": [node]}})
        };
        let (closed, open) = (json!({"type": "object", "additionalProperties": false}), json!({"type": "object"}));
        let rows = |from: &Value, to: &Value| {
            let found = changes(&Contracts::printed("was", from), &Contracts::printed("is", to), Promises::default());
            found.iter().map(|change| change.rule.id).collect::<Vec<_>>()
        };
        let (left, right) = (nodeset("left", &closed), nodeset("right", &closed));
        assert_eq!(rows(&left, &right), ["nodeset_renamed"]);
        let other = nodeset("other", &open);
        assert_eq!(rows(&left, &other), ["node_removed", "node_added"]);
        let both = |one: &Value| json!({"one": one, "other": other});
        assert_eq!(rows(&both(&left), &both(&right)), ["nodeset_renamed"]);
    }

    /// <https://semver.org>, 4 and 8, and cargo's reading of versions below 1.
    #[test]
    fn a_breaking_change_asks_for_the_first_number_that_is_not_zero() {
        for (old, new, raised) in [
            ("1.2.3", "2.0.0", true),
            ("1.2.3", "1.3.0", false),
            ("0.2.3", "0.3.0", true),
            ("0.2.3", "1.0.0", true),
            ("0.2.3", "0.2.4", false),
            ("0.0.3", "0.0.4", true),
            ("1.2.3", "1.2.3", false),
            ("2.0.0", "1.0.0", false),
            ("1.2.3", "2.0.0-rc.1", true),
        ] {
            assert_eq!(is_raised(old, new), raised, "{old} → {new}");
        }
    }
}
