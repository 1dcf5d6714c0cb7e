//! How spans go to a collector: plain HTTP, in a runtime of their own, so that nodes which block the workers of the
//! host, or its end, do not hold them up.

use std::pin::Pin;
use std::time::Duration;

use opentelemetry_http::hyper::HyperClient;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};

/// A client for the exporter's own thread, which it blocks.
#[derive(Debug)]
pub(super) struct Plain {
    timeout: Duration,
}

impl Plain {
    pub(super) fn new(timeout: Duration) -> Self {
        Self { timeout }
    }

    fn exchange(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        // Made anew with the runtime that its connections live in; one request in five seconds gains nothing by keeping
        // either.
        let client = HyperClient::with_default_connector(self.timeout, None);
        let answer = runtime.block_on(client.send_bytes(request));
        // Without waiting for the system's answer to a name that nobody asks for any more.
        runtime.shutdown_background();
        answer
    }
}

impl HttpClient for Plain {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move { self.exchange(request) })
    }
}
