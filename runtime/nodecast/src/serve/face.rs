//! What one base path serves: one nodeset whole, or the root of a host with several.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::lease::Verb;
use super::mcp;
use super::options::Options;
use super::server::{Document, Hosted, Server};
use crate::Error;
use crate::call::{Dropped, Finding, nearest_named};
use crate::catalog::Entry;
use crate::contract::LEASE;
use crate::decl::Exclusivity;
use crate::manifest::{self, Limits};

/// One base path of a host.
pub(super) struct Face {
    pub(super) server: Arc<Server>,
    pub(super) nodesets: Vec<Arc<Hosted>>,
    pub(super) manifest: Document,
    pub(super) mcp: mcp::State,
    /// What calls say that is no part of one, where the reference takes no note of it.
    pub(super) dropped: Option<Dropped>,
    name: String,
}

impl Face {
    /// The face of one nodeset.
    pub(super) fn of_one(server: &Arc<Server>, hosted: &Arc<Hosted>, mcp: mcp::State) -> Self {
        let manifest = manifest::document(&hosted.catalog, &hosted.hash, limits(&server.options));
        let manifest = published(manifest, &server.options);
        let (nodesets, name) = (vec![hosted.clone()], hosted.name().to_owned());
        Self { server: server.clone(), nodesets, manifest, mcp, dropped: dropped(&server.options), name }
    }

    /// The face of all nodesets of a host together.
    pub(super) fn of_all(server: &Arc<Server>, name: String, mcp: mcp::State) -> Self {
        let limits = limits(&server.options);
        let each = server.nodesets.iter();
        let each = each.map(|hosted| manifest::document(&hosted.catalog, &hosted.hash, limits));
        let manifest = published(merged(&name, each), &server.options);
        let (nodesets, dropped) = (server.nodesets.clone(), dropped(&server.options));
        Self { server: server.clone(), nodesets, manifest, mcp, dropped, name }
    }

    /// The only nodeset of this face.
    pub(super) fn only(&self) -> Option<&Hosted> {
        match self.nodesets.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The nodeset that has a function of this full name; with a verb where the function is the runtime's own.
    pub(super) fn find(&self, function: &str) -> Result<(&Hosted, Option<Verb>), Error> {
        let calls = |hosted: &&Arc<Hosted>| hosted.entry(function).is_some_and(|entry| !entry.mcp_only);
        if let Some(hosted) = self.nodesets.iter().find(calls) {
            return Ok((hosted, None));
        }
        let gated = self.nodesets.iter().filter(|hosted| hosted.catalog.exclusivity == Exclusivity::All);
        for hosted in gated {
            if let Some(verb) = hosted.catalog.lease_names().and_then(|names| Verb::of(&names, function)) {
                return Ok((hosted, Some(verb)));
            }
        }
        let known: Vec<_> = self.nodesets.iter().flat_map(|hosted| hosted.catalog.functions()).collect();
        let names = || known.iter().map(|entry| &*entry.full_name);
        Err(Error::refused(vec![Finding {
            kind: "unknown_function",
            detail: format!("there is no function `{function}`"),
            nearest: nearest_named(function, names()).map(str::to_owned),
            known: names().map(str::to_owned).collect(),
            ..Finding::default()
        }]))
    }

    /// The health report; strangers get its first three members.
    pub(super) fn health(&self, trusted: bool) -> Json {
        let status = self.server.life.phase().as_str();
        let mut report = json!({ "status": status, "name": self.name, "version": "1.0" });
        let ours = trusted && !self.server.options.reference;
        if let (true, Some(report)) = (ours, report.as_object_mut()) {
            report.insert("nodecast".to_owned(), Json::Object(self.details()));
        }
        report
    }

    fn details(&self) -> Map<String, Json> {
        let mut details = Map::new();
        details.insert("mcp".to_owned(), self.mcp.report());
        if let Some(hosted) = self.only() {
            details.extend(facts(hosted));
        } else {
            let nodesets = self
                .nodesets
                .iter()
                .map(|hosted| (hosted.name().to_owned(), Json::Object(facts(hosted).into_iter().collect())));
            details.insert("nodesets".to_owned(), Json::Object(nodesets.collect()));
        }
        details.insert("in_flight".to_owned(), self.server.life.in_flight().into());
        details.insert("uptime_s".to_owned(), self.server.since.elapsed().as_secs().into());
        details
    }
}

fn facts(hosted: &Hosted) -> [(String, Json); 3] {
    let lease = hosted.lease.as_ref().map_or("free", |lease| lease.status().as_str());
    [
        ("contract".to_owned(), hosted.hash.as_str().into()),
        ("exclusive".to_owned(), hosted.lease.is_some().into()),
        ("lease".to_owned(), lease.into()),
    ]
}

/// One manifest for several nodesets: all functions and containers, in the order of the nodesets.
fn merged(name: &str, documents: impl Iterator<Item = Json>) -> Json {
    let (mut functions, mut containers, mut nodesets) = (Vec::new(), Vec::new(), Map::new());
    for mut document in documents {
        let name = document.get("name").and_then(Json::as_str).map(str::to_owned);
        if let (Some(name), Some(ours)) = (name, document.get_mut(manifest::OURS)) {
            nodesets.insert(name, ours.take());
        }
        for (key, into) in [("functions", &mut functions), ("containers", &mut containers)] {
            if let Some(Json::Array(items)) = document.get_mut(key) {
                into.append(items);
            }
        }
    }
    json!({
        "name": name,
        "version": "1.0",
        "description": "",
        "functions": functions,
        "containers": containers,
        // What each says of itself as a whole.
        (manifest::OURS): { "nodesets": nodesets },
    })
}

/// The manifest as it is served.
fn published(mut manifest: Json, options: &Options) -> Document {
    if options.reference {
        manifest::strip(&mut manifest);
    }
    Document::new(manifest.to_string())
}

fn dropped(options: &Options) -> Option<Dropped> {
    options.reference.then(Dropped::default)
}

/// What the manifest says about bodies.
pub(super) fn limits(options: &Options) -> Limits {
    Limits { max_body: options.max_body as u64 }
}

fn has_lease(entry: &Entry) -> bool {
    entry.inputs.iter().any(|field| {
        field.name == LEASE || field.header.as_ref().is_some_and(|header| header.eq_ignore_ascii_case(LEASE))
    })
}

/// The way out where two cannot be served together.
const ALONE: &str = "serve one with --nodeset";

/// Refuses what cannot be served together: names that two nodesets share, and what stands in the place of a lease.
pub(super) fn check(nodesets: &[Arc<Hosted>]) -> Result<(), String> {
    let (mut seen, mut containers) = (BTreeMap::new(), BTreeMap::new());
    for hosted in nodesets {
        let declared = hosted.catalog.entries.iter().map(|entry| entry.full_name.clone());
        let names = hosted.catalog.lease_names();
        // Of what is declared, the compiler has checked it; a catalog made at run time comes here first.
        if let Some(entry) = hosted.catalog.entries.iter().find(|entry| names.is_some() && has_lease(entry)) {
            return Err(format!(
                "`{}` has an argument or a header `lease`, which carries the lease of an exclusive nodeset; rename it",
                entry.full_name
            ));
        }
        for id in hosted.containers.ids() {
            if let Some(other) = containers.insert(id.to_owned(), hosted.name()) {
                return Err(format!(
                    "both `{other}` and `{}` have a container `{id}`; {ALONE}, or rename one of the two",
                    hosted.name()
                ));
            }
        }
        let own = names.map(|names| [names.acquire, names.release]);
        for name in declared.chain(own.into_iter().flatten()) {
            if let Some(other) = seen.insert(name.clone(), hosted.name()) {
                return Err(format!(
                    "both `{other}` and `{}` have a function `{name}`; {ALONE}, or give one another `prefix`",
                    hosted.name()
                ));
            }
        }
    }
    Ok(())
}
