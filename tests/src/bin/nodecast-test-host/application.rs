//! An application that has a subscriber of its own, and serves a nodeset among its routes: each request in a span, which
//! stands in the caller's trace as the usual middleware has it.

use std::error::Error;
use std::process::ExitCode;

use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use nodecast::serve::{Host, Traces};
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceId, TraceState};
use tokio::signal::unix::{SignalKind, signal};
use tracing::Instrument as _;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::prelude::*;

use crate::traced::Traced;

#[tokio::main]
pub(crate) async fn main() -> ExitCode {
    match serve().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve() -> Result<(), Box<dyn Error>> {
    let traces = Traces::from_env("application")?;
    tracing_subscriber::registry().with(traces.as_ref().map(Traces::layer)).init();
    let nodes = Host::new().nodeset::<Traced>(()).into_router().await?;
    let app = Router::new().nest("/nodes", nodes).layer(from_fn(in_a_span));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    #[allow(clippy::print_stdout, reason = "as a host says it")]
    {
        println!("listening on http://{}", listener.local_addr()?);
    }
    let mut end = signal(SignalKind::terminate())?;
    tokio::select! {
        served = axum::serve(listener, app) => served?,
        _ = end.recv() => {}
    }
    if let Some(traces) = traces {
        traces.stop().await;
    }
    Ok(())
}

async fn in_a_span(request: Request, next: Next) -> Response {
    let span = tracing::info_span!("request");
    if let Some(caller) = request.headers().get("traceparent").and_then(|sent| caller(sent.to_str().ok()?)) {
        let _ = span.set_parent(opentelemetry::Context::new().with_remote_span_context(caller));
    }
    next.run(request).instrument(span).await
}

fn caller(sent: &str) -> Option<SpanContext> {
    let mut parts = sent.split('-').skip(1);
    let trace = TraceId::from_hex(parts.next()?).ok()?;
    let span = SpanId::from_hex(parts.next()?).ok()?;
    Some(SpanContext::new(trace, span, TraceFlags::SAMPLED, true, TraceState::NONE))
}
