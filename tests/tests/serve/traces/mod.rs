//! Traces of OpenTelemetry, as a collector gets them (`DESIGN.md` 5).

mod application;
mod collector;
mod ending;
mod secrets;
mod settings;
mod spans;

use std::process::Command;
use std::time::{Duration, Instant};

use nodecast_tests::Host;

use crate::HOST;
use collector::Collector;

/// What a caller sends: the example of W3C Trace Context.
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00f067aa0ba902b7";
const CALLER: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

const JSON: (&str, &str) = ("content-type", "application/json");

/// A host that is told nothing of OpenTelemetry but this.
fn command(arguments: &[&str], variables: &[(&str, &str)]) -> Command {
    let mut command = Command::new(HOST);
    command.args(arguments).env("RUST_LOG", "info,rmcp=off");
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OTEL_")) {
        command.env_remove(name);
    }
    command.envs(variables.iter().copied());
    command
}

/// A host of these nodesets, with more variables beside the collector's.
async fn host(collector: &Collector, nodesets: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Host {
    let arguments = [&["--port", "0", "--log", "json", "--nodeset", nodesets], arguments].concat();
    let variables = [&[("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str())], variables].concat();
    Host::of(&mut command(&arguments, &variables)).up().await
}

/// Ends a host: its log, and how long it took; it must end in order.
async fn end(host: Host) -> (String, Duration) {
    let began = Instant::now();
    (host.stop().await, began.elapsed())
}
