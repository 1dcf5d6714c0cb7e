//! Which node somebody means: by its exposed name, its own, its number, or its path.

use nodecast::call::{Stage, nearest};
use std::fmt::Write as _;

use super::log::{Log, Record, What};
use crate::message::Rejected;

impl Record {
    /// What it is called: as clients know it, else as it was bound, else what it is.
    pub(super) fn called(&self) -> &str {
        self.exposed.first().map(|name| &**name).or(self.name).unwrap_or(match self.kind {
            crate::graph::Kind::Signal => "signal",
            crate::graph::Kind::Mvu => "mvu",
            crate::graph::Kind::Memo => "memo",
            crate::graph::Kind::Effect => "effect",
        })
    }

    /// The name that its code gave it.
    fn own(&self) -> &str {
        self.name.unwrap_or_else(|| self.called())
    }
}

impl Log {
    /// `total#5`.
    pub(super) fn label(&self, id: u64) -> String {
        match self.nodes.get(&id) {
            Some(record) => format!("{}#{id}", record.called()),
            None => format!("dropped#{id}"),
        }
    }

    /// The names of its owners and its own, joined by `/`: `~2` for a repeat, `@2` for one that is made anew.
    pub(super) fn path(&self, id: u64) -> String {
        let Some(record) = self.nodes.get(&id) else { return String::new() };
        let mut path = record.owner.map(|owner| self.path(owner) + "/").unwrap_or_default();
        path.push_str(record.own());
        let equal = |(other, known): &(&u64, &Record)| {
            **other < id && known.owner == record.owner && known.own() == record.own()
        };
        let before = self.nodes.iter().filter(equal).count();
        if before > 0 {
            let _ = write!(path, "~{}", before + 1);
        }
        if record.generation > 1 {
            let _ = write!(path, "@{}", record.generation);
        }
        path
    }

    /// The node that is meant; a miss and a name of several say what to send instead.
    pub(super) fn find(&self, named: &str) -> Result<u64, Rejected> {
        let refuse = |text| Err(Rejected::new(Stage::SchemaValidation, text));
        if let Some(number) = named.strip_prefix('#') {
            return match number.parse() {
                Ok(id) if self.nodes.contains_key(&id) => Ok(id),
                _ => refuse(format!("there is no node `{}`; {}", crate::lines::cut(named, 100), self.known())),
            };
        }
        let ways: [fn(&Record, &str) -> bool; 2] =
            [|record, named| record.exposed.iter().any(|name| **name == *named), |record, named| record.own() == named];
        for fits in ways {
            let fitting: Vec<u64> =
                self.nodes.iter().filter(|(_, record)| fits(record, named)).map(|(id, _)| *id).collect();
            match fitting.as_slice() {
                [id] => return Ok(*id),
                [] => {}
                several => {
                    let all: Vec<_> = several.iter().take(20).map(|id| format!("#{id}")).collect();
                    let more = if several.len() > all.len() { " and others" } else { "" };
                    let all = all.join(", ");
                    return refuse(format!("`{named}` is the name of several nodes; send one of {all}{more}"));
                }
            }
        }
        // A path ends in the node's own name, so that few are written out.
        let by_path = self.nodes.iter().find(|(id, record)| named.contains(record.own()) && self.path(**id) == named);
        if let Some((id, _)) = by_path {
            return Ok(*id);
        }
        let known = self
            .nodes
            .values()
            .flat_map(|record| record.exposed.iter().map(|name| &**name).chain(std::iter::once(record.own())));
        let hint = nearest(named, known).map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
        refuse(format!("there is no node `{}`{hint}; {}", crate::lines::cut(named, 100), self.known()))
    }

    fn known(&self) -> String {
        match self.exposed().as_slice() {
            [] => "nothing is exposed".to_owned(),
            exposed => format!("exposed are {}", super::text::joined(exposed, 1_000)),
        }
    }

    /// All names that clients know, each with its node.
    pub(super) fn exposed(&self) -> Vec<String> {
        let names =
            self.nodes.iter().flat_map(|(id, record)| record.exposed.iter().map(move |name| format!("{name}#{id}")));
        names.collect()
    }

    /// What is left to say of a node that was dropped, of this number or this name.
    pub(super) fn disposed(&self, named: &str) -> Option<String> {
        let id = named.strip_prefix('#').and_then(|id| id.parse::<u64>().ok());
        let is_meant = |node: u64, text: &str| match id {
            Some(id) => node == id,
            None => text.strip_prefix(named).is_some_and(|rest| rest.starts_with('#')),
        };
        let dropped = self.events.iter().rev().filter(|event| event.what == What::Dropped);
        let mut found = dropped.filter_map(|event| Some((event.node, event.payload.as_deref()?)));
        if let Some((_, text)) = found.find(|(node, text)| is_meant(*node, text)) {
            return Some(format!("{text}\nsince: disposed"));
        }
        // It was there, since numbers count on; when it went lies before the checkpoint.
        id.filter(|id| (1..=self.newest).contains(id))
            .map(|id| format!("#{id}\nsince: disposed, before the checkpoint"))
    }
}
