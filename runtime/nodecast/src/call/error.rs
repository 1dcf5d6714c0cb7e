//! The one error of a call: a stage, a type name and a sentence for the caller, and a source that stays in the log.

use std::borrow::Cow;
use std::error::Error as StdError;
use std::fmt;
use std::sync::Arc;

use crate::decl::ErrorKindDecl;

/// Where a call failed (`DESIGN.md` 5). Set where the error arises, unchanged on every face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The arguments, or the body that carries them.
    SchemaValidation,
    /// A mapping expression of a published operation.
    Mapping,
    /// The node itself, or an output that breaks its declaration.
    AdapterExecution,
    /// A service that the node depends on.
    ExternalService,
    /// A panic or a defect of ours.
    InternalRuntime,
    /// Held by another, starting, draining or full.
    Busy,
    /// Cancelled before it ended.
    Cancelled,
    /// The deadline passed.
    Timeout,
}

impl Stage {
    /// The word on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SchemaValidation => "schema_validation",
            Self::Mapping => "mapping",
            Self::AdapterExecution => "adapter_execution",
            Self::ExternalService => "external_service",
            Self::InternalRuntime => "internal_runtime",
            Self::Busy => "busy",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
        }
    }
}

/// One thing that is wrong with a body, an argument or a reply (`wire.md` 2.1).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Finding {
    /// The `type` on the wire, such as `missing_field`.
    pub kind: &'static str,
    /// JSON pointer into the body as sent; empty for the whole.
    pub pointer: String,
    /// One sentence that a person can act on.
    pub detail: String,
    /// What would have been right.
    pub expected: Option<String>,
    /// The names that would have been known there.
    pub known: Vec<String>,
    /// The known name nearest to the one that was sent.
    pub nearest: Option<String>,
}

impl Finding {
    /// The same finding seen from further out: its place, and what its sentence says of the place, begin with `prefix`.
    #[must_use]
    pub(super) fn under(mut self, prefix: &str) -> Self {
        let pointer = format!("{prefix}{}", self.pointer);
        self.detail = self.detail.replace(&format!("`{}`", self.pointer), &format!("`{pointer}`"));
        self.pointer = pointer;
        self
    }
}

/// The error of a call.
///
/// A node makes one with [`Error::new`], or through `#[derive(NodeError)]` on its own enum, or with `?` on a foreign
/// error, whose text is then hidden from the caller.
///
/// ```
/// use nodecast::Error;
///
/// let error = Error::new("no_such_scene", "scene 7 is not loaded").retryable();
/// assert_eq!(error.kind(), "no_such_scene");
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    stage: Stage,
    kind: Cow<'static, str>,
    message: String,
    retryable: bool,
    retry_after_s: Option<u64>,
    findings: Vec<Finding>,
    /// How many more were found.
    more: usize,
    /// Let through by a node that does not declare it; its text is hidden.
    foreign: bool,
    source: Option<Arc<dyn StdError + Send + Sync>>,
}

/// The type of an error that says that there is no such document.
pub const NOT_FOUND: &str = "not_found";

/// The type of an error that a node let through with `?`.
pub const NODE_FAILED: &str = "node_failed";

/// So many findings of one call are told; more are of no use to who has to correct it.
pub(crate) const MAX_FINDINGS: usize = 16;

impl Error {
    /// A failure of the node: a type name in `snake_case` and a sentence for the caller.
    pub fn new(kind: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self::at(Stage::AdapterExecution, kind, message)
    }

    /// A failure at a stage of the runtime.
    pub fn at(stage: Stage, kind: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            stage,
            kind: kind.into(),
            message: message.into(),
            retryable: false,
            retry_after_s: None,
            findings: Vec::new(),
            more: 0,
            foreign: false,
            source: None,
        }))
    }

    /// Refuses a call for what is wrong with its body; `findings` must not be empty to say anything.
    ///
    /// The first finding gives the type and the sentence; at most 16 are kept, in words of a length that can be read, and
    /// the others counted.
    pub fn refused(mut findings: Vec<Finding>) -> Self {
        let more = findings.len().saturating_sub(MAX_FINDINGS);
        findings.truncate(MAX_FINDINGS);
        findings.iter_mut().for_each(Finding::shorten);
        let (kind, message) = match findings.first() {
            Some(first) => (first.kind, first.detail.clone()),
            None => ("invalid", "the call is not valid".to_owned()),
        };
        let mut error = Self::at(Stage::SchemaValidation, kind, message);
        error.0.findings = findings;
        error.0.more = more;
        error
    }

    /// The same with so many further findings that nobody looked at.
    #[must_use]
    pub(super) fn and_more(mut self, more: usize) -> Self {
        self.0.more += more;
        self
    }

    /// There is no such document: what a resource answers with for variables that lead nowhere.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::at(Stage::SchemaValidation, NOT_FOUND, message)
    }

    /// The same call may succeed later.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.0.retryable = true;
        self
    }

    /// The same call may succeed after this many seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.0.retryable = true;
        self.0.retry_after_s = Some(seconds);
        self
    }

    /// Keeps what caused it, for the log alone.
    #[must_use]
    pub fn because(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into().into());
        self
    }

    /// Sets the stage, for a failed service behind the node.
    #[must_use]
    pub fn stage_of(mut self, stage: Stage) -> Self {
        self.0.stage = stage;
        self
    }

    /// The same with the text of a foreign error, for a nodeset that shows it.
    pub(super) fn shown(mut self) -> Self {
        if let (true, Some(cause)) = (self.0.foreign, &self.0.source) {
            self.0.message = cause.to_string();
        }
        self
    }

    /// Where it arose.
    pub fn stage(&self) -> Stage {
        self.0.stage
    }

    /// The type name.
    pub fn kind(&self) -> &str {
        &self.0.kind
    }

    /// The type name where it stands in a program, and so says nothing of what was sent.
    #[cfg(feature = "otel")]
    pub(super) fn literal_kind(&self) -> Option<&'static str> {
        match self.0.kind {
            Cow::Borrowed(kind) => Some(kind),
            Cow::Owned(_) => None,
        }
    }

    /// The sentence for the caller.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the same call may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.0.retryable
    }

    /// Seconds to wait before the next try, where known.
    pub fn retry_after_s(&self) -> Option<u64> {
        self.0.retry_after_s
    }

    /// What is wrong with the body or the reply; empty for other errors.
    pub fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    /// How many more findings there are than are kept; those counted of which the search knew when it ended.
    pub fn more_findings(&self) -> usize {
        self.0.more
    }

    /// What caused it; for the log, never for a caller.
    pub fn cause(&self) -> Option<&(dyn StdError + Send + Sync)> {
        self.0.source.as_deref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("stage", &self.0.stage)
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("findings", &self.0.findings)
            .field("source", &self.0.source)
            .finish_non_exhaustive()
    }
}

// `Error` is no `std::error::Error` itself, as in anyhow: otherwise this impl and the reflexive one overlap.
impl<E: StdError + Send + Sync + 'static> From<E> for Error {
    fn from(error: E) -> Self {
        let mut foreign = Self::new(NODE_FAILED, "the node failed; its log says why").because(error);
        foreign.0.foreign = true;
        foreign
    }
}

/// The error type of a node: [`Error`] itself, or an enum with `#[derive(NodeError)]`.
///
/// [`Infallible`](std::convert::Infallible) serves a node that cannot fail.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a node",
    label = "not a node error",
    note = "add `#[derive(nodecast::NodeError)]` to an enum that implements `std::error::Error`, or write `type Error = nodecast::Error`"
)]
pub trait NodeError: Send + 'static {
    /// The kinds that enter the contract; none for [`Error`], whose kinds are made at run time.
    const KINDS: &'static [ErrorKindDecl];

    /// What the caller and the log get.
    fn into_error(self) -> Error;
}

#[diagnostic::do_not_recommend]
impl NodeError for Error {
    const KINDS: &'static [ErrorKindDecl] = &[];

    fn into_error(self) -> Error {
        self
    }
}

#[diagnostic::do_not_recommend]
impl NodeError for std::convert::Infallible {
    const KINDS: &'static [ErrorKindDecl] = &[];

    fn into_error(self) -> Error {
        match self {}
    }
}

/// What the caller gets to read of an error: any `std::error::Error`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no sentence for the caller",
    label = "no `std::error::Error`",
    note = "add `#[derive(thiserror::Error)]` to `{Self}` and `#[error(\"…\")]` to each of its kinds"
)]
pub trait Sentence: StdError + Send + Sync + 'static {}

#[diagnostic::do_not_recommend]
impl<E: StdError + Send + Sync + 'static> Sentence for E {}

/// What `#[derive(NodeError)]` calls with the place of the kind in `KINDS`: the error's `Display` is the sentence, its
/// source chain stays in the log.
pub fn declared_error<E: NodeError + Sentence>(error: E, kind: usize) -> Error {
    let kind = E::KINDS.get(kind);
    let made = Error::new(kind.map_or(NODE_FAILED, |kind| kind.name), error.to_string());
    let made = if kind.is_some_and(|kind| kind.retryable) { made.retryable() } else { made };
    made.because(error)
}
