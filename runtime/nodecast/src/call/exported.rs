//! The span of a call as OpenTelemetry has it: its parent is the caller's span, and services that the node asks learn
//! of its own. Without the feature `otel`, or where no layer exports spans, there is none.
//!
//! What is said here leaves the machine, so it comes from the declaration and from closed lists of words.

use tracing::Span;

use super::{Error, Outcome, TraceParent};

/// The exported side of a span.
pub(super) struct Exported {
    #[cfg(feature = "otel")]
    span: Span,
    trace: Option<TraceParent>,
}

impl Exported {
    /// Where the span stands in its trace; none if it is not exported.
    pub(super) fn trace(&self) -> Option<&TraceParent> {
        self.trace.as_ref()
    }
}

#[cfg(not(feature = "otel"))]
impl Exported {
    pub(super) fn of(_: &Span, _: Option<&TraceParent>) -> Self {
        Self { trace: None }
    }

    pub(super) fn end(&self, _: Outcome, _: Option<&Error>) {
        debug_assert!(self.trace.is_none(), "none is made");
    }
}

#[cfg(feature = "otel")]
pub(crate) use with_layer::{ERROR_TYPE, OUTCOME};

#[cfg(feature = "otel")]
mod with_layer {
    use opentelemetry::trace::{SpanContext, SpanId, Status, TraceContextExt as _, TraceFlags, TraceId, TraceState};
    use tracing_opentelemetry::OpenTelemetrySpanExt as _;

    use super::{Error, Exported, Outcome, Span, TraceParent};

    /// `ok`, `input_required`, or the stage that failed.
    pub(crate) const OUTCOME: &str = "nodecast.outcome";
    /// The type of the error, by the name that the semantic conventions give it.
    pub(crate) const ERROR_TYPE: &str = "error.type";
    /// What the semantic conventions say of an error whose type is no known word.
    const OTHER: &str = "_OTHER";

    impl Exported {
        /// Begins the span, which has run nowhere yet, below the span of the caller.
        pub(in crate::call) fn of(span: &Span, caller: Option<&TraceParent>) -> Self {
            if let Some(parent) = caller.and_then(remote)
                && !is_entered(parent.trace_id())
            {
                // It fails where no layer exports spans; then there is nothing to say.
                let _ = span.set_parent(opentelemetry::Context::new().with_remote_span_context(parent));
            }
            let cx = span.context();
            let own = cx.span();
            let own = own.span_context();
            let trace = own.is_valid().then(|| own_place(own));
            Self { span: span.clone(), trace }
        }

        /// Says how the call ended.
        pub(in crate::call) fn end(&self, outcome: Outcome, error: Option<&Error>) {
            if self.trace.is_none() {
                return;
            }
            self.span.set_attribute(OUTCOME, outcome.as_str());
            if let (Outcome::Failed(stage), Some(error)) = (outcome, error) {
                // A type that is made at run time may hold what was sent.
                let kind = error.literal_kind().unwrap_or(OTHER);
                self.span.set_attribute(ERROR_TYPE, kind);
                self.span.set_status(Status::error(format!("{}: {kind}", stage.as_str())));
            }
        }
    }

    /// Whether an application that serves our routes has already begun a span in the caller's trace; then the call
    /// stands below that one.
    fn is_entered(trace: TraceId) -> bool {
        opentelemetry::Context::current().span().span_context().trace_id() == trace
    }

    fn remote(caller: &TraceParent) -> Option<SpanContext> {
        let trace = TraceId::from_hex(caller.trace_id()).ok()?;
        let span = SpanId::from_hex(caller.parent_id()).ok()?;
        let flags = TraceFlags::new(u8::from(caller.is_sampled()));
        Some(SpanContext::new(trace, span, flags, true, TraceState::NONE))
    }

    fn own_place(own: &SpanContext) -> TraceParent {
        TraceParent::new(own.trace_id().to_string(), own.span_id().to_string(), own.is_sampled())
    }
}
