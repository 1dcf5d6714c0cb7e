//! A collector of OpenTelemetry in the test's own process: it takes spans over HTTP, or never answers.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use prost::Message as _;

/// What a host sent.
#[derive(Clone, Default)]
pub(super) struct Received(Arc<Mutex<Vec<(HeaderMap, Bytes)>>>);

pub(super) struct Collector {
    /// Where it listens: `http://127.0.0.1:PORT`.
    pub(super) url: String,
    pub(super) received: Received,
}

/// A span as it came over the wire; ids in hexadecimal digits.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) service: String,
    pub(super) name: String,
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: String,
    /// As the protocol counts them: 1 is internal, 2 a server's.
    pub(super) kind: i32,
    pub(super) attributes: BTreeMap<String, String>,
    /// As the protocol counts them: 0 is unset, 2 an error.
    pub(super) status: (i32, String),
    pub(super) links: Vec<String>,
    pub(super) events: usize,
}

impl Collector {
    pub(super) async fn start() -> Self {
        let received = Received::default();
        let keep = received.clone();
        let take = move |headers: HeaderMap, body: Bytes| {
            keep.0.lock().unwrap().push((headers, body));
            std::future::ready(([(CONTENT_TYPE, "application/x-protobuf")], Bytes::new()))
        };
        let routes = axum::Router::new().route("/v1/traces", post(take));
        Self { url: nodecast_tests::serve(routes).await, received }
    }

    /// One that takes connections, and reads nothing.
    pub(super) async fn silent() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move {
            let mut held = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                held.push(connection);
            }
        });
        Self { url, received: Received::default() }
    }

    /// One that is gone: nothing listens there.
    pub(super) async fn gone() -> Self {
        let listener = tokio::net::TcpListener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).await.unwrap();
        Self { url: format!("http://{}", listener.local_addr().unwrap()), received: Received::default() }
    }

    /// Waits until so many spans have come while the host still runs.
    pub(super) async fn wait_for(&self, count: usize) {
        for _ in 0..2000 {
            if self.received.spans().len() >= count {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        assert_eq!(self.received.spans().len(), count, "spans that came in ten seconds");
    }
}

impl Received {
    pub(super) fn requests(&self) -> Vec<(HeaderMap, Bytes)> {
        self.0.lock().unwrap().clone()
    }

    /// All bytes of all bodies and headers, as text that can be searched.
    pub(super) fn raw(&self) -> String {
        let requests = self.requests();
        requests
            .iter()
            .fold(String::new(), |all, (headers, body)| format!("{all}{headers:?}{}", String::from_utf8_lossy(body)))
    }

    pub(super) fn spans(&self) -> Vec<Span> {
        let decoded = |(_, body): (HeaderMap, Bytes)| ExportTraceServiceRequest::decode(body).unwrap().resource_spans;
        let mut spans = Vec::new();
        for resource in self.requests().into_iter().flat_map(decoded) {
            let of_resource = texts(resource.resource.unwrap_or_default().attributes);
            for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                let status = span.status.unwrap_or_default();
                spans.push(Span {
                    service: of_resource["service.name"].clone(),
                    name: span.name,
                    trace: hex(&span.trace_id),
                    id: hex(&span.span_id),
                    parent: hex(&span.parent_span_id),
                    kind: span.kind,
                    attributes: texts(span.attributes),
                    status: (status.code, status.message),
                    links: span.links.iter().map(|link| hex(&link.span_id)).collect(),
                    events: span.events.len(),
                });
            }
        }
        spans
    }

    /// The only span of this name.
    pub(super) fn one(&self, name: &str) -> Span {
        let all = self.spans();
        let found: Vec<_> = all.iter().filter(|span| span.name == name).collect();
        assert_eq!(found.len(), 1, "{name}: {all:#?}");
        found[0].clone()
    }
}

fn texts(attributes: Vec<KeyValue>) -> BTreeMap<String, String> {
    let text = |value: Option<AnyValue>| match value.and_then(|value| value.value) {
        Some(Value::StringValue(text)) => text,
        other => format!("{other:?}"),
    };
    attributes.into_iter().map(|attribute| (attribute.key, text(attribute.value))).collect()
}

fn hex(id: &[u8]) -> String {
    id.iter().fold(String::new(), |digits, byte| format!("{digits}{byte:02x}"))
}
