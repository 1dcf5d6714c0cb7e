//! The standard variables: what switches export on and off, what it says of itself, and values that cannot be served.

use nodecast_tests::Host;
use serde_json::json;

use super::collector::Collector;
use super::{command, end, host};

/// Whether calls of a host have a place in a trace of its own.
async fn exports(host: &Host) -> bool {
    host.post("/call/traced__dig", &json!({})).await.json()["outputs"]["result"] != ""
}

async fn started(variables: &[(&str, &str)]) -> Host {
    Host::of(&mut command(&["--port", "0", "--nodeset", "traced"], variables)).up().await
}

#[tokio::test]
async fn nothing_is_exported_unless_a_collector_is_named() {
    let collector = Collector::start().await;
    let url = collector.url.as_str();
    let on = ("OTEL_EXPORTER_OTLP_ENDPOINT", url);
    let off = [
        vec![],
        vec![("OTEL_SERVICE_NAME", "named"), ("OTEL_TRACES_EXPORTER", "otlp")],
        vec![("OTEL_EXPORTER_OTLP_ENDPOINT", "")],
        vec![on, ("OTEL_SDK_DISABLED", "true")],
        vec![on, ("OTEL_TRACES_EXPORTER", "none")],
    ];
    for variables in off {
        let host = started(&variables).await;
        assert!(!exports(&host).await, "{variables:?}");
        let (log, _) = end(host).await;
        assert!(!log.contains("no traces"), "{variables:?}: {log}");
    }
    assert_eq!(collector.received.requests().len(), 0);
    let per_signal = format!("{url}/v1/traces");
    for variables in [vec![on], vec![("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", per_signal.as_str())]] {
        let before = collector.received.requests().len();
        let host = started(&variables).await;
        assert!(exports(&host).await, "{variables:?}");
        end(host).await;
        assert_eq!(collector.received.requests().len(), before + 1, "{variables:?}");
    }
}

#[tokio::test]
async fn the_log_filter_is_not_the_traces() {
    let collector = Collector::start().await;
    let variables = [("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str()), ("RUST_LOG", "off")];
    let host = started(&variables).await;
    assert!(exports(&host).await);
    let (log, _) = end(host).await;
    assert_eq!((log.as_str(), collector.received.spans().len()), ("", 2));
}

#[tokio::test]
async fn the_sdk_reads_its_variables() {
    let collector = Collector::start().await;
    let variables = [
        ("OTEL_SERVICE_NAME", "pictures"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-tenant=blue"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
    ];
    let on = host(&collector, "traced", &[], &variables).await;
    assert!(exports(&on).await);
    // While it still runs.
    collector.wait_for(2).await;
    assert_eq!(collector.received.one("traced__dig").service, "pictures");
    let (headers, _) = &collector.received.requests()[0];
    assert_eq!(
        (&headers["x-tenant"], &headers["content-type"]),
        (&"blue".parse().unwrap(), &"application/x-protobuf".parse().unwrap())
    );
    end(on).await;

    let collector = Collector::start().await;
    let named = [("OTEL_RESOURCE_ATTRIBUTES", "service.name=from-attributes,team=vision")];
    let host = host(&collector, "traced", &["--name", "of-the-host"], &named).await;
    exports(&host).await;
    end(host).await;
    assert_eq!(collector.received.one("traced__dig").service, "from-attributes");

    let collector = Collector::start().await;
    let packed = [("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")];
    let host = super::host(&collector, "traced", &[], &packed).await;
    exports(&host).await;
    end(host).await;
    let (headers, body) = &collector.received.requests()[0];
    assert_eq!((headers["content-encoding"].as_bytes(), &body[..2]), (&b"gzip"[..], &[0x1f, 0x8b][..]));

    let collector = Collector::start().await;
    let host = super::host(&collector, "traced", &[], &[("OTEL_TRACES_SAMPLER", "always_off")]).await;
    exports(&host).await;
    end(host).await;
    assert_eq!(collector.received.requests().len(), 0);
}

#[tokio::test]
async fn what_cannot_be_served_is_said_and_the_host_serves() {
    let url = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    let wrong = [
        (
            vec![("OTEL_EXPORTER_OTLP_ENDPOINT", "https://CANARY:secret@collector.example")],
            "OTLP_ENDPOINT",
            "plain HTTP",
        ),
        (vec![("OTEL_EXPORTER_OTLP_ENDPOINT", "CANARY:4318")], "OTLP_ENDPOINT", "http://localhost:4318"),
        (vec![("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/v1/CANARY")], "TRACES_ENDPOINT", "http://localhost:4318"),
        (vec![url, ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")], "OTLP_PROTOCOL", "http/protobuf"),
        (vec![url, ("OTEL_TRACES_EXPORTER", "zipkin")], "TRACES_EXPORTER", "`none`"),
        (vec![url, ("OTEL_TRACES_SAMPLER", "sometimes")], "OTEL_TRACES_SAMPLER`", "always_on"),
        (vec![url, ("OTEL_TRACES_SAMPLER", "parentbased_traceidratio")], "SAMPLER_ARG", "0 to 1"),
    ];
    for (variables, variable, way_out) in wrong {
        let host = started(&variables).await;
        assert!(!exports(&host).await, "{variables:?}");
        let (log, _) = end(host).await;
        let said: Vec<_> = log.lines().filter(|line| line.contains("no traces: ")).collect();
        assert!(said.len() == 1 && said[0].contains(variable) && said[0].contains(way_out), "{variables:?}: {log}");
        // It may hold a password.
        assert!(!log.contains("CANARY"), "{log}");
    }
}
