//! Request bodies: counted while they stream, and given up on when they are too large or too slow.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures_util::FutureExt as _;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use http_body::{Body as _, Frame};
use http_body_util::BodyExt;
use tokio::time::error::Elapsed;
use tokio::time::{Instant, timeout, timeout_at};

use super::edge::page;
use super::error::Failure;
use super::lifecycle::Lifecycle;
use crate::call::Stage;

/// A body has this long before its pace matters.
const HEAD_START: Duration = Duration::from_secs(10);
/// The least pace after that, on average since the start.
const BYTES_PER_SECOND: usize = 8 << 10;
/// How long a refused body is read on, so that the refusal reaches a client that is still sending.
const LINGER: Duration = Duration::from_secs(1);
/// A body reserves at most this much on the word of its declared length; the system gives pages as bytes come.
const MAX_RESERVED: usize = 8 << 20;

/// The limit on a body, and the flag that sets it.
pub(super) type Cap = (&'static str, usize);

/// Reads a whole body within `cap`, unless the host is told to stop meanwhile: whoever is still sending then is
/// answered, not cut.
pub(super) async fn read(life: &Lifecycle, headers: &HeaderMap, mut body: Body, cap: Cap) -> Result<Bytes, Failure> {
    let told = async {
        // The host waits for this answer.
        let answering = life.answering();
        life.draining().cancelled().await;
        answering
    };
    let _answering = tokio::select! {
        // Nearly every body is there already, and has nothing to do with the end of the host.
        biased;
        whole = whole(headers, &mut body, cap) => return whole,
        answering = told => answering,
    };
    linger(&mut body).await;
    Err(Lifecycle::stopping().into())
}

async fn whole(headers: &HeaderMap, body: &mut Body, (flag, cap): Cap) -> Result<Bytes, Failure> {
    let declared = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > cap as u64) {
        leave_rest(headers, body).await;
        return Err(too_large((flag, cap)));
    }
    let mut start = None;
    let mut whole = BytesMut::new();
    loop {
        // The next byte is due when the pace so far would have brought it.
        let earned = Duration::from_secs((whole.len() / BYTES_PER_SECOND) as u64);
        let due = || *start.get_or_insert_with(Instant::now) + HEAD_START + earned;
        let frame = match next(body, due).await {
            Ok(Some(Ok(frame))) => frame,
            Ok(Some(Err(error))) => {
                let detail = if is_misframed(&error) {
                    "the chunked encoding of the body is broken"
                } else {
                    "the body ended before its announced end"
                };
                tracing::debug!(%error, "body not read");
                return Err(Failure::new(StatusCode::BAD_REQUEST, Stage::SchemaValidation, "malformed_body", detail));
            }
            Ok(None) => return Ok(whole.freeze()),
            Err(_) => {
                let detail = "the body came too slowly; send at least 8 KiB a second";
                return Err(Failure::new(
                    StatusCode::REQUEST_TIMEOUT,
                    Stage::SchemaValidation,
                    "body_too_slow",
                    detail,
                ));
            }
        };
        let Ok(data) = frame.into_data() else { continue };
        if data.len() > cap - whole.len() {
            drop(whole);
            linger(body).await;
            return Err(too_large((flag, cap)));
        }
        if whole.is_empty() && body.is_end_stream() {
            // All of it came in one piece, which is passed on as it is.
            return Ok(data);
        }
        if whole.is_empty() {
            // One allocation for a body that keeps its word, and no large one for a body that lies.
            let promised = declared.and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
            whole.reserve(promised.min(MAX_RESERVED).max(data.len()));
        }
        whole.extend_from_slice(&data);
    }
}

/// The next frame, if it comes in time.
async fn next(
    body: &mut Body,
    due: impl FnOnce() -> Instant,
) -> Result<Option<Result<Frame<Bytes>, axum::Error>>, Elapsed> {
    let mut frame = body.frame();
    // Most bodies come with their head; only one that is waited for needs a clock and a timer.
    match (&mut frame).now_or_never() {
        Some(frame) => Ok(frame),
        None => timeout_at(due(), frame).await,
    }
}

/// Whether what frames a body is no such thing; what breaks off is another error.
fn is_misframed(error: &axum::Error) -> bool {
    let chain = successors(Some(error as &(dyn Error + 'static)), |error| (*error).source());
    let mut kinds = chain.filter_map(|error| error.downcast_ref::<io::Error>()).map(io::Error::kind);
    kinds.any(|kind| matches!(kind, io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData))
}

/// What is wrong with how a body is announced: a gateway before this host may have read it otherwise.
pub(super) fn misannounced(uri: &Uri, headers: &HeaderMap) -> Option<Failure> {
    if headers.contains_key(CONTENT_ENCODING) {
        let detail = "request bodies are taken as they are; send no Content-Encoding";
        return Some(Failure::unsupported_media_type(detail));
    }
    let mut types = headers.get_all(CONTENT_TYPE).iter();
    let first = types.next();
    // At `/mcp` two of them are no media type that is taken.
    if types.any(|other| Some(other) != first) && page(uri) != Some("mcp") {
        let detail = "the request has Content-Type headers that differ; send one";
        return Some(Failure::new(StatusCode::BAD_REQUEST, Stage::SchemaValidation, "bad_content_type", detail));
    }
    let is_chunked = |coding: &HeaderValue| coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"chunked");
    if headers.get_all(TRANSFER_ENCODING).iter().all(is_chunked) {
        return None;
    }
    let detail = "of transfer codings only `chunked` is read; send the body as it is";
    Some(Failure::new(StatusCode::NOT_IMPLEMENTED, Stage::SchemaValidation, "unsupported_transfer_coding", detail))
}

/// The answer to a request that is refused by its head.
pub(super) async fn left(request: Request, answer: Response) -> Response {
    let (parts, body) = request.into_parts();
    leave(&parts.headers, body).await;
    answer
}

/// The body of a request that is let in, with what its head has led to.
pub(super) async fn kept_if<T>(
    let_in: Result<T, Failure>,
    headers: &HeaderMap,
    body: Body,
) -> Result<(T, Body), Failure> {
    match let_in {
        Ok(led) => Ok((led, body)),
        Err(failure) => {
            // What few requests need, all of them would carry.
            Box::pin(leave(headers, body)).await;
            Err(failure)
        }
    }
}

/// Leaves the body of a request that is refused by its head. A client that is still sending would meet a closed socket,
/// and never see why.
pub(super) async fn leave(headers: &HeaderMap, mut body: Body) {
    leave_rest(headers, &mut body).await;
}

async fn leave_rest(headers: &HeaderMap, body: &mut Body) {
    // Who asks before it sends has sent nothing, and would send all of it if this were read.
    if !body.is_end_stream() && !headers.contains_key(EXPECT) {
        linger(body).await;
    }
}

async fn linger(body: &mut Body) {
    // Whether it ends, fails or takes too long: the refusal goes out after it.
    let _ = timeout(LINGER, async { while let Some(Ok(_)) = body.frame().await {} }).await;
}

fn too_large((flag, cap): Cap) -> Failure {
    let detail = format!("the body is larger than the {cap} bytes that {flag} allows");
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, Stage::SchemaValidation, "body_too_large", detail)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    async fn read_chunks(chunks: Vec<usize>, pause: Duration, cap: usize) -> Result<usize, StatusCode> {
        let stream = futures_util::stream::unfold(chunks.into_iter(), move |mut chunks| async move {
            let size = chunks.next()?;
            tokio::time::sleep(pause).await;
            Some((Ok::<_, Infallible>(Bytes::from(vec![b'x'; size])), chunks))
        });
        let read = read(&Lifecycle::new(8), &HeaderMap::new(), Body::from_stream(stream), ("--max-body", cap)).await;
        read.map(|body| body.len()).map_err(|failure| failure.status())
    }

    #[tokio::test(start_paused = true)]
    async fn b61_counted_while_streaming() {
        assert_eq!(read_chunks(vec![5, 5], Duration::ZERO, 10).await, Ok(10));
        assert_eq!(read_chunks(vec![5, 5], Duration::ZERO, 11).await, Ok(10));
        assert_eq!(read_chunks(vec![5, 6], Duration::ZERO, 10).await, Err(StatusCode::PAYLOAD_TOO_LARGE));
        assert_eq!(read_chunks(vec![], Duration::ZERO, 0).await, Ok(0));
    }

    #[tokio::test(start_paused = true)]
    async fn b61_a_declared_length_is_enough_to_refuse() {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_LENGTH, 11.into());
        let failure = read(&Lifecycle::new(8), &headers, Body::from("short"), ("--max-body", 10)).await.unwrap_err();
        assert_eq!(failure.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }

    /// A head that came in time is answered, though its body did not.
    #[tokio::test(start_paused = true)]
    async fn who_is_still_sending_at_the_end_of_the_host_is_answered() {
        let life = Lifecycle::new(8);
        life.ready();
        let stop = async {
            tokio::time::sleep(Duration::from_secs(2)).await;
            life.drain();
            life.drained(Duration::from_secs(3), Duration::ZERO).await;
            Instant::now()
        };
        let (headers, began) = (HeaderMap::new(), Instant::now());
        let body = Body::from_stream(futures_util::stream::pending::<Result<Bytes, Infallible>>());
        let (read, stopped) = tokio::join!(read(&life, &headers, body, ("--max-body", 10)), stop);
        let failure = read.unwrap_err();
        assert_eq!((failure.status(), failure.error().kind()), (StatusCode::SERVICE_UNAVAILABLE, "draining"));
        assert_eq!(stopped - began, Duration::from_secs(2) + LINGER);
    }

    #[tokio::test(start_paused = true)]
    async fn t05_a_drip_is_cut_and_a_steady_body_is_not() {
        let drip = read_chunks(vec![1; 60], Duration::from_secs(1), 1 << 20).await;
        assert_eq!(drip, Err(StatusCode::REQUEST_TIMEOUT));
        let steady = read_chunks(vec![16 << 10; 60], Duration::from_secs(1), 1 << 20).await;
        assert_eq!(steady, Ok(60 * (16 << 10)));
    }
}
