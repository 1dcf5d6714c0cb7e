//! A request that can be sent any number of times.

use std::net::SocketAddr;

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;

use crate::Error;

/// An open connection.
pub type Connection = SendRequest<Full<Bytes>>;

/// What is sent with POST.
#[derive(Clone, Debug)]
pub struct Request {
    /// Where to.
    pub path: String,
    /// Header fields beside `Host`.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: Bytes,
}

impl Request {
    /// Sends it on an open connection, and gives the answer's body.
    pub async fn send(&self, connection: &mut Connection) -> Result<Bytes, Error> {
        let mut request = hyper::Request::post(&self.path).header("host", "127.0.0.1");
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        // The end of the last answer may be read before the connection has seen it.
        connection.ready().await?;
        let response = connection.send_request(request.body(Full::new(self.body.clone()))?).await?;
        let status = response.status();
        let body = response.into_body().collect().await?.to_bytes();
        if !status.is_success() {
            return Err(format!("{}: {status}: {}", self.path, String::from_utf8_lossy(&body)).into());
        }
        Ok(body)
    }

    /// Sends it once on a connection of its own.
    pub async fn send_once(&self, address: SocketAddr) -> Result<Bytes, Error> {
        self.send(&mut connect(address).await?).await
    }
}

/// Opens a connection and drives it in the background.
pub async fn connect(address: SocketAddr) -> Result<Connection, std::io::Error> {
    let stream = tokio::net::TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(std::io::Error::other)?;
    tokio::spawn(connection);
    Ok(sender)
}
