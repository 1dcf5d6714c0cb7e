//! `generate`: clients and documents made of a contract, written to a file or checked against it.

mod decoded;
pub(crate) mod model;
mod python;
mod rust;
mod ts;
mod types;

use std::fs;
use std::path::Path;

use nodecast::contract::openapi;
use serde_json::Value;

use crate::cli::{Generate, What};
use crate::contracts::Contracts;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::inspect::{documents_of, markdown};
use crate::target::Target;
use crate::{files, output};

use model::Api;

/// Writes, prints or checks.
pub(crate) async fn run(verb: &Generate) -> Result<Exit, Failure> {
    let target = Target::resolve(verb.target.as_deref(), &verb.at)?;
    let printed = documents_of(&target).await?.unwrap_or_default();
    let contracts = Contracts::printed("the target", &printed);
    let text = text(verb.what, chosen(&contracts, &verb.at.nodeset)?);
    match (&verb.output, verb.check) {
        (None, true) => Err(Failure::usage("--check compares with a file").hint("name it with --output FILE")),
        (None, false) => output::answer(&text).map(|()| Exit::Done),
        (Some(path), true) => check(path, &text),
        (Some(path), false) => write(path, &text),
    }
}

/// The one contract that is meant.
pub(crate) fn chosen<'a>(contracts: &'a Contracts, nodesets: &[String]) -> Result<&'a Value, Failure> {
    let is_wanted = |name: &str| nodesets.is_empty() || nodesets.iter().any(|wanted| wanted == name);
    let wanted: Vec<(&str, &Value)> = contracts.iter().filter(|(name, _)| is_wanted(name)).collect();
    match wanted.as_slice() {
        [(_, document)] => Ok(*document),
        [] => Err(Failure::new(Exit::Refused, "no_nodeset", "the target has no such nodeset, or no contract")
            .hint("it is made of a contract of ours: of a crate, a binary, a server or a file")),
        several => {
            let names: Vec<&str> = several.iter().map(|(name, _)| *name).collect();
            Err(Failure::usage("the target has several nodesets, and this is made of one")
                .hint(format!("choose with --nodeset: {}", names.join(", ")))
                .detail("known", names))
        }
    }
}

/// What is made of a contract.
pub(crate) fn text(what: What, document: &Value) -> String {
    match what {
        What::Ts => ts::module(&Api::read(document)),
        What::Python => python::module(&Api::read(document)),
        What::Rust => rust::module(&Api::read(document)),
        What::Openapi => format!("{:#}\n", openapi(document)),
        What::Docs => markdown::page(document),
    }
}

/// Writes only a change, so that builds which watch the file see none.
fn write(path: &Path, text: &str) -> Result<Exit, Failure> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(Exit::Done);
    }
    let failure = |error| Failure::file(path, error);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failure)?;
    }
    files::write(path, text.as_bytes()).map_err(failure)?;
    output::note(&format!("wrote {}", path.display()));
    Ok(Exit::Done)
}

fn check(path: &Path, text: &str) -> Result<Exit, Failure> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(Exit::Done);
    }
    Err(Failure::new(Exit::Conflict, "stale", format!("{} is not what the contract says", path.display()))
        .hint("run the same command without --check")
        .detail("file", path.display().to_string()))
}
