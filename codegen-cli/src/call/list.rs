//! `call --list`: what a server says of itself, for who is about to call it.

use std::fmt::Write as _;

use rmcp::model::{ProtocolVersion, Tool};
use serde_json::Value;

use crate::cli::Call;
use crate::failure::Failure;
use crate::mcp::Client;
use crate::output;
use crate::target::Target;

/// Prints the instructions, and each tool with its description and the names of its arguments.
pub(super) async fn run(verb: &Call, revision: Option<&ProtocolVersion>) -> Result<(), Failure> {
    let target = match verb.words.as_slice() {
        [] => None,
        [target] if !verb.at.is_named() => Some(target.as_str()),
        _ => return Err(Failure::usage("--list takes the target alone")),
    };
    let resolved = Target::resolve(target, &verb.at)?;
    let limit = super::limit(verb, target.is_some() && matches!(resolved, Target::Program(_)));
    let client = super::within(limit, Client::connect(&resolved, revision)).await?;
    let (instructions, tools) = (client.instructions(), super::within(limit, client.tools()).await);
    client.close().await;
    let tools = tools?;
    if verb.format.or_text().is_for_programs() {
        let document = serde_json::json!({ "instructions": instructions, "tools": tools });
        return output::document(verb.format.or_text(), &document.to_string());
    }
    let mut text = instructions.map(|instructions| instructions + "\n").unwrap_or_default();
    for tool in &tools {
        let _ = write!(text, "\n{} {}\n", tool.name, arguments(tool));
        for line in tool.description.as_deref().unwrap_or_default().lines() {
            let _ = writeln!(text, "    {line}");
        }
    }
    output::answer_line(&output::printable(&text))
}

/// The names of the arguments; one that may be left out has a question mark.
fn arguments(tool: &Tool) -> String {
    let required = tool.input_schema.get("required").and_then(Value::as_array);
    let is_required = |name: &str| required.is_some_and(|all| all.iter().any(|one| one == name));
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flatten().map(
        |(name, _)| {
            if is_required(name) { name.clone() } else { format!("{name}?") }
        },
    );
    format!("{{{}}}", names.collect::<Vec<_>>().join(", "))
}
