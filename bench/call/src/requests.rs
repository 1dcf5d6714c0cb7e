//! The requests, written once, and the check that every side answers them alike.

use std::error::Error;
use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
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

/// A request that can be sent any number of times.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    path: &'static str,
    content_type: &'static str,
    /// What is sent.
    pub(crate) body: Bytes,
    expected: Bytes,
}

/// An open connection.
pub(crate) type Connection = SendRequest<Full<Bytes>>;

impl Request {
    /// The echo of four small arguments.
    pub(crate) fn echo(body: Body) -> Result<Self, Box<dyn Error>> {
        let arguments = json!({
            "text": "the quick brown fox jumps over the lazy dog", "count": 7, "factor": 0.25,
            "words": ["one", "two", "three", "four"],
        });
        let write = |key: &str| -> Result<Bytes, Box<dyn Error>> {
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
        Ok(Self { path: "/call/echo__echo", content_type, body: write("inputs")?, expected: write("outputs")? })
    }

    /// A picture of about two megabytes, in msgpack.
    pub(crate) fn picture() -> Result<Self, Box<dyn Error>> {
        const SIDE: usize = 820;
        let pixels: Vec<u8> = (0..SIDE * SIDE * 3).map(|at| u8::try_from(at % 251).unwrap_or(0)).collect();
        let picture = Image::rgb8(u32::try_from(SIDE)?, u32::try_from(SIDE)?, pixels)?;
        let whole = |key: &str, port: &str| {
            let ports: Map = [(port, Value::from(picture.clone()))].into_iter().collect();
            let whole: Map = [(key, Value::Map(ports))].into_iter().collect();
            wire::msgpack::encode(&Value::Map(whole)).map(Bytes::from)
        };
        let (body, expected) = (whole("inputs", "image")?, whole("outputs", "result")?);
        Ok(Self { path: "/call/echo__picture", content_type: "application/msgpack", body, expected })
    }

    /// Sends it on an open connection, and gives the answer's body.
    pub(crate) async fn send(&self, connection: &mut Connection) -> Result<Bytes, Box<dyn Error + Send + Sync>> {
        let request = hyper::Request::post(self.path)
            .header("host", "127.0.0.1")
            .header("content-type", self.content_type)
            .body(Full::new(self.body.clone()))?;
        let response = connection.send_request(request).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            return Err(format!("{}: {status}: {}", self.path, String::from_utf8_lossy(&body)).into());
        }
        Ok(body)
    }

    /// Sends it once; the answer must be the expected one, to the byte.
    pub(crate) async fn check(&self, address: SocketAddr) -> Result<(), Box<dyn Error>> {
        let answer = self.send(&mut connect(address).await?).await.map_err(|error| error.to_string())?;
        if answer == self.expected {
            return Ok(());
        }
        Err(format!("{} at {address} gives another answer than expected", self.path).into())
    }
}

/// Opens a connection and drives it in the background.
pub(crate) async fn connect(address: SocketAddr) -> Result<Connection, std::io::Error> {
    let stream = tokio::net::TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(std::io::Error::other)?;
    tokio::spawn(connection);
    Ok(sender)
}

/// How many bytes our server ever allocated.
pub(crate) async fn allocated(address: SocketAddr) -> Result<f64, Box<dyn Error>> {
    let request = Request {
        path: "/call/echo__allocated",
        content_type: "application/json",
        body: Bytes::new(),
        expected: Bytes::new(),
    };
    let answer = request.send(&mut connect(address).await?).await.map_err(|error| error.to_string())?;
    let answer: Json = serde_json::from_slice(&answer)?;
    answer.pointer("/outputs/result").and_then(Json::as_f64).ok_or_else(|| "no count of bytes".into())
}
