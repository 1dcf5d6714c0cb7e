//! The executor: the graph engine that hosts us, asked for containers that it lends to calls and told of what goes wrong
//! (`wire.md` 6). A client of its own, a connection a request, so that a hung executor holds up nobody but who asks it.

use std::fmt::Write as _;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST};
use http::uri::{Authority, Scheme};
use http::{HeaderValue, Request, StatusCode, Uri};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::Error;
use crate::call::{BoxFuture, Broker, Operation, Stage, shown_up_to, unsaid};
use crate::wire::{self, Map, Value};

/// What is done to a container has so long.
const LONGEST: Duration = Duration::from_secs(30);
/// Answers are read up to here.
const MAX_ANSWER: usize = 256 << 20;
/// An answer that is ignored is read up to here and for so long, so that who answers in short is not cut off.
const IGNORED: usize = 64 << 10;
const LINGER: Duration = Duration::from_millis(50);
/// So many characters of an answer that is none are shown.
const SHOWN: usize = 100;

/// Where an executor listens.
#[derive(Clone, Debug)]
pub(super) struct Executor {
    authority: Authority,
    port: u16,
    host: HeaderValue,
    /// The path before `/api/…`, without a slash at its end.
    base: String,
}

/// Whether the body of an answer says something.
#[derive(Clone, Copy, Debug)]
enum Answer {
    /// It is what was asked for.
    Wanted,
    /// The status says all.
    Ignored,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Silent {
    /// There is no connection, or it broke off.
    #[error("the executor cannot be reached: {0}")]
    Broken(Box<dyn std::error::Error + Send + Sync>),
    /// It took too long.
    #[error("the executor did not answer in time")]
    Late,
}

impl Executor {
    /// Reads `http://HOST[:PORT][/PATH]`.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let expected = || format!("`{url}` is no address of an executor; write one such as http://127.0.0.1:8000");
        let uri: Uri = url.trim().parse().map_err(|_| expected())?;
        let authority = uri.authority().filter(|authority| !authority.as_str().contains('@')).ok_or_else(expected)?;
        if uri.scheme() != Some(&Scheme::HTTP) || uri.query().is_some() {
            return Err(expected());
        }
        let port = match authority.as_str().strip_prefix(authority.host()).and_then(|port| port.strip_prefix(':')) {
            None => 80,
            // What no peer can listen on would be taken for none.
            Some(text) => {
                let port = if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().unwrap_or(0) } else { 0 };
                if port == 0 {
                    return Err(format!(
                        "`{url}` is no address of an executor: `{text}` is no port; expected one from 1 to 65535"
                    ));
                }
                port
            }
        };
        let host = HeaderValue::from_str(authority.as_str()).map_err(|_| expected())?;
        Ok(Self { authority: authority.clone(), port, host, base: uri.path().trim_end_matches('/').to_owned() })
    }

    /// Sends a body, and gives the status and the body of the answer.
    async fn post(
        &self,
        path: &str,
        media: HeaderValue,
        body: Vec<u8>,
        limit: Duration,
    ) -> Result<(StatusCode, Bytes), Silent> {
        timeout(limit, self.exchange(path, media, body, Answer::Wanted)).await.unwrap_or(Err(Silent::Late))
    }

    /// Sends a body, and gives the status of the answer, of which nothing else is waited for.
    pub(super) async fn tell(
        &self,
        path: &str,
        media: HeaderValue,
        body: Vec<u8>,
        limit: Duration,
    ) -> Result<StatusCode, Silent> {
        let told = timeout(limit, self.exchange(path, media, body, Answer::Ignored)).await;
        told.unwrap_or(Err(Silent::Late)).map(|(status, _)| status)
    }

    async fn exchange(
        &self,
        path: &str,
        media: HeaderValue,
        body: Vec<u8>,
        wanted: Answer,
    ) -> Result<(StatusCode, Bytes), Silent> {
        let name = self.authority.host().trim_matches(['[', ']']);
        let stream = TcpStream::connect((name, self.port)).await.map_err(broken)?;
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(broken)?;
        let mut request =
            Request::post(format!("{}{path}", self.base)).body(Full::<Bytes>::from(body)).map_err(broken)?;
        request.headers_mut().insert(HOST, self.host.clone());
        request.headers_mut().insert(CONTENT_TYPE, media);
        let asked = async {
            let answer = sender.send_request(request).await.map_err(broken)?;
            let status = answer.status();
            let body = match wanted {
                Answer::Wanted => {
                    let whole = Limited::new(answer.into_body(), MAX_ANSWER).collect().await;
                    whole.map_err(Silent::Broken)?.to_bytes()
                }
                Answer::Ignored => {
                    let _ = timeout(LINGER, Limited::new(answer.into_body(), IGNORED).collect()).await;
                    Bytes::new()
                }
            };
            Ok((status, body))
        };
        // The connection lives as long as its one request, whose answer says more than its end.
        let mut connection = std::pin::pin!(connection);
        let mut asked = std::pin::pin!(asked);
        tokio::select! {
            answer = &mut asked => answer,
            ended = &mut connection => match ended {
                Ok(()) => asked.await,
                Err(error) => Err(broken(error)),
            },
        }
    }

    async fn ask(&self, execution: &str, container: &str, what: Operation) -> Result<Value, Error> {
        let (verb, mut body) = match what {
            Operation::Read { state, key } => ("read", named(state, key)),
            Operation::Write { state, data, key } => {
                let mut body = named(state, key);
                body.push("data", data);
                ("write", body)
            }
            Operation::Evict { key } => ("evict", [("key", Value::from(key))].into_iter().collect()),
        };
        body.push("execution_id", execution);
        let path = format!("/api/internal/containers/{}/{}/{verb}", segment(execution), segment(container));
        let body = wire::msgpack::encode(&body.into()).map_err(unsaid)?;
        let media = HeaderValue::from_static("application/msgpack");
        let (status, answer) = self.post(&path, media, body, LONGEST).await.map_err(|silent| {
            let kind = match silent {
                Silent::Broken(_) => "executor_unreachable",
                Silent::Late => "executor_timeout",
            };
            failed(kind, format!("the container `{container}` is lent by the executor, which does not answer"))
                .retryable()
                .because(silent)
        })?;
        if !status.is_success() {
            return Err(refused(status, container, verb));
        }
        read(verb, status, &answer).map_err(|said| {
            let lacks = if verb == "read" { "gave no value" } else { "did not say that it is done" };
            let asked = format!("asked to {verb} the container `{container}`");
            failed("executor_answer", format!("{asked}, the executor {lacks}; it answered {said}"))
        })
    }
}

/// What an answer says, which is the value for a read; else what was answered, in short.
fn read(verb: &str, status: StatusCode, answer: &Bytes) -> Result<Value, String> {
    let with_status = |said: &dyn std::fmt::Display| format!("{} with {said}", status.as_u16());
    if answer.is_empty() {
        return Err(with_status(&"nothing"));
    }
    // In msgpack this byte is a number, which is no answer.
    let is_json = answer.trim_ascii_start().first() == Some(&b'{');
    let decoded = if is_json { wire::json::decode(answer) } else { wire::msgpack::decode_shared(answer) };
    let Ok(decoded) = decoded else {
        let start = answer.get(..SHOWN * 4).unwrap_or(answer);
        let start = String::from_utf8_lossy(start);
        return Err(with_status(&format_args!("`{}`, no msgpack and no JSON", shown_up_to(&start, SHOWN))));
    };
    let said = with_status(&format_args!("`{}`", wire::shown_as_json(&decoded, SHOWN)));
    match decoded {
        Value::Map(mut answer) if verb == "read" => answer.remove("value").ok_or(said),
        Value::Map(answer) if matches!(answer.get("ok"), Some(Value::Bool(true))) => Ok(Value::Null),
        _ => Err(said),
    }
}

impl Broker for Executor {
    fn ask<'a>(
        &'a self,
        execution: &'a str,
        container: &'a str,
        what: Operation,
    ) -> BoxFuture<'a, Result<Value, Error>> {
        Box::pin(self.ask(execution, container, what))
    }
}

fn named(state: String, key: Option<String>) -> Map {
    let mut body: Map = [("name", Value::from(state))].into_iter().collect();
    if let Some(key) = key {
        body.push("key", key);
    }
    body
}

fn failed(kind: &'static str, detail: String) -> Error {
    Error::at(Stage::ExternalService, kind, detail)
}

fn refused(status: StatusCode, container: &str, verb: &str) -> Error {
    let detail = format!("the executor refused to {verb} the container `{container}`, with status {}", status.as_u16());
    match status {
        StatusCode::NOT_FOUND => failed("container_not_found", detail),
        StatusCode::CONFLICT => failed("container_conflict", detail).retryable(),
        StatusCode::BAD_REQUEST => failed("container_refused", detail),
        _ => failed("executor_failed", detail),
    }
}

/// A text as one segment of a path.
fn segment(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(byte.into());
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Silent {
    Silent::Broken(Box::new(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_executors() {
        let executor = Executor::parse("http://localhost:8000/base/").unwrap();
        assert_eq!((executor.authority.as_str(), executor.base.as_str()), ("localhost:8000", "/base"));
        assert_eq!((executor.port, Executor::parse("http://a/base").unwrap().port), (8000, 80));
        let by_address = Executor::parse("http://[::1]:81").unwrap();
        assert_eq!((by_address.base.as_str(), by_address.port), ("", 81));
        for port in ["99999", "0", "many", "-1", "+1"] {
            assert!(Executor::parse(&format!("http://127.0.0.1:{port}/x")).is_err(), "{port}");
        }
        assert!(Executor::parse("http://a:99999").unwrap_err().contains("from 1 to 65535"));
        for wrong in ["localhost:8000", "https://a", "http://u:p@a", "http://a/?q", "", "ftp://a"] {
            assert!(Executor::parse(wrong).unwrap_err().contains("http://127.0.0.1:8000"), "{wrong}");
        }
    }

    #[test]
    fn what_was_not_done_is_no_success() {
        let says = |verb: &str, answer: &[u8]| read(verb, StatusCode::OK, &Bytes::copy_from_slice(answer));
        assert_eq!(says("write", b"\x81\xa2ok\xc3"), Ok(Value::Null));
        assert_eq!(says("read", b"\x81\xa5value\x07"), Ok(Value::from(7_i64)));
        assert_eq!(says("write", b"\x81\xa2ok\xc2").unwrap_err(), "200 with `{\"ok\":false}`");
        assert_eq!(says("evict", b"").unwrap_err(), "200 with nothing");
        assert_eq!(says("write", b"\n {\"ok\":true}\n"), Ok(Value::Null));
        assert_eq!(says("read", br#"{"value":[7]}"#), Ok(vec![Value::from(7_i64)].into()));
        assert_eq!(says("evict", br#"{"ok":1}"#).unwrap_err(), "200 with `{\"ok\":1}`");
        assert_eq!(says("write", b"<html>").unwrap_err(), "200 with `<html>`, no msgpack and no JSON");
        assert_eq!(says("read", b"\x80").unwrap_err(), "200 with `{}`");
    }

    #[test]
    fn ids_are_one_segment_each() {
        assert_eq!(segment("a/b ü?~"), "a%2Fb%20%C3%BC%3F~");
    }
}
