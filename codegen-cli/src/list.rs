//! `list`: the tools of a target, one a line.

use console::style;
use serde_json::Value;

use crate::cli::List;
use crate::failure::Failure;
use crate::inspect::{markdown, table};
use crate::output::{self, Format};
use crate::target::Target;
use crate::tools;

/// Lists the tools.
pub(crate) async fn run(verb: &List) -> Result<(), Failure> {
    let target = Target::read(&verb.read)?;
    let document = tools::document(&target, None, verb.read.at.protocol.as_ref()).await?;
    match verb.format.or_text() {
        format @ (Format::Json | Format::Yaml) => output::document(format, &document),
        Format::Markdown => output::answer_line(&markdown::names(&tools::parse(&document)?)),
        _ => {
            let tools = tools::parse(&document)?;
            if tools.is_empty() {
                output::note(&format!("{}", style("the target has no tools").dim().for_stderr()));
            }
            output::answer(&table::pairs(tools.iter().map(|tool| {
                let description = tool.get("description").and_then(Value::as_str).unwrap_or_default();
                (tools::name(tool).to_owned(), table::first_line(description).to_owned())
            })))
        }
    }
}
