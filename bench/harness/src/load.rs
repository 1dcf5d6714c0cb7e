//! The load: connections that each send the next call when the last is answered.

use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use crate::{Error, Figure, Request, Server, connect};

/// How much is sent.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Connections, each with one call at a time.
    pub connections: usize,
    /// For how long.
    pub duration: Duration,
}

impl Load {
    /// Sends the request over and over, and says what that cost the server.
    pub async fn measure(self, server: &Server, request: &Request) -> Result<Figure, Error> {
        let before = server.cpu()?;
        let latencies = self.run(server, request).await?;
        let cpu = server.cpu()?.saturating_sub(before);
        Figure::of(latencies, self.duration, cpu)
    }

    /// How long each answer took.
    async fn run(self, server: &Server, request: &Request) -> Result<Vec<Duration>, Error> {
        let mut tasks = JoinSet::new();
        let end = Instant::now() + self.duration;
        for _ in 0..self.connections {
            let (mut connection, request) = (connect(server.address).await?, request.clone());
            tasks.spawn(async move {
                let mut latencies = Vec::new();
                let mut sent = Instant::now();
                while sent < end {
                    request.send(&mut connection).await?;
                    let answered = Instant::now();
                    latencies.push(answered - sent);
                    sent = answered;
                }
                Ok::<_, Error>(latencies)
            });
        }
        let mut latencies = Vec::new();
        while let Some(ended) = tasks.join_next().await {
            latencies.append(&mut ended??);
        }
        Ok(latencies)
    }
}
