//! What of a span leaves the process. Of our own spans: words of the declaration and of closed lists, under names that
//! are no other's. Of a node's spans: its fields. Of log events: nothing.

use std::time::Duration;

use opentelemetry::trace::SpanKind;
use opentelemetry::{Key, KeyValue, Value};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanExporter};

use crate::call::{ERROR_TYPE, OUTCOME};

/// The module that our own spans come from.
const OWN: &str = "nodecast::call::";

/// An exporter that is given no more than it may tell.
#[derive(Debug)]
pub(super) struct OwnWords<E>(pub(super) E);

impl<E: SpanExporter> SpanExporter for OwnWords<E> {
    fn export(&self, batch: Vec<SpanData>) -> impl Future<Output = OTelSdkResult> + Send {
        self.0.export(batch.into_iter().map(told).collect())
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

fn told(mut span: SpanData) -> SpanData {
    span.events = SpanEvents::default();
    let target = text(&span.attributes, "target");
    if !target.is_some_and(|target| target.starts_with(OWN)) {
        return span;
    }
    if let Some(function) = text(&span.attributes, "function") {
        // Somebody else's request; the name tells a read or a completion from a call.
        span.span_kind = SpanKind::Server;
        span.name = match text(&span.attributes, "part") {
            Some(part) => format!("{part} {function}").into(),
            None => function.to_owned().into(),
        };
    }
    let attributes = std::mem::take(&mut span.attributes).into_iter();
    span.attributes = attributes.filter_map(|it| Some(KeyValue::new(known(&it.key)?, it.value))).collect();
    span
}

/// The name under which an attribute of our own spans leaves; none for one that stays.
fn known(field: &Key) -> Option<&'static str> {
    match field.as_str() {
        "function" => Some("nodecast.function"),
        "part" => Some("nodecast.part"),
        "face" => Some("nodecast.face"),
        "node" => Some("nodecast.node"),
        OUTCOME => Some(OUTCOME),
        ERROR_TYPE => Some(ERROR_TYPE),
        // Ids are the span's own, the target is ours.
        _ => None,
    }
}

fn text<'a>(attributes: &'a [KeyValue], name: &str) -> Option<&'a str> {
    let found = attributes.iter().find(|attribute| attribute.key.as_str() == name)?;
    match &found.value {
        Value::String(text) => Some(text.as_str()),
        _ => None,
    }
}
