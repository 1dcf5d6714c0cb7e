//! A document that was printed or fetched before: a contract, a manifest or a list of tools, of one nodeset or several.

use std::fs;
use std::io::Read;
use std::path::Path;

use nodecast::contract::{FORMAT, Profile, reference};
use nodecast::manifest;
use serde_json::{Map, Value, json};

use crate::cli::Projection;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::tools::{documents, entries};

/// A document in a file, read and told apart.
#[derive(Debug)]
pub(crate) struct Document {
    /// What the user called it.
    name: String,
    text: String,
    json: Value,
    kind: Kind,
}

/// What a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Contract,
    Manifest,
    Tools,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Contract => "a contract",
            Self::Manifest => "a manifest",
            Self::Tools => "a list of tools",
        }
    }

    /// What can be read from it.
    fn has(self) -> &'static str {
        match self {
            Self::Contract => "contract, mcp, schema, openapi, docs, ts, python and rust",
            Self::Manifest => "manifest, mcp and, where it is ours, schema",
            Self::Tools => "mcp",
        }
    }
}

impl Document {
    /// Reads a file of any of these kinds.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let text = fs::read_to_string(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::InvalidData => Failure::usage(format!("{} is not text", path.display())),
            _ => Failure::file(path, error),
        })?;
        let name = path.display().to_string();
        let text = without_mark(text);
        let json = parse(&name, &text)?;
        let is = |key| !documents(&json, key).is_empty();
        let kind = match (is("contract") && is("projections"), is("functions"), is("tools")) {
            (true, ..) => Kind::Contract,
            (_, true, _) => Kind::Manifest,
            (_, _, true) => Kind::Tools,
            _ => {
                return Err(Failure::usage(format!("{name} is JSON, but no contract, manifest or list of tools"))
                    .hint("to get one: codegen-cli inspect -p CRATE --projection contract"));
            }
        };
        if kind == Kind::Contract
            && let Some(sentence) = too_new(&json)
        {
            return Err(Failure::usage(format!("{name}: {sentence}")).hint(UPGRADE));
        }
        let document = Self { name, text, json, kind };
        if kind == Kind::Manifest {
            document.functions()?;
        }
        Ok(document)
    }

    /// Reads a manifest, from a file or `-` for stdin; what is none is told with its place.
    pub(crate) fn manifest(path: &Path) -> Result<Self, Failure> {
        let (name, text) = if path.as_os_str() == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::usage(format!("stdin: {error}")))?;
            ("stdin".to_owned(), text)
        } else {
            let text = fs::read_to_string(path).map_err(|error| Failure::file(path, error))?;
            (path.display().to_string(), text)
        };
        let text = without_mark(text);
        let json = parse(&name, &text)?;
        let document = Self { name, text, json, kind: Kind::Manifest };
        document.functions()?;
        Ok(document)
    }

    /// The same with these nodesets alone; all, if none is named.
    pub(crate) fn only(mut self, nodesets: &[String]) -> Result<Self, Failure> {
        if nodesets.is_empty() {
            return Ok(self);
        }
        let name = match self.kind {
            Kind::Contract => self.json.pointer("/contract/nodeset/name"),
            Kind::Manifest => self.json.pointer("/name").filter(|_| self.json.get("functions").is_some()),
            Kind::Tools => return Err(Failure::usage(format!("{} is a list of tools, without nodesets", self.name))),
        };
        let name = name.and_then(Value::as_str).map(str::to_owned);
        let known: Vec<String> = match &name {
            Some(name) => vec![name.clone()],
            None => self.json.as_object().into_iter().flat_map(Map::keys).cloned().collect(),
        };
        if let Some(unknown) = nodesets.iter().find(|asked| !known.contains(asked)) {
            return Err(Failure::new(Exit::Refused, "no_nodeset", format!("{} has no nodeset `{unknown}`", self.name))
                .hint(format!("it has {}", known.join(", ")))
                .detail("known", known));
        }
        if let (None, Some(all)) = (name, self.json.as_object_mut()) {
            all.retain(|name, _| nodesets.contains(name));
            self.text = self.json.to_string() + "\n";
        }
        Ok(self)
    }

    /// What the user called it.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// A projection, where the document holds it.
    pub(crate) fn projection(&self, projection: Projection, profile: Option<Profile>) -> Result<String, Failure> {
        match (self.kind, projection) {
            (Kind::Contract, Projection::Contract) | (Kind::Manifest, Projection::Manifest) => Ok(self.text.clone()),
            (Kind::Tools, Projection::Mcp) if profile.is_none() => Ok(self.text.clone()),
            (Kind::Contract, Projection::Mcp) => of_contracts(&self.json, profile.unwrap_or_default())
                .ok_or_else(|| self.without_profile(profile.unwrap_or_default())),
            (Kind::Manifest, Projection::Mcp) => match profile.unwrap_or(Profile::Reference) {
                Profile::Reference => {
                    let tools: Vec<Value> =
                        self.functions()?.into_iter().map(|function| reference::tool(function).to_json()).collect();
                    Ok(listed(tools))
                }
                profile => Err(self
                    .without_profile(profile)
                    .hint("a manifest gives the profile `reference`; the others are in the contract")),
            },
            (Kind::Tools, Projection::Mcp) => Err(self.without_profile(profile.unwrap_or_default())),
            (Kind::Contract, Projection::Schema) => Ok(self.schemas("contract", "/contract/nodes", "full_name", "")),
            (Kind::Manifest, Projection::Schema) if self.has_schemas() => {
                Ok(self.schemas("functions", "/functions", "name", "/nodecast"))
            }
            (kind, projection) => Err(Failure::usage(format!(
                "{} is {}, which has no projection `{}`",
                self.name,
                kind.as_str(),
                projection.word()
            ))
            .hint(format!("it has {}", kind.has()))),
        }
    }

    /// The document, where it is a contract.
    pub(crate) fn contract(&self) -> Option<&Value> {
        (self.kind == Kind::Contract).then_some(&self.json)
    }

    /// The document itself.
    pub(crate) fn json(&self) -> &Value {
        &self.json
    }

    fn without_profile(&self, profile: Profile) -> Failure {
        Failure::usage(format!("{} is {}, without the profile `{}`", self.name, self.kind.as_str(), profile.as_str()))
    }

    /// The functions of the manifest, or of all.
    fn functions(&self) -> Result<Vec<&Value>, Failure> {
        let several = documents(&self.json, "functions");
        let each = if several.is_empty() { vec![&self.json] } else { several };
        let mut all = Vec::new();
        for one in each {
            let functions = manifest::functions(one).map_err(|error| {
                Failure::new(Exit::Usage, "no_manifest", format!("{} is no manifest: {error}", self.name))
                    .detail("pointer", error.pointer.as_str())
            })?;
            all.extend(functions);
        }
        Ok(all)
    }

    fn has_schemas(&self) -> bool {
        let functions = documents(&self.json, "functions").into_iter().flat_map(|one| entries(one, "functions"));
        let mut functions = functions.peekable();
        functions.peek().is_some() && functions.all(|function| function.pointer("/nodecast/input_schema").is_some())
    }

    fn schemas(&self, key: &str, list: &str, name: &str, at: &str) -> String {
        let nodes = documents(&self.json, key)
            .into_iter()
            .filter_map(|document| document.pointer(list).and_then(Value::as_array))
            .flatten();
        let schemas = nodes.filter_map(|node| {
            let schema = |side: &str| node.pointer(&format!("{at}/{side}_schema")).cloned().unwrap_or_default();
            let name = node.get(name)?.as_str()?.to_owned();
            Some((name, json!({ "input": schema("input"), "output": schema("output") })))
        });
        Value::Object(schemas.collect::<Map<_, _>>()).to_string() + "\n"
    }
}

/// The way out of a contract that is too new.
pub(crate) const UPGRADE: &str = "a newer codegen-cli reads it";

/// What is wrong with a contract whose form is newer than what is known here.
pub(crate) fn too_new(printed: &Value) -> Option<String> {
    let formats = documents(printed, "contract").into_iter().filter_map(|document| document.get("format")?.as_u64());
    let newest = formats.max().filter(|newest| *newest > u64::from(FORMAT))?;
    Some(format!("the contract has form {newest}, and this codegen-cli knows form {FORMAT}"))
}

/// The tools of a profile, of one contract or of several; none where a contract lacks the profile.
pub(crate) fn of_contracts(json: &Value, profile: Profile) -> Option<String> {
    let place = format!("/projections/{}/tools", profile.as_str());
    let mut all = Vec::new();
    let contracts = documents(json, "contract");
    for contract in &contracts {
        all.extend(contract.pointer(&place)?.as_array()?.iter().cloned());
    }
    (!contracts.is_empty()).then(|| listed(all))
}

fn listed(tools: Vec<Value>) -> String {
    json!({ "tools": tools }).to_string() + "\n"
}

/// Without the mark that editors of Windows put in front.
fn without_mark(text: String) -> String {
    match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    }
}

fn parse(name: &str, text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text)
        .map_err(|error| Failure::new(Exit::Usage, "bad_json", format!("{name} is not JSON: {error}")))
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::cli::What;

    #[test]
    fn what_is_made_of_a_contract_is_named_among_what_it_has() {
        for what in What::value_variants() {
            let word = what.to_possible_value().unwrap();
            assert!(Kind::Contract.has().contains(word.get_name()), "{}", word.get_name());
        }
    }
}
