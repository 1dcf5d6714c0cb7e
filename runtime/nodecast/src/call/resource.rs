//! The trait that a resource implements, and what is read of it.

use std::future::Future;

use super::{Args, Context, Invalid, NodeError, Reply};
use crate::Error;
use crate::decl::ResourceDecl;
use crate::wire::{Bytes, Map, Value};

/// What answers for a resource, a prompt or a completion: any future. A name of our own for it, so that a forgotten
/// `async` is answered in our words.
#[diagnostic::on_unimplemented(
    message = "the method returns `{Self}`, and what is offered to clients comes as a future of it",
    label = "not a future",
    note = "write `async fn`"
)]
pub trait Answering: Future {}

#[diagnostic::do_not_recommend]
impl<F: Future> Answering for F {}

/// The variables of a resource's URI, made by `#[resource]`: the struct's declaration and its constructor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no resource",
    label = "not declared as a resource",
    note = "add `#[nodecast::resource(uri = \"…\")]` to the struct"
)]
pub trait Variables: Sized + Send + 'static {
    /// What the struct says.
    const DECL: ResourceDecl;

    /// Builds the struct from checked variables.
    fn decode(args: &mut Args) -> Result<Self, Invalid>;
}

/// A document that clients read by its URI. Its fields are the variables of the URI.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// A cook book.
/// #[nodeset(resources(Recipe))]
/// #[derive(Default)]
/// struct Book;
///
/// /// One recipe of the book.
/// #[resource(uri = "book://recipes/{number}", mime = "text/markdown")]
/// struct Recipe {
///     /// Which one.
///     number: u32,
/// }
///
/// impl Resource<Book> for Recipe {
///     type Error = Error;
///
///     async fn read(self, _: &Book, _: &Context) -> Result<Contents, Error> {
///         match self.number {
///             1 => Ok(Contents::text("# Soup")),
///             other => Err(Error::not_found(format!("the book has no recipe {other}"))),
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is listed in the nodeset `{S}` but is no resource of it",
    label = "no resource of `{S}`",
    note = "write `impl Resource<{S}> for {Self}`, or take `{Self}` out of `resources(…)`"
)]
pub trait Resource<S>: Variables {
    /// How it fails.
    type Error: NodeError;

    /// Reads it; `self` holds the variables of the URI.
    fn read(self, set: &S, cx: &Context) -> impl Answering<Output = Result<Contents, Self::Error>> + Send;
}

/// What is read of a resource: text or bytes, with a media type.
///
/// The media type is the declared one unless the contents say another.
///
/// ```
/// use nodecast::Contents;
///
/// let page = Contents::text("# Soup").mime("text/markdown");
/// let both = page.and("book://pictures/soup", Contents::bytes(vec![0x89_u8, 0x50]).mime("image/png"));
/// # let _ = both;
/// ```
#[derive(Clone, Debug)]
pub struct Contents {
    first: Part,
    more: Vec<(String, Part)>,
}

#[derive(Clone, Debug)]
struct Part {
    body: Body,
    mime: Option<String>,
}

#[derive(Clone, Debug)]
enum Body {
    Text(String),
    Bytes(Bytes),
}

impl Contents {
    /// Text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::of(Body::Text(text.into()))
    }

    /// Bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self::of(Body::Bytes(bytes.into()))
    }

    /// Sets the media type.
    #[must_use]
    pub fn mime(mut self, mime: impl Into<String>) -> Self {
        self.first.mime = Some(mime.into());
        self
    }

    /// Adds contents under another URI, as a folder holds documents.
    #[must_use]
    pub fn and(mut self, uri: impl Into<String>, contents: Self) -> Self {
        self.more.push((uri.into(), contents.first));
        self.more.extend(contents.more);
        self
    }

    fn of(body: Body) -> Self {
        Self { first: Part { body, mime: None }, more: Vec::new() }
    }

    /// The value that a face makes its answer of: the parts in the members of MCP, the first without its URI.
    fn into_value(self) -> Value {
        let part = |uri: Option<String>, Part { body, mime }: Part| {
            let mut members = Map::new();
            if let Some(uri) = uri {
                members.push("uri", uri);
            }
            if let Some(mime) = mime {
                members.push("mimeType", mime);
            }
            match body {
                Body::Text(text) => members.push("text", text),
                Body::Bytes(bytes) => members.push("blob", bytes),
            }
            Value::Map(members)
        };
        let more = self.more.into_iter().map(|(uri, one)| part(Some(uri), one));
        std::iter::once(part(None, self.first)).chain(more).collect::<Vec<_>>().into()
    }
}

impl From<String> for Contents {
    fn from(text: String) -> Self {
        Self::text(text)
    }
}

impl From<&str> for Contents {
    fn from(text: &str) -> Self {
        Self::text(text)
    }
}

impl From<Bytes> for Contents {
    fn from(bytes: Bytes) -> Self {
        Self::bytes(bytes)
    }
}

/// What was read, as a reply.
pub(super) fn contents<E: NodeError>(result: Result<Contents, E>) -> Result<Reply, Error> {
    let contents = result.map_err(NodeError::into_error)?;
    Ok(Reply::from_values(vec![contents.into_value()]))
}
