//! Which node somebody means: by its exposed name, its own, its number, or its path.

use nodecast::call::{Stage, nearest};
use std::fmt::Write as _;

use super::log::{Log, Record};
use crate::message::Rejected;

impl Record {
    /// What it is called: as clients know it, else as it was bound, else what it is.
    pub(super) fn called(&self) -> &str {
        self.exposed.as_deref().or(self.name).unwrap_or(match self.kind {
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
        let exposed = self.nodes.iter().find(|(_, record)| record.exposed.as_deref() == Some(named));
        if let Some((id, _)) = exposed {
            return Ok(*id);
        }
        let by_name: Vec<u64> =
            self.nodes.iter().filter(|(_, record)| record.own() == named).map(|(id, _)| *id).collect();
        match by_name.as_slice() {
            [id] => return Ok(*id),
            [] => {}
            several => {
                let all: Vec<_> = several.iter().take(20).map(|id| format!("#{id}")).collect();
                return refuse(format!("`{named}` is the name of several nodes; send one of {}", all.join(", ")));
            }
        }
        let by_path = self.nodes.keys().find(|id| self.path(**id) == named);
        if let Some(id) = by_path {
            return Ok(*id);
        }
        let known = self.nodes.values().flat_map(|record| [record.called(), record.own()]);
        let hint = nearest(named, known).map(|near| format!(", did you mean `{near}`?")).unwrap_or_default();
        refuse(format!("there is no node `{}`{hint}; {}", crate::lines::cut(named, 100), self.known()))
    }

    fn known(&self) -> String {
        let exposed = self.nodes.iter().filter(|(_, record)| record.exposed.is_some());
        let exposed: Vec<_> = exposed.map(|(id, record)| format!("{}#{id}", record.called())).collect();
        format!("exposed are {}", super::text::joined(&exposed, 1_000))
    }
}
