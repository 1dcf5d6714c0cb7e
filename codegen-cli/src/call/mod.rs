//! `call`: one call of one tool, from the words of the command line to an answer and files.

mod arguments;
mod list;
mod pictures;
mod result;

use std::time::Duration;

use rmcp::model::{CallToolResult, ProtocolVersion, Tool};

use crate::cli::{Call, Era, TargetArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::mcp::{self, Client};
use crate::output;
use crate::target::{self, Target};
use crate::tools;

/// Where a binary is started for one call, nobody waits longer than that for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Calls the tool and writes what it answers.
pub(crate) async fn run(verb: &Call) -> Result<(), Failure> {
    let revision = verb.era.map(|era| match era {
        Era::Older => ProtocolVersion::LATEST_WITH_INITIALIZE,
        Era::Newer => ProtocolVersion::LATEST,
    });
    let revision = revision.or_else(|| verb.at.protocol.clone());
    if verb.list {
        return list::run(verb, revision.as_ref()).await;
    }
    let words = Words::split(&verb.words, &verb.at)?;
    // What is wrong with a file shows before anything is built.
    let given = arguments::read(words.arguments)?;
    let target = Target::resolve(words.target, &verb.at)?;
    let is_started = words.target.is_some() && matches!(target, Target::Program(_));
    let limit = limit(verb, is_started);
    let client = within(limit, Client::connect(&target, revision.as_ref())).await?;
    let called = call(&client, words.tool, given, limit).await;
    client.close().await;
    let (tool, result) = called?;
    if result.is_error == Some(true) {
        if is_started && let Some(text) = result::plain_text(&result) {
            if verb.format.or_text().is_for_programs() {
                result::show(&result, &[], verb.output.as_deref(), verb.format.or_text())?;
            } else {
                output::answer_line(&output::printable(&text))?;
            }
            return Err(Failure::new(Exit::Refused, "tool_error", format!("`{}` failed", tool.name)));
        }
        return Err(result::tool_error(&tool.name, &verb.at.as_written(words.target), &result));
    }
    let names = pictures::names(&target, &tool.name, &result).await;
    result::show(&result, &names, verb.output.as_deref(), verb.format.or_text())
}

/// How long an answer is waited for.
fn limit(verb: &Call, is_started: bool) -> Option<Duration> {
    verb.timeout.map(Duration::from_secs).or(is_started.then_some(PATIENCE))
}

/// A program that never answers the handshake is given up like one that never answers the call, and at Ctrl-C.
async fn within<T>(limit: Option<Duration>, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
    let work = mcp::interruptible(work);
    match limit {
        None => work.await,
        Some(limit) => tokio::time::timeout(limit, work)
            .await
            .unwrap_or_else(|_| Err(Failure::new(Exit::Unreachable, "timeout", "the server did not answer in time"))),
    }
}

async fn call(
    client: &Client,
    asked: &str,
    given: Vec<arguments::Given>,
    limit: Option<Duration>,
) -> Result<(Tool, CallToolResult), Failure> {
    let mut tools = within(limit, client.tools()).await?;
    let known: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    let name = tools::resolve(asked, &known)?.to_owned();
    tools.retain(|tool| tool.name == name);
    let tool = tools.pop().ok_or_else(|| Failure::usage("no such tool"))?;
    let arguments = arguments::typed(given, &tool.input_schema)?;
    let result = client.call(&name, arguments, limit).await?;
    Ok((tool, result))
}

/// The positional words, told apart.
#[derive(Debug)]
struct Words<'a> {
    target: Option<&'a str>,
    tool: &'a str,
    arguments: &'a [String],
}

impl<'a> Words<'a> {
    fn split(words: &'a [String], at: &TargetArgs) -> Result<Self, Failure> {
        let (target, rest) = match words {
            [first, rest @ ..] if !at.is_named() && target::is_target(first) && !first.contains('=') => {
                (Some(first.as_str()), rest)
            }
            words => (None, words),
        };
        match rest {
            [tool, arguments @ ..] if !tool.contains('=') => Ok(Self { target, tool, arguments }),
            _ => Err(Failure::usage("which tool? none is named")
                .hint("codegen-cli call [TARGET] TOOL name=value …; to see the tools: codegen-cli list [TARGET]")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owned(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn a_target_may_stand_before_the_tool() {
        let words = owned(&["http://h", "segment", "a=1"]);
        let split = Words::split(&words, &TargetArgs::default()).unwrap();
        assert_eq!((split.target, split.tool, split.arguments.len()), (Some("http://h"), "segment", 1));

        let words = owned(&["segment", "path=a/b"]);
        let split = Words::split(&words, &TargetArgs::default()).unwrap();
        assert_eq!((split.target, split.tool, split.arguments.len()), (None, "segment", 1));
    }

    #[test]
    fn a_tool_has_to_be_named() {
        assert!(Words::split(&owned(&["a=1"]), &TargetArgs::default()).is_err());
        assert!(Words::split(&owned(&["./host"]), &TargetArgs::default()).is_err());
    }
}
