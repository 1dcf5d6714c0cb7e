//! The load: connections that each send the next call when the last is answered.

use std::error::Error;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::requests::{Request, connect};

/// How much is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    /// Connections, each with one call at a time.
    pub(crate) connections: usize,
    /// For how long.
    pub(crate) duration: Duration,
}

impl Load {
    /// Sends the request over and over; gives the number of answers.
    pub(crate) async fn run(self, address: SocketAddr, request: &Request) -> Result<u64, Box<dyn Error>> {
        let mut tasks = JoinSet::new();
        let end = Instant::now() + self.duration;
        for _ in 0..self.connections {
            let (mut connection, request) = (connect(address).await?, request.clone());
            tasks.spawn(async move {
                let mut calls = 0_u64;
                while Instant::now() < end {
                    request.send(&mut connection).await?;
                    calls += 1;
                }
                Ok::<_, Box<dyn Error + Send + Sync>>(calls)
            });
        }
        let mut calls = 0;
        while let Some(ended) = tasks.join_next().await {
            calls += ended?.map_err(|error| error.to_string())?;
        }
        Ok(calls)
    }
}
