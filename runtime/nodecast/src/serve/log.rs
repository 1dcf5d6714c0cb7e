//! What a host tells whoever runs it while it runs: its log on standard error and, with the feature `otel`, its traces.

use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, Registry};

use super::events::{self, Events, PANIC};
use super::lines::Lines;
use super::options::{LogFormat, Options};
#[cfg(feature = "otel")]
use super::traces::Traces;

/// The variables that name a collector of traces.
#[cfg(not(feature = "otel"))]
const COLLECTORS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];

/// There are none without the feature.
#[cfg(not(feature = "otel"))]
#[derive(Clone)]
enum Traces {}

#[cfg(not(feature = "otel"))]
impl Traces {
    fn stop(self) -> std::future::Ready<()> {
        match self {}
    }
}

/// A log that was begun.
#[derive(Default)]
pub(super) struct Log {
    traces: Option<Traces>,
}

impl Log {
    /// Logs to standard error, exports spans where a collector is named, as those of `service`, and tells `events` of
    /// lines from warnings up; unless the application has a subscriber of its own.
    pub(super) fn begin(options: &Options, service: &str, events: Option<Arc<Events>>) -> Self {
        // rmcp reports each message at `info`, and in warnings of its service what a client sent.
        let filter =
            EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,rmcp=warn,rmcp::service=error"));
        let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|set| set.is_empty());
        let lines =
            tracing_subscriber::fmt::layer().with_ansi(colour).with_writer(Mutex::new(Lines::of_stderr(options.log)));
        let begun = match options.log {
            LogFormat::Text => Self::install(lines, filter, service, events),
            LogFormat::Json => Self::install(lines.json(), filter, service, events),
        };
        let Some(log) = begun else {
            tracing::debug!("the application logs by itself");
            return Self::default();
        };
        // Where the log is ours, a panic is an event of it: standard error stays readable line by line.
        std::panic::set_hook(Box::new(|panic| tracing::error!(target: PANIC, %panic, "a thread panicked")));
        log
    }

    #[cfg(not(feature = "otel"))]
    fn install(
        lines: impl Layer<Registry> + Send + Sync,
        filter: EnvFilter,
        _: &str,
        events: Option<Arc<Events>>,
    ) -> Option<Self> {
        Self::plain(lines, filter, events)?;
        if let Some(variable) = COLLECTORS.into_iter().find(|name| std::env::var_os(name).is_some()) {
            tracing::info!(variable, "no traces: this host is built without the feature `otel` of nodecast");
        }
        Some(Self::default())
    }

    #[cfg(feature = "otel")]
    fn install(
        lines: impl Layer<Registry> + Send + Sync,
        filter: EnvFilter,
        service: &str,
        events: Option<Arc<Events>>,
    ) -> Option<Self> {
        let traces = Traces::from_env(service);
        let Ok(Some(traces)) = traces else {
            Self::plain(lines, filter, events)?;
            if let Err(error) = traces {
                // Additive: the host serves whether or not this one can.
                tracing::error!("no traces: {error}");
            }
            return Some(Self::default());
        };
        // Each has a filter of its own, so that what `RUST_LOG` leaves out of the log is in the trace all the same.
        let told = events.map(|events| events::Lines(events).with_filter(LevelFilter::WARN));
        let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.layer());
        subscriber.with(told).try_init().ok()?;
        Some(Self { traces: Some(traces) })
    }

    /// The log without traces.
    fn plain(lines: impl Layer<Registry> + Send + Sync, filter: EnvFilter, events: Option<Arc<Events>>) -> Option<()> {
        let registry = tracing_subscriber::registry();
        match events {
            None => registry.with(lines).with(filter).try_init().ok(),
            // What is told to the executor does not depend on what is in the log.
            Some(events) => {
                let told = events::Lines(events).with_filter(LevelFilter::WARN);
                registry.with(lines.with_filter(filter)).with(told).try_init().ok()
            }
        }
    }

    /// Sends what is left, in a time that is bounded.
    pub(super) async fn end(&self) {
        if let Some(traces) = self.traces.clone() {
            traces.stop().await;
        }
    }
}
