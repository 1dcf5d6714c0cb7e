//! The requests, written once, and the check that every side answers them alike.

use std::net::SocketAddr;

use bench_harness::{Error, Request};
use bytes::Bytes;
use nodecast::Image;
use nodecast::wire::{self, Map, Value};
use serde_json::{Value as Json, json};

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Body {
    /// JSON.
    Json,
    /// msgpack.
    Msgpack,
}

impl Body {
    /// As shown.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Msgpack => "msgpack",
        }
    }
}

/// A request with the answer that it must get.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// What is sent.
    pub(crate) request: Request,
    expected: Bytes,
}

impl Check {
    /// The echo of four small arguments.
    pub(crate) fn echo(body: Body) -> Result<Self, Error> {
        let arguments = json!({
            "text": "the quick brown fox jumps over the lazy dog", "count": 7, "factor": 0.25,
            "words": ["one", "two", "three", "four"],
        });
        let write = |key: &str| -> Result<Bytes, Error> {
            let whole = json!({ key: arguments });
            Ok(match body {
                Body::Json => serde_json::to_vec(&whole)?.into(),
                Body::Msgpack => rmp_serde::to_vec_named(&whole)?.into(),
            })
        };
        let content_type = match body {
            Body::Json => "application/json",
            Body::Msgpack => "application/msgpack",
        };
        Ok(Self { request: post("/call/echo__echo", content_type, write("inputs")?), expected: write("outputs")? })
    }

    /// A picture of about two megabytes, in msgpack.
    pub(crate) fn picture() -> Result<Self, Error> {
        const SIDE: usize = 820;
        let pixels: Vec<u8> = (0..SIDE * SIDE * 3).map(|at| u8::try_from(at % 251).unwrap_or(0)).collect();
        let picture = Image::rgb8(u32::try_from(SIDE)?, u32::try_from(SIDE)?, pixels)?;
        let whole = |key: &str, port: &str| {
            let ports: Map = [(port, Value::from(picture.clone()))].into_iter().collect();
            let whole: Map = [(key, Value::Map(ports))].into_iter().collect();
            wire::msgpack::encode(&Value::Map(whole)).map(Bytes::from)
        };
        let (body, expected) = (whole("inputs", "image")?, whole("outputs", "result")?);
        Ok(Self { request: post("/call/echo__picture", "application/msgpack", body), expected })
    }

    /// Sends it once; the answer must be the expected one, to the byte.
    pub(crate) async fn run(&self, address: SocketAddr) -> Result<(), Error> {
        if self.request.send_once(address).await? == self.expected {
            return Ok(());
        }
        Err(format!("{} at {address} gives another answer than expected", self.request.path).into())
    }
}

fn post(path: &str, content_type: &str, body: Bytes) -> Request {
    Request { path: path.to_owned(), headers: vec![("content-type", content_type.to_owned())], body }
}

/// How many bytes our server ever allocated.
pub(crate) async fn allocated(address: SocketAddr) -> Result<f64, Error> {
    let request = post("/call/echo__allocated", "application/json", Bytes::new());
    let answer = request.send_once(address).await?;
    let answer: Json = serde_json::from_slice(&answer)?;
    answer.pointer("/outputs/result").and_then(Json::as_f64).ok_or_else(|| "no count of bytes".into())
}
