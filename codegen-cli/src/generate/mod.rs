//! `generate`: clients and documents made of a contract, written to a file or checked against it.

mod composed;
mod decoded;
pub(crate) mod model;
mod python;
mod rust;
mod ts;
mod types;

use std::fs;
use std::path::Path;

use nodecast::contract::openapi;
use serde_json::{Value, json};

use crate::cli::{Generate, What};
use crate::contracts::Contracts;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::inspect::{documents_of, markdown};
use crate::output::{self, Format};
use crate::target::Target;

use model::Api;

/// Writes, prints or checks.
pub(crate) async fn run(verb: &Generate) -> Result<Exit, Failure> {
    if verb.check && verb.output.is_none() {
        return Err(Failure::usage("--check compares with a file").hint("name it with --output FILE"));
    }
    let target = Target::resolve(verb.target.as_deref(), &verb.at)?;
    let printed = documents_of(&target).await?.unwrap_or_default();
    let contracts = Contracts::printed("the target", &printed);
    let text = text(verb.what, chosen(&contracts, &verb.at.nodeset)?);
    let format = verb.format.asked();
    let Some(path) = &verb.output else {
        match format {
            Format::Json => output::document(format, &json!({ "text": text }).to_string())?,
            _ => output::answer(&text)?,
        }
        return Ok(Exit::Done);
    };
    let state = if verb.check { check(path, &text)? } else { write(path, &text)? };
    match (format, state) {
        (Format::Json, state) => {
            let object = json!({ "file": path.display().to_string(), "state": state });
            output::document(format, &object.to_string())?;
        }
        (_, WRITTEN) => output::note(&format!("wrote {}", path.display())),
        _ => {}
    }
    Ok(Exit::Done)
}

/// The word for a file that was written.
const WRITTEN: &str = "written";
/// The word for one that said the same before.
const UNCHANGED: &str = "unchanged";

/// The one contract that is meant.
pub(crate) fn chosen<'a>(contracts: &'a Contracts, nodesets: &[String]) -> Result<&'a Value, Failure> {
    let is_wanted = |name: &str| nodesets.is_empty() || nodesets.iter().any(|wanted| wanted == name);
    let wanted: Vec<(&str, &Value)> = contracts.iter().filter(|(name, _)| is_wanted(name)).collect();
    let known: Vec<&str> = contracts.iter().map(|(name, _)| name).collect();
    match wanted.as_slice() {
        [(_, document)] => Ok(*document),
        [] if !known.is_empty() => {
            let text = format!("the target has no nodeset `{}`", nodesets.join("`, `"));
            Err(Failure::new(Exit::Refused, "no_nodeset", text)
                .hint(format!("it has {}", known.join(", ")))
                .detail("known", known))
        }
        [] => Err(Failure::new(Exit::Refused, "no_nodeset", "the target has no contract")
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
fn write(path: &Path, text: &str) -> Result<&'static str, Failure> {
    if is_same(path, text) {
        return Ok(UNCHANGED);
    }
    let failure = |error| Failure::file(path, error);
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(failure)?;
    }
    files::write(path, text.as_bytes()).map_err(failure)?;
    Ok(WRITTEN)
}

fn check(path: &Path, text: &str) -> Result<&'static str, Failure> {
    if is_same(path, text) {
        return Ok(UNCHANGED);
    }
    Err(Failure::new(Exit::Conflict, "stale", format!("{} is not what the contract says", path.display()))
        .hint("run the same command without --check")
        .detail("file", path.display().to_string()))
}

/// Whether a file says this, however git has its lines end. A device or a pipe is not read, which might never end.
fn is_same(path: &Path, text: &str) -> bool {
    path.is_file() && fs::read_to_string(path).is_ok_and(|there| there == text || there.replace("\r\n", "\n") == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nodeset_that_is_not_there_is_told_with_those_that_are() {
        let printed = json!({ "contract": { "nodeset": { "name": "kitchen" } } });
        let refused = chosen(&Contracts::printed("the target", &printed), &["kitchn".to_owned()]).unwrap_err();
        assert_eq!((refused.exit(), refused.kind()), (Exit::Refused, "no_nodeset"));
        assert_eq!(refused.sentence(), "the target has no nodeset `kitchn`");
        assert!(refused.text().contains("it has kitchen"), "{}", refused.text());
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read() {
        assert!(!is_same(Path::new("/dev/null"), ""));
    }
}
