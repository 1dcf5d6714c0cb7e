//! `inspect`: any projection of a target, as the document itself or as text that fits the terminal.

mod contract;
mod exposure;
mod manifest;
pub(crate) mod markdown;
mod schema;
mod settings;
pub(crate) mod table;
mod words;

use serde_json::Value;

use crate::cli::{Inspect, Projection, Shown, ToolsArgs, What};
use crate::contracts::Contracts;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::generate;
use crate::output::{self, Format};
use crate::target::{Target, document};
use crate::tools;

/// Prints the projection.
pub(crate) async fn run(verb: &Inspect) -> Result<(), Failure> {
    let asked = &verb.tools;
    if let (Some(profile), true) = (asked.profile, verb.projection != Shown::Printed(Projection::Mcp)) {
        return Err(Failure::usage(format!("--profile {} shapes the list of tools alone", profile.as_str()))
            .hint("leave --projection out; the contract holds every profile"));
    }
    let target = Target::read(&asked.read)?;
    let projection = match verb.projection {
        Shown::Printed(projection) => projection,
        Shown::Generated(what) => return generated(&target, verb, what).await,
    };
    let mut document = document(&target, asked, projection).await?;
    if let Some(node) = &asked.node {
        document = narrow(&document, projection, node)?;
    }
    match verb.format.asked().unwrap_or_else(Format::by_terminal) {
        format @ (Format::Json | Format::Yaml) => output::document(format, &document),
        Format::Markdown => output::answer_line(&markdown::of(projection, &output::json(&document)?)),
        _ => text(&target, projection, &document).await.and_then(|text| output::answer_line(&text)),
    }
}

/// The contracts of a target as it prints them; `None` of a server that is not ours.
pub(crate) async fn documents_of(target: &Target) -> Result<Option<Value>, Failure> {
    let printed = match target {
        Target::Program(program) => program.document("contract:all", None)?,
        // It was looked at when it was read.
        Target::Document(document) => return Ok(document.contract().cloned()),
        Target::Remote(remote) => match remote.contract().await {
            Ok(printed) => printed,
            // Whether it is there at all, its list tells.
            Err(_) => return Ok(None),
        },
        Target::Command(_) => match tools::contract_of(target, None).await? {
            Some(printed) => printed,
            None => return Ok(None),
        },
    };
    let printed = output::json(&printed)?;
    match document::too_new(&printed) {
        Some(sentence) => Err(Failure::new(Exit::Unreachable, "contract_format", sentence).hint(document::UPGRADE)),
        None => Ok(Some(printed)),
    }
}

/// A client or a document that is made of a contract, with the bytes that `generate` writes.
async fn generated(target: &Target, verb: &Inspect, what: What) -> Result<(), Failure> {
    let mut printed = documents_of(target).await?.unwrap_or_default();
    if let Some(node) = &verb.tools.node {
        printed = output::json(&narrow(&printed.to_string(), Projection::Contract, node)?)?;
    }
    let contracts = Contracts::printed("the target", &printed);
    let text = generate::text(what, generate::chosen(&contracts, &verb.tools.read.at.nodeset)?);
    match (verb.format.asked(), what) {
        (None | Some(Format::Text), _) | (Some(Format::Markdown), What::Docs) => output::answer(&text),
        (Some(format @ (Format::Json | Format::Yaml)), What::Openapi) => output::document(format, &text),
        (Some(Format::Markdown), what) => output::answer(&format!("```{}\n{text}```\n", what.language())),
        (Some(_), what) => {
            Err(Failure::usage(format!("{} is text", what.what()))
                .hint("leave --format out, or choose text or markdown"))
        }
    }
}

async fn document(target: &Target, asked: &ToolsArgs, projection: Projection) -> Result<String, Failure> {
    let revision = asked.read.at.protocol.as_ref();
    match (target, projection) {
        (_, Projection::Mcp) => tools::document(target, asked.profile, revision).await,
        // Of the whole binary, whatever nodesets it has.
        (Target::Program(program), Projection::Exposure) => {
            let printed = program.document(Projection::Exposure.word(), None);
            // Only a live application knows the word.
            printed.map_err(|failure| match failure.exit() {
                Exit::Usage => absent("what is no live application", projection, "the other projections"),
                _ => failure,
            })
        }
        (Target::Program(program), projection) => program.print(projection, None),
        (Target::Remote(remote), Projection::Contract) => remote.contract().await,
        (Target::Remote(remote), Projection::Manifest) => remote.document("manifest").await,
        (Target::Document(document), projection) => document.projection(projection, None),
        (Target::Remote(_), projection) => {
            let has = "mcp and, where it is ours, contract, manifest, openapi, docs, ts, python and rust";
            Err(absent("a running server", projection, has))
        }
        (Target::Command(_), Projection::Contract) => {
            let contract = tools::contract_of(target, revision).await?;
            contract.ok_or_else(|| absent("a server that is not ours", projection, "mcp alone"))
        }
        (Target::Command(_), projection) => {
            Err(absent("a server that is started by a command", projection, "mcp and, where it is ours, contract"))
        }
    }
}

fn absent(what: &str, projection: Projection, has: &str) -> Failure {
    Failure::usage(format!("{what} has no projection `{}`", projection.word())).hint(format!("it has {has}"))
}

/// The document with one node alone in it.
fn narrow(document: &str, projection: Projection, asked: &str) -> Result<String, Failure> {
    let mut parsed = output::json(document)?;
    let names = node_names(&parsed, projection)?;
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = tools::resolve(asked, &known)?;
    keep(&mut parsed, name, &known);
    Ok(parsed.to_string())
}

fn node_names(document: &Value, projection: Projection) -> Result<Vec<String>, Failure> {
    let named = |documents: Vec<&Value>, key| {
        let all = documents.into_iter().flat_map(|document| tools::entries(document, key));
        all.map(|entry| tools::name(entry).to_owned()).collect()
    };
    match projection {
        Projection::Mcp => Ok(named(tools::documents(document, "tools"), "tools")),
        Projection::Manifest => Ok(named(tools::documents(document, "functions"), "functions")),
        Projection::Contract => Ok(contract::nodes(document).map(contract::full_name).map(str::to_owned).collect()),
        Projection::Schema => Ok(schema::nodes(document).map(|(name, _)| name.to_owned()).collect()),
        Projection::Policy => Err(Failure::usage("the policy is one of the nodeset, not of a node")),
        Projection::Settings => Err(Failure::usage("settings are those of the nodeset, not of a node")),
        Projection::Exposure => Err(Failure::usage("what is exposed is one of the application, not of a node")),
    }
}

/// Drops whatever is called as another node is: entries of lists, members of objects.
fn keep(document: &mut Value, name: &str, known: &[&str]) {
    let is_other = |candidate: &str| candidate != name && known.contains(&candidate);
    match document {
        Value::Array(entries) => {
            // A loss names the tool that it is of.
            let named = |entry: &Value| entry.get("tool").and_then(Value::as_str).map(str::to_owned);
            entries.retain(|entry| !is_other(&named(entry).unwrap_or_else(|| contract::full_name(entry).to_owned())));
            for entry in entries {
                keep(entry, name, known);
            }
        }
        Value::Object(members) => {
            members.retain(|key, _| !is_other(key));
            for member in members.values_mut() {
                keep(member, name, known);
            }
        }
        _ => {}
    }
}

async fn text(target: &Target, projection: Projection, document: &str) -> Result<String, Failure> {
    Ok(match projection {
        Projection::Mcp => table::tools(&tools::parse(document)?, &manifest::outputs(target).await),
        Projection::Manifest => manifest::text(&output::json(document)?),
        Projection::Contract => contract::text(&output::json(document)?),
        Projection::Schema => schema::text(&output::json(document)?),
        Projection::Policy => policy(&output::json(document)?),
        Projection::Settings => settings::text(&output::json(document)?),
        Projection::Exposure => exposure::text(&output::json(document)?),
    })
}

fn policy(document: &Value) -> String {
    let texts = tools::documents(document, "parallelism").into_iter().map(|policy| {
        let rows = policy.as_object().into_iter().flatten().map(|(key, value)| {
            let words = match value {
                Value::Bool(true) => "yes".to_owned(),
                Value::Bool(false) => "no".to_owned(),
                Value::Array(all) if all.is_empty() => "none".to_owned(),
                Value::Array(all) => all.iter().map(words::scalar).collect::<Vec<_>>().join(", "),
                value => words::scalar(value),
            };
            (key.clone(), words)
        });
        table::pairs(rows)
    });
    texts.collect::<Vec<_>>().join("\n")
}
