//! The tools of a target, as `tools/list` gives them, and the one that a name means.

use nodecast::call::nearest;
use nodecast::contract::{Profile, reference};
use rmcp::model::ProtocolVersion;
use serde_json::{Map, Value, json};

use crate::cli::{Projection, ToolsArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::mcp::Client;
use crate::output;
use crate::target::Target;
use crate::target::document::of_contracts;

/// The tools that the command line asks for, in the profile that it names.
pub(crate) async fn listed(target: &Target, asked: &ToolsArgs) -> Result<Vec<Value>, Failure> {
    let ToolsArgs { profile, node, read } = asked;
    let mut listed = parse(&document(target, *profile, read.at.protocol.as_ref()).await?)?;
    if let Some(node) = node {
        let known: Vec<&str> = listed.iter().map(name).collect();
        let wanted = resolve(node, &known)?.to_owned();
        listed.retain(|tool| name(tool) == wanted);
    }
    Ok(listed)
}

/// Where a server of ours tells its contract over MCP (`contract.md` 2).
const CONTRACT: &str = "nodecast://contract";

/// The `tools/list` result of a target: printed by a program, asked of a server, read from a document. Without a
/// profile, as the target publishes it; with a revision of the protocol, as it publishes it to such a client.
pub(crate) async fn document(
    target: &Target,
    profile: Option<Profile>,
    revision: Option<&ProtocolVersion>,
) -> Result<String, Failure> {
    match (target, profile) {
        (Target::Program(_) | Target::Remote(_), None) if revision.is_some() => ask(target, revision).await,
        (Target::Program(program), profile) => program.print(Projection::Mcp, profile).and_then(one_list),
        (Target::Document(document), profile) => document.projection(Projection::Mcp, profile).and_then(one_list),
        (Target::Remote(remote), Some(profile)) => {
            let contract = output::json(&remote.contract().await?)?;
            let listed = of_contracts(&contract, profile).ok_or_else(|| {
                Failure::usage(format!("{} has no profile `{}`", remote.base(), profile.as_str()))
                    .hint("leave --profile out")
            })?;
            match profile {
                Profile::Reference => as_declared(&listed, &remote.document("manifest").await?),
                _ => Ok(listed),
            }
        }
        (Target::Remote(remote), None) => match remote.tools().await {
            Some(tools) => Ok(json!({ "tools": tools }).to_string() + "\n"),
            None => ask(target, None).await,
        },
        (Target::Command(_), Some(profile)) => {
            let contract = match contract_of(target, revision).await? {
                Some(text) => output::json(&text)?,
                None => Value::Null,
            };
            of_contracts(&contract, profile).ok_or_else(|| {
                Failure::usage("a server that is not ours lists its tools in one form").hint("leave --profile out")
            })
        }
        (Target::Command(_), None) => ask(target, revision).await,
    }
}

/// A list of the profile `reference` with the tools that a manifest gives, where it has their functions. A contract is
/// canonical: it keeps neither the order of keys nor the point of a whole float, and both belong to this profile.
fn as_declared(listed: &str, manifest: &str) -> Result<String, Failure> {
    let manifest = output::json(manifest)?;
    let functions = entries(&manifest, "functions");
    let tools = parse(listed)?.into_iter().map(|tool| {
        let function = functions.iter().find(|function| name(function) == name(&tool));
        function.map_or(tool, |function| reference::tool(function).to_json())
    });
    Ok(json!({ "tools": tools.collect::<Vec<_>>() }).to_string() + "\n")
}

async fn ask(target: &Target, revision: Option<&ProtocolVersion>) -> Result<String, Failure> {
    let client = Client::connect(target, revision).await?;
    let tools = client.tools().await;
    client.close().await;
    Ok(json!({ "tools": tools? }).to_string() + "\n")
}

/// The contract that a server tells over MCP, to the byte; none of a server that is not ours.
pub(crate) async fn contract_of(
    target: &Target,
    revision: Option<&ProtocolVersion>,
) -> Result<Option<String>, Failure> {
    let client = Client::connect(target, revision).await?;
    let text = client.read(CONTRACT).await;
    client.close().await;
    Ok(text)
}

/// The list as it stands, else those of several nodesets as one.
fn one_list(text: String) -> Result<String, Failure> {
    let document = output::json(&text)?;
    if document.get("tools").is_some() {
        return Ok(text);
    }
    let tools: Vec<&Value> = documents(&document, "tools").into_iter().flat_map(|one| entries(one, "tools")).collect();
    Ok(json!({ "tools": tools }).to_string() + "\n")
}

/// The entries of a `tools/list` result.
pub(crate) fn parse(document: &str) -> Result<Vec<Value>, Failure> {
    Ok(entries(&output::json(document)?, "tools").to_vec())
}

/// The one document, known by its member `key`, or those of several nodesets, one of which may be called like that.
pub(crate) fn documents<'a>(printed: &'a Value, key: &str) -> Vec<&'a Value> {
    if printed.get(key).is_some_and(|member| member.get(key).is_none()) {
        return vec![printed];
    }
    printed.as_object().into_iter().flat_map(Map::values).filter(|document| document.get(key).is_some()).collect()
}

/// The list under `key`; empty if there is none.
pub(crate) fn entries<'a>(document: &'a Value, key: &str) -> &'a [Value] {
    document.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The name of an entry.
pub(crate) fn name(tool: &Value) -> &str {
    tool.get("name").and_then(Value::as_str).unwrap_or_default()
}

/// The one of `known` that `asked` means: a full name, or what follows the last `__` of just one.
pub(crate) fn resolve<'a>(asked: &str, known: &[&'a str]) -> Result<&'a str, Failure> {
    if let Some(exact) = known.iter().find(|name| **name == asked) {
        return Ok(exact);
    }
    let matching: Vec<&str> = known.iter().filter(|name| short(name) == asked).copied().collect();
    match matching.as_slice() {
        [one] => Ok(one),
        [] => Err(unknown(asked, known)),
        several => Err(Failure::new(Exit::Refused, "ambiguous_tool", format!("`{asked}` names several tools"))
            .hint(format!("use a full name: {}", several.join(", ")))
            .detail("known", several)),
    }
}

/// What follows the last `__`.
pub(crate) fn short(name: &str) -> &str {
    name.rsplit_once("__").map_or(name, |(_, last)| last)
}

fn unknown(asked: &str, known: &[&str]) -> Failure {
    let failure =
        Failure::new(Exit::Refused, "unknown_tool", format!("there is no tool `{asked}`")).detail("known", known);
    let shorts: Vec<&str> = known.iter().map(|name| short(name)).collect();
    match nearest(asked, known.iter().copied()).or_else(|| nearest(asked, shorts.iter().copied())) {
        Some(near) => failure.hint(format!("there is `{near}`")).detail("nearest", near),
        None if known.is_empty() => failure.hint("the target has no tools at all"),
        None => failure.hint(format!("its tools: {}", known.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: &[&str] = &["vision__describe", "vision__segment", "other__describe"];

    #[test]
    fn a_tool_goes_by_its_full_name_or_its_last_segment() {
        assert_eq!(resolve("vision__describe", KNOWN).unwrap(), "vision__describe");
        assert_eq!(resolve("segment", KNOWN).unwrap(), "vision__segment");
    }

    #[test]
    fn a_nodeset_may_be_called_as_a_member_is() {
        let one = json!({"contract": {"nodeset": {}}, "projections": {}});
        assert_eq!(documents(&one, "contract"), [&one]);
        let several = json!({"contract": one, "tools": one});
        assert_eq!(documents(&several, "contract"), [&one, &one]);
        let list = json!({"tools": [{"name": "tools"}]});
        assert_eq!(documents(&list, "tools"), [&list]);
        assert_eq!(documents(&json!({ "tools": list }), "tools"), [&list]);
    }

    /// A tool that no function stands behind, such as one of a panel, is left as the contract has it.
    #[test]
    fn a_list_takes_order_and_floats_from_the_manifest() {
        let field = json!({"name": "z", "field_type": "slider", "min": 0.0, "max": 1.0, "default": 1.0});
        let function = json!({"name": "a__b", "ui_config": {"config_fields": [field]}});
        let listed = r#"{"tools":[{"inputSchema":{},"name":"a__panel_state"},{"inputSchema":{},"name":"a__b"}]}"#;
        let declared = as_declared(listed, &json!({ "functions": [function] }).to_string()).unwrap();
        let expected = concat!(
            r#"{"tools":[{"inputSchema":{},"name":"a__panel_state"},{"name":"a__b","description":"","inputSchema":"#,
            r#"{"type":"object","properties":{"z":{"type":"number","minimum":0.0,"maximum":1.0,"default":1.0}}}}]}"#,
            "\n"
        );
        assert_eq!(declared, expected);
    }

    #[test]
    fn an_ambiguous_or_unknown_name_is_refused() {
        assert_eq!(resolve("describe", KNOWN).unwrap_err().exit(), Exit::Refused);
        assert_eq!(resolve("segmnt", KNOWN).unwrap_err().exit(), Exit::Refused);
        assert_eq!(resolve("x", &[]).unwrap_err().exit(), Exit::Refused);
    }
}
