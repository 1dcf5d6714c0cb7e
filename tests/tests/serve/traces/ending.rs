//! A host ends in time and in order, whatever its collector does (`wire.md` 9.1).

use std::time::{Duration, Instant};

use serde_json::json;

use super::collector::Collector;
use super::{end, host};
use crate::stopping::begin;

#[tokio::test]
async fn what_is_left_is_sent_at_the_end() {
    let collector = Collector::start().await;
    // Longer than the test, and more than one request.
    let variables = [("OTEL_BSP_SCHEDULE_DELAY", "600000"), ("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", "16")];
    let host = host(&collector, "traced", &[], &variables).await;
    for _ in 0..50 {
        host.post("/call/traced__rest", &json!({ "ms": 0 })).await;
    }
    let (_, took) = end(host).await;
    assert_eq!(collector.received.spans().len(), 50);
    assert!(took < Duration::from_millis(900), "{took:?}");
}

#[tokio::test]
async fn a_call_that_is_cut_off_at_the_end_has_its_span() {
    let collector = Collector::start().await;
    let host = host(&collector, "traced", &["--grace", "100ms"], &[]).await;
    let cut = begin(&host, "traced__rest").await;
    end(host).await;
    assert_eq!(cut.await.unwrap(), 503);
    assert_eq!(collector.received.one("traced__rest").attributes["nodecast.outcome"], "cancelled");
}

#[tokio::test]
async fn a_collector_that_is_gone_holds_nothing_up() {
    let collector = Collector::gone().await;
    let host = host(&collector, "traced", &[], &[("OTEL_BSP_SCHEDULE_DELAY", "20")]).await;
    for _ in 0..20 {
        let began = Instant::now();
        assert_eq!(host.post("/call/traced__rest", &json!({ "ms": 0 })).await.status, 200);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
    let (log, took) = end(host).await;
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(log.contains("telemetry data will be lost"), "who runs the host learns of it: {log}");
}

#[tokio::test]
async fn a_collector_that_never_answers_holds_nothing_up() {
    let collector = Collector::silent().await;
    let host =
        host(&collector, "traced", &[], &[("OTEL_BSP_SCHEDULE_DELAY", "20"), ("OTEL_BSP_MAX_QUEUE_SIZE", "4")]).await;
    // More than are kept for it.
    for _ in 0..20 {
        let began = Instant::now();
        assert_eq!(host.post("/call/traced__rest", &json!({ "ms": 0 })).await.status, 200);
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
    let (log, took) = end(host).await;
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert!(log.contains("the last spans did not reach the collector in time"), "{log}");
}

/// The bound of `wire.md` 9.1, with a call in flight that takes all of its grace, and a collector that takes all of its.
#[tokio::test]
async fn w9_sigterm_with_a_call_in_flight_and_a_silent_collector() {
    let collector = Collector::silent().await;
    let host = host(&collector, "traced", &[], &[]).await;
    let cut = begin(&host, "traced__rest").await;
    let (_, took) = end(host).await;
    assert_eq!(cut.await.unwrap(), 503);
    assert!(took < Duration::from_secs(5), "{took:?}");
}
