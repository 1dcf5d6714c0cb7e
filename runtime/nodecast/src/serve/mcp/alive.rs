//! An open stream of a session as a sign of life, as far as it is one: while its reader answers.
//!
//! A connection stays open, and small writes to it succeed, long after whoever opened it has stopped reading. So the
//! stream asks: a `ping` of the protocol, which every client answers with a message of its session. That answer is the
//! sign of life; that bytes were taken is none.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::BoxError;
use axum::body::Body;
use bytes::Bytes;
use http_body::{Body as HttpBody, Frame};
use serde_json::{Value as Json, json};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

/// What the ids of our pings begin with, none of which is rmcp's: those are numbers.
const ID: &str = "nodecast-ping-";
/// So many pings in one idle limit: one may be lost, or answered late.
const PER_LIMIT: u32 = 3;

/// The stream, with a ping from time to time.
pub(super) fn asking(body: Body, idle_limit: Duration) -> Body {
    let every = (idle_limit / PER_LIMIT).max(Duration::from_millis(1));
    let mut ticks = interval_at(Instant::now() + every, every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    Body::new(Asking { body, ticks, asked: 0 })
}

/// Whether a message with this id answers a ping of ours.
pub(super) fn is_answer(id: &Json) -> bool {
    id.as_str().is_some_and(|id| id.starts_with(ID))
}

struct Asking {
    body: Body,
    ticks: Interval,
    asked: u64,
}

impl HttpBody for Asking {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        // Each frame of the stream is a whole event, so a ping fits between any two.
        if let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(cx) {
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        if self.ticks.poll_tick(cx).is_pending() {
            return Poll::Pending;
        }
        self.asked += 1;
        let ping = json!({ "jsonrpc": "2.0", "id": format!("{ID}{}", self.asked), "method": "ping" });
        Poll::Ready(Some(Ok(Frame::data(format!("data: {ping}\n\n").into()))))
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn pings_come_between_events_and_end_with_the_stream() {
        let events = futures_util::stream::unfold(0, |at| async move {
            tokio::time::sleep(Duration::from_millis(250)).await;
            (at < 2).then(|| (Ok::<_, BoxError>(Bytes::from(format!("data: {at}\n\n"))), at + 1))
        });
        let body = asking(Body::from_stream(events), Duration::from_millis(600));
        let text = String::from_utf8(body.collect().await.unwrap().to_bytes().to_vec()).unwrap();
        let ping = |at| format!("data: {{\"jsonrpc\":\"2.0\",\"id\":\"nodecast-ping-{at}\",\"method\":\"ping\"}}\n\n");
        assert_eq!(text, format!("{}data: 0\n\n{}data: 1\n\n{}", ping(1), ping(2), ping(3)));
        assert!(is_answer(&json!("nodecast-ping-7")) && !is_answer(&json!(7)) && !is_answer(&json!("ping")));
    }
}
