//! `GET /metrics`: what a host does, counted, in the text form of `OpenMetrics`.
//!
//! Labels come from the declaration and from closed lists of words, never from what a caller sent: a metric can neither
//! leak an argument nor grow with it.

use std::sync::{Arc, OnceLock};

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use fnv::FnvHashMap;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use super::face::Face;
use super::lifecycle::Phase;
use super::server::{Hosted, Server};
use crate::call::{CallEnd, CallObserver, Outcome, Stage};
use crate::session::Status;

/// The media type that scrapers ask for.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the durations, in seconds: from a lookup to a model that thinks for a while.
const DURATIONS: [f64; 15] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 300.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    function: String,
    part: &'static str,
    face: &'static str,
    outcome: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Called {
    function: String,
    part: &'static str,
    face: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Running {
    function: String,
    part: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Served {
    nodeset: String,
    version: String,
    contract: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Lease {
    nodeset: String,
    state: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct InPhase {
    phase: &'static str,
}

/// What goes over the sockets of a host.
#[derive(Clone, Debug, Default)]
pub(super) struct Traffic {
    pub(super) connections: Gauge,
    pub(super) accepted: Counter,
    pub(super) received: Counter,
    pub(super) sent: Counter,
}

/// The ways by which a call comes.
const FACES: [&str; 4] = ["http", "mcp", "stdio", "local"];

/// The series of one function that nearly every call touches, found once: looking one up by its labels costs more than
/// counting.
#[derive(Debug)]
struct Function {
    running: Gauge,
    by_face: [ByFace; FACES.len()],
}

/// What is there once a call came by this face.
#[derive(Debug, Default)]
struct ByFace {
    done: OnceLock<Counter>,
    durations: OnceLock<Histogram>,
}

/// The metrics of one host.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    /// What is declared, by its part of a nodeset and its full name.
    functions: FnvHashMap<&'static str, FnvHashMap<String, Function>>,
    calls: Family<Ended, Counter>,
    durations: Family<Called, Histogram, fn() -> Histogram>,
    leases: Family<Lease, Gauge>,
    phase: Family<InPhase, Gauge>,
    /// What the executor has not been told yet.
    events: Gauge,
    pub(super) traffic: Traffic,
}

impl Metrics {
    /// All at nothing; what is declared is there from the start, so that an absent series means an absent node.
    pub(super) fn new(nodesets: &[Arc<Hosted>]) -> Self {
        let mut registry = Registry::with_prefix("nodecast");
        let calls = Family::default();
        registry.register("calls", "Calls that have ended, by outcome: ok, or the stage that failed", calls.clone());
        let durations = Family::new_with_constructor((|| Histogram::new(DURATIONS)) as fn() -> Histogram);
        let help = "Time from a call's arguments to its reply";
        registry.register_with_unit("call_duration", help, Unit::Seconds, durations.clone());
        let in_flight = Family::<Running, Gauge>::default();
        registry.register("calls_in_flight", "Calls that run now", in_flight.clone());
        let leases = Family::default();
        registry.register("lease", "What the lease of an exclusive nodeset is at: 1 for its state", leases.clone());
        let phase = Family::default();
        registry.register("phase", "Where the host is in its life: 1 for its phase", phase.clone());
        let events = Gauge::default();
        registry.register("events_waiting", "Events that the executor has not been told yet", events.clone());
        let traffic = Traffic::default();
        registry.register("connections", "Open connections", traffic.connections.clone());
        registry.register("connections_accepted", "Connections that were accepted", traffic.accepted.clone());
        let bytes = Unit::Bytes;
        registry.register_with_unit("received", "Read from connections", bytes.clone(), traffic.received.clone());
        registry.register_with_unit("sent", "Written to connections", bytes, traffic.sent.clone());
        let served = Family::<Served, Gauge>::default();
        registry.register("nodeset", "The nodesets that are served, with their versions and contracts", served.clone());
        let mut functions = FnvHashMap::<_, FnvHashMap<_, _>>::default();
        for hosted in nodesets {
            let facts = Served {
                nodeset: hosted.name().to_owned(),
                version: hosted.catalog.version.to_string(),
                contract: hosted.hash.clone(),
            };
            served.get_or_create(&facts).set(1);
            for (part, name) in hosted.catalog.full_names() {
                let running = in_flight.get_or_create_owned(&Running { function: name.to_string(), part });
                let function = Function { running, by_face: Default::default() };
                functions.entry(part).or_default().insert(name.to_string(), function);
            }
        }
        Self { registry, functions, calls, durations, leases, phase, events, traffic }
    }

    /// A call that could not begin.
    pub(super) fn refused(&self, (part, function): (&'static str, &str), face: &'static str, stage: Stage) {
        self.calls((part, function), face, Outcome::Failed(stage)).inc();
    }

    fn function(&self, part: &'static str, function: &str) -> Option<&Function> {
        self.functions.get(part)?.get(function)
    }

    fn calls(&self, (part, function): (&'static str, &str), face: &'static str, outcome: Outcome) -> Counter {
        let ended = Ended { function: function.to_owned(), part, face, outcome: outcome.as_str() };
        self.calls.get_or_create_owned(&ended)
    }

    fn durations(&self, end: &CallEnd<'_>) -> Histogram {
        let called = Called { function: end.function.to_owned(), part: end.part, face: end.face };
        self.durations.get_or_create_owned(&called)
    }

    /// The text, with what is looked up when somebody asks.
    fn text(&self, server: &Server) -> Result<String, std::fmt::Error> {
        for hosted in &server.nodesets {
            let Some(lease) = &hosted.lease else { continue };
            let now = lease.status();
            for state in [Status::Free, Status::Held, Status::Draining] {
                let labels = Lease { nodeset: hosted.name().to_owned(), state: state.as_str() };
                self.leases.get_or_create(&labels).set((state == now).into());
            }
        }
        let now = server.life.phase();
        for phase in [Phase::Starting, Phase::Ready, Phase::Draining] {
            let labels = InPhase { phase: phase.as_str() };
            self.phase.get_or_create(&labels).set((phase == now).into());
        }
        if let Some(events) = &server.events {
            self.events.set(i64::try_from(events.waiting()).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        text::encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl CallObserver for Metrics {
    fn begun(&self, function: &str, part: &'static str) {
        if let Some(function) = self.function(part, function) {
            function.running.inc();
        }
    }

    fn ended(&self, end: &CallEnd<'_>) {
        let function = self.function(end.part, end.function);
        if let Some(function) = function {
            function.running.dec();
        }
        let face = FACES.iter().position(|face| *face == end.face);
        let by_face = function.zip(face).and_then(|(function, face)| function.by_face.get(face));
        let seconds = end.duration.as_secs_f64();
        match by_face {
            Some(by_face) => by_face.durations.get_or_init(|| self.durations(end)).observe(seconds),
            None => self.durations(end).observe(seconds),
        }
        let calls = || self.calls((end.part, end.function), end.face, end.outcome);
        match by_face {
            Some(by_face) if end.outcome == Outcome::Done => by_face.done.get_or_init(calls).inc(),
            _ => calls().inc(),
        };
    }
}

/// `GET /metrics`.
pub(super) async fn handle(State(face): State<Arc<Face>>) -> Response {
    match face.server.metrics.text(&face.server) {
        Ok(text) => ([(CONTENT_TYPE, OPEN_METRICS)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "the metrics cannot be written");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
