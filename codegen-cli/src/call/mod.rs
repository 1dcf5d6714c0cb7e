//! `call`: one call of one tool, from the words of the command line to an answer and files.

mod arguments;
mod pictures;
mod result;

use std::time::Duration;

use rmcp::model::{CallToolResult, Tool};

use crate::cli::{Call, TargetArgs};
use crate::failure::Failure;
use crate::mcp::Client;
use crate::target::{self, Target};
use crate::tools;

/// Calls the tool and writes what it answers.
pub(crate) async fn run(verb: &Call) -> Result<(), Failure> {
    let words = Words::split(&verb.words, &verb.at)?;
    // What is wrong with a file shows before anything is built.
    let given = arguments::read(words.arguments)?;
    let target = Target::resolve(words.target, &verb.at)?;
    let client = Client::connect(&target, verb.at.protocol.as_ref()).await?;
    let called = call(&client, words.tool, given, verb).await;
    client.close().await;
    let (tool, result) = called?;
    if result.is_error == Some(true) {
        return Err(result::tool_error(&tool.name, &verb.at.as_written(words.target), &result));
    }
    let names = pictures::names(&target, &tool.name, &result).await;
    result::show(&result, &names, verb.output.as_deref(), verb.format.or_text())
}

async fn call(
    client: &Client,
    asked: &str,
    given: Vec<arguments::Given>,
    verb: &Call,
) -> Result<(Tool, CallToolResult), Failure> {
    let mut tools = client.tools().await?;
    let known: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    let name = tools::resolve(asked, &known)?.to_owned();
    tools.retain(|tool| tool.name == name);
    let tool = tools.pop().ok_or_else(|| Failure::usage("no such tool"))?;
    let arguments = arguments::typed(given, &tool.input_schema)?;
    let result = client.call(&name, arguments, verb.timeout.map(Duration::from_secs)).await?;
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
