//! Content: a result in the blocks of MCP, passed on as it stands (`mcp.md` 1).

use serde::Serialize;

use super::{Outputs, Reply, Stage, output};
use crate::Error;
use crate::decl::{FieldDecl, OutputShape};
use crate::wire::{self, Bytes, Image, Map, Value, WireError};

/// What a model is to see, block by block, where ports and their schema would say less.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// Reads the manual.
/// #[nodeset(nodes(Page))]
/// #[derive(Default)]
/// struct Manual;
///
/// /// A page of the manual.
/// #[node(read_only)]
/// struct Page {
///     /// Which one.
///     number: u32,
/// }
///
/// impl Node<Manual> for Page {
///     type Output = Content;
///     type Error = Error;
///
///     async fn run(self, _: &Manual, _: &Context) -> Result<Content, Error> {
///         Ok(Content::new()
///             .text(format!("page {}", self.number))
///             .link(format!("manual://pages/{}", self.number), "the page itself"))
///     }
/// }
/// ```
///
/// Over MCP the result is these blocks, and the tool has no `outputSchema`. On `/call` it is the one output `content`,
/// as the object that MCP would send; a result that [failed](Self::failed) is an error there.
#[derive(Clone, Debug, Default)]
pub struct Content {
    blocks: Vec<Value>,
    /// What texts say, for a face that shows an error as one sentence.
    texts: Vec<String>,
    structured: Option<Value>,
    failed: Option<Stage>,
    fault: Option<WireError>,
}

impl Content {
    /// No blocks yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds text.
    #[must_use]
    pub fn text(mut self, text: impl Into<String>) -> Self {
        let text = text.into();
        self.texts.push(text.clone());
        self.block("text", [("text", text.into())])
    }

    /// Adds a picture, as PNG.
    #[must_use]
    pub fn image(mut self, image: &Image) -> Self {
        match image.to_png() {
            Ok(png) => self.block("image", [("data", png.into()), ("mimeType", "image/png".into())]),
            Err(error) => {
                let at = self.blocks.len();
                self.fault.get_or_insert(error.under(at).under("content"));
                self
            }
        }
    }

    /// Adds a recording.
    #[must_use]
    pub fn audio(self, data: impl Into<Bytes>, mime_type: &str) -> Self {
        self.block("audio", [("data", data.into().into()), ("mimeType", mime_type.into())])
    }

    /// Adds a document of text.
    #[must_use]
    pub fn text_resource(self, uri: impl Into<String>, mime_type: &str, text: impl Into<String>) -> Self {
        self.resource(uri.into(), mime_type, ("text", text.into().into()))
    }

    /// Adds a document of bytes.
    #[must_use]
    pub fn binary_resource(self, uri: impl Into<String>, mime_type: &str, data: impl Into<Bytes>) -> Self {
        self.resource(uri.into(), mime_type, ("blob", data.into().into()))
    }

    /// Adds a link to a document that can be read by its URI.
    #[must_use]
    pub fn link(self, uri: impl Into<String>, name: impl Into<String>) -> Self {
        self.block("resource_link", [("uri", uri.into().into()), ("name", name.into().into())])
    }

    /// Sets the structured content: a struct or a map.
    #[must_use]
    pub fn structured(mut self, value: impl Serialize) -> Self {
        match wire::to_value(&value) {
            Ok(value @ Value::Map(_)) => self.structured = Some(value),
            Ok(value) => {
                let error =
                    WireError::new("bad_output", format!("structured content is an object, not {}", value.describe()));
                self.fault.get_or_insert(error.under("structuredContent"));
            }
            Err(error) => drop(self.fault.get_or_insert(error.under("structuredContent"))),
        }
        self
    }

    /// Makes it the result of a call that failed at `stage`.
    #[must_use]
    pub fn failed(mut self, stage: Stage) -> Self {
        self.failed = Some(stage);
        self
    }

    /// The blocks alone, for what has no place for the rest.
    pub(super) fn into_blocks(self) -> Result<Vec<Value>, Error> {
        match self.fault {
            Some(fault) => Err(Error::refused(vec![fault.under("content").into()]).stage_of(Stage::AdapterExecution)),
            None => Ok(self.blocks),
        }
    }

    fn resource(self, uri: String, mime_type: &str, body: (&str, Value)) -> Self {
        let resource: Map = [("uri", uri.into()), ("mimeType", mime_type.into()), body].into_iter().collect();
        self.block("resource", [("resource", resource.into())])
    }

    fn block<const N: usize>(mut self, kind: &str, members: [(&str, Value); N]) -> Self {
        let block: Map = std::iter::once(("type", kind.into())).chain(members).collect();
        self.blocks.push(block.into());
        self
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::new().text(text)
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::new().text(text)
    }
}

#[diagnostic::do_not_recommend]
impl Outputs for Content {
    const SHAPE: OutputShape = OutputShape::Content;
    const PORTS: &'static [FieldDecl] =
        &[FieldDecl::port("content", "The result, as MCP has it.", "Content", output::<Value>())];

    fn encode(self, reply: &mut Reply) -> Result<(), Error> {
        let Self { blocks, texts, structured, failed, fault } = self;
        if let Some(fault) = fault {
            let fault = fault.under("content").under("outputs");
            return Err(Error::refused(vec![fault.into()]).stage_of(Stage::AdapterExecution));
        }
        let mut result = Map::new();
        result.push("content", blocks);
        if let Some(structured) = structured {
            result.push("structuredContent", structured);
        }
        if let Some(stage) = failed {
            result.push("isError", true);
            result.push("_meta", [("nodecast/stage", Value::from(stage.as_str()))].into_iter().collect::<Map>());
            let sentence =
                if texts.is_empty() { "the node failed and says no more".to_owned() } else { texts.join("\n") };
            reply.fail(Error::at(stage, "tool_error", sentence));
        }
        reply.push(result.into());
        Ok(())
    }
}
