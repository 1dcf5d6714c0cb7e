//! Traces to a collector of OpenTelemetry: spans of calls, and below them the spans that nodes make.
//!
//! Log events stay in the log, which names trace and span; so what a span says is what its fields say, and of our own
//! spans that is words of the declaration and of closed lists alone (`export.rs`).

mod client;
mod export;

use std::time::Duration;

use opentelemetry::trace::TracerProvider as _;
use opentelemetry::{InstrumentationScope, Key};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::resource::{EnvResourceDetector, ResourceDetector as _};
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterFn, LevelFilter};
use tracing_subscriber::registry::LookupSpan;

use client::Plain;
use export::OwnWords;

/// What a collector that does not answer may take at the end: less than the `stop()` of nodesets, which runs beside it.
const LAST_SPANS: Duration = Duration::from_millis(900);
/// How long one request to a collector may take, unless a variable says otherwise.
const REQUEST: Duration = Duration::from_secs(10);

/// The libraries that carry calls: their spans are of messages and sockets, and say what a client sent.
const CARRIERS: [&str; 7] = ["h2", "hyper", "hyper_util", "opentelemetry", "opentelemetry_sdk", "rmcp", "tower"];

/// The way of spans to a collector, as the standard `OTEL_…` variables say it.
///
/// A host that logs by itself has it by itself. An application with a subscriber of its own adds the layer, and sends
/// what is left when it ends:
///
/// ```no_run
/// use nodecast::serve::Traces;
/// use tracing_subscriber::prelude::*;
///
/// # async fn serve() -> std::process::ExitCode { std::process::ExitCode::SUCCESS }
/// # async fn example() -> Result<std::process::ExitCode, Box<dyn std::error::Error>> {
/// // None where no collector is named.
/// let traces = Traces::from_env("picture-service")?;
/// let log = tracing_subscriber::fmt::layer().with_filter(tracing_subscriber::EnvFilter::from_default_env());
/// tracing_subscriber::registry().with(traces.as_ref().map(Traces::layer)).with(log).init();
///
/// let code = serve().await;
/// if let Some(traces) = traces {
///     traces.stop().await;
/// }
/// # Ok(code)
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Traces {
    provider: SdkTracerProvider,
}

/// Why spans are not exported, though a collector is named.
#[derive(Debug, thiserror::Error)]
pub enum TracesError {
    /// A variable has a value that cannot be served.
    // The value itself may hold a password.
    #[error("`{variable}`: {rule}")]
    Variable {
        /// Which one.
        variable: &'static str,
        /// What it should say.
        rule: &'static str,
    },
    /// The exporter was not made.
    #[error("{0}")]
    Exporter(#[from] opentelemetry_otlp::ExporterBuildError),
}

impl Traces {
    /// Reads the standard variables; none where they name no collector, or switch export off. `service` is the name of
    /// the service where they give none.
    pub fn from_env(service: &str) -> Result<Option<Self>, TracesError> {
        let off = variable("OTEL_SDK_DISABLED").is_some_and(|set| set.eq_ignore_ascii_case("true"));
        let exporters = variable("OTEL_TRACES_EXPORTER").unwrap_or_else(|| "otlp".to_owned());
        let endpoint = first(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"]);
        let Some((named_by, endpoint)) = endpoint.filter(|_| !off && exporters != "none") else { return Ok(None) };
        if !exporters.split(',').any(|exporter| exporter.trim() == "otlp") {
            let rule = "this host exports by `otlp` alone; leave the variable out, or set it to `otlp` or `none`";
            return Err(TracesError::Variable { variable: "OTEL_TRACES_EXPORTER", rule });
        }
        let protocol = first(["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"]);
        if let Some((variable, _)) = protocol.filter(|(_, protocol)| protocol != "http/protobuf") {
            let rule = "this host speaks `http/protobuf` alone; set it so, and name the collector's port for HTTP, \
                        which is 4318 as a rule";
            return Err(TracesError::Variable { variable, rule });
        }
        check_endpoint(named_by, &endpoint)?;
        check_sampler()?;
        let exporter = SpanExporter::builder().with_http().with_http_client(Plain::new(timeout())).build()?;
        let provider = SdkTracerProvider::builder().with_batch_exporter(OwnWords(exporter));
        Ok(Some(Self { provider: provider.with_resource(resource(service)).build() }))
    }

    /// A layer that exports spans at `info` and above; what a log shows is for its own filter to say.
    pub fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
    {
        let scope = InstrumentationScope::builder("nodecast").with_version(env!("CARGO_PKG_VERSION")).build();
        let layer = tracing_opentelemetry::layer().with_tracer(self.provider.tracer_with_scope(scope));
        // Nothing of a log line but that it told of an error goes into a span, nor does what tells of this machine.
        let layer = layer
            .with_error_events_to_status(false)
            .with_error_events_to_exceptions(false)
            .with_error_fields_to_exceptions(false)
            .with_error_records_to_exceptions(false)
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false);
        layer.with_filter(FilterFn::new(is_exported).with_max_level_hint(LevelFilter::INFO))
    }

    /// Sends the spans that are left, within a second; later ones go nowhere.
    pub async fn stop(self) {
        let (ended, end) = tokio::sync::oneshot::channel();
        // A thread of its own, since nodes may still block those of the runtime.
        let sending = std::thread::Builder::new().name("last spans".to_owned());
        let sending = sending.spawn(move || {
            // Nobody waits for it any more where it took too long.
            let _ = ended.send(self.provider.shutdown_with_timeout(LAST_SPANS));
        });
        let sent = match sending {
            Ok(_) => matches!(tokio::time::timeout(LAST_SPANS, end).await, Ok(Ok(Ok(())))),
            Err(_) => false,
        };
        if !sent {
            tracing::warn!("the last spans did not reach the collector in time");
        }
    }
}

/// Whether the layer is to see this: spans, and whether an error was told of in them.
fn is_exported(of: &Metadata<'_>) -> bool {
    let library = of.target().split("::").next().unwrap_or_default();
    match (CARRIERS.contains(&library), of.is_span()) {
        (true, _) => false,
        (false, true) => *of.level() <= Level::INFO,
        // The end of a call is told by its span.
        (false, false) => *of.level() == Level::ERROR && library != "nodecast",
    }
}

/// A variable that says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|set| set.trim().to_owned()).filter(|set| !set.is_empty())
}

/// The first of them that says something.
fn first<const N: usize>(names: [&'static str; N]) -> Option<(&'static str, String)> {
    names.into_iter().find_map(|name| Some((name, variable(name)?)))
}

/// Refuses an endpoint that our client cannot speak to.
fn check_endpoint(variable: &'static str, endpoint: &str) -> Result<(), TracesError> {
    let scheme = endpoint.parse::<http::Uri>().ok().and_then(|uri| uri.host().and(uri.scheme().cloned()));
    let rule = match scheme {
        Some(scheme) if scheme == http::uri::Scheme::HTTP => return Ok(()),
        Some(scheme) if scheme == http::uri::Scheme::HTTPS => {
            "spans go to a collector over plain HTTP; run one beside the host, name it as `http://localhost:4318`, \
             and let it pass them on over TLS"
        }
        _ => "expected the address of a collector, such as `http://localhost:4318`",
    };
    Err(TracesError::Variable { variable, rule })
}

/// Refuses a sampler that the SDK would replace by one that keeps everything, of which nobody would learn.
fn check_sampler() -> Result<(), TracesError> {
    const NAME: &str = "OTEL_TRACES_SAMPLER";
    const SHARE: &str = "OTEL_TRACES_SAMPLER_ARG";
    let Some(sampler) = variable(NAME) else { return Ok(()) };
    let refused = |variable, rule| Err(TracesError::Variable { variable, rule });
    match sampler.strip_prefix("parentbased_").unwrap_or(&sampler) {
        "always_on" | "always_off" => Ok(()),
        "traceidratio" => match variable(SHARE).and_then(|share| share.parse::<f64>().ok()) {
            Some(0.0..=1.0) => Ok(()),
            _ => refused(SHARE, "expected the share of traces to keep, from 0 to 1, such as `0.1`"),
        },
        _ => refused(NAME, "expected `always_on`, `always_off` or `traceidratio`, with or without `parentbased_`"),
    }
}

/// How long one request may take, as the exporter reads it for its retries.
fn timeout() -> Duration {
    let set = first(["OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"]);
    set.and_then(|(_, ms)| ms.parse().ok()).map_or(REQUEST, Duration::from_millis)
}

fn resource(service: &str) -> Resource {
    let named = variable("OTEL_SERVICE_NAME").is_some()
        || EnvResourceDetector::new().detect().get(&Key::from_static_str("service.name")).is_some();
    let resource = Resource::builder();
    if named { resource.build() } else { resource.with_service_name(service.to_owned()).build() }
}
