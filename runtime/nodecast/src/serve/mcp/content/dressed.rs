//! A result on its way to a client, before it is a tree of rmcp's or the bytes of a message.

use std::borrow::Cow;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::{Serialize, Serializer};
use serde_json::Value as Json;

/// The result of a call whose node answered.
#[derive(Debug)]
pub(in crate::serve::mcp) enum Dressed {
    /// Blocks, and beside them the outputs where clients get both.
    Ports(Vec<ContentBlock>, Option<Outputs>),
    /// A result that the node has put together itself.
    Whole(CallToolResult),
}

/// The outputs of a reply by port, and what they are as text: that is what most of a result is made of, twice.
#[derive(Debug)]
pub(in crate::serve::mcp) struct Outputs {
    ports: Vec<(Cow<'static, str>, Json)>,
    text: String,
}

struct Members<'a>(&'a [(Cow<'static, str>, Json)]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl Outputs {
    pub(in crate::serve::mcp) fn new(ports: Vec<(Cow<'static, str>, Json)>) -> Self {
        // A tree of JSON has a text.
        let text = serde_json::to_string(&Members(&ports)).unwrap_or_default();
        Self { ports, text }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ports.is_empty()
    }

    /// As JSON.
    pub(in crate::serve::mcp) fn text(&self) -> &str {
        &self.text
    }
}

impl From<Dressed> for CallToolResult {
    fn from(dressed: Dressed) -> Self {
        match dressed {
            Dressed::Ports(content, outputs) => {
                let mut result = Self::success(content);
                result.structured_content = outputs.map(|outputs| outputs.ports.into_iter().collect());
                result
            }
            Dressed::Whole(result) => result,
        }
    }
}
