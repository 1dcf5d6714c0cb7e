//! The wire as a call meets it: what is sent to declared fields, and what comes back, in both regimes.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

mod bounds;
mod called;
mod differential;
mod golden;
mod numbers;
mod refusals;
mod types;

use nodecast::call::{Finding, Nodeset};
use nodecast::prelude::*;
use nodecast::wire::{Map, Regime};

const REGIMES: [Regime; 2] = [Regime::Json, Regime::Msgpack];

/// An object of these members.
fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Map::from_iter(members).into()
}

/// The one finding of a refusal.
fn only(error: &Error) -> Finding {
    let [finding] = error.findings() else { panic!("{error:?}") };
    finding.clone()
}

const JSON: &str = "application/json";
const MSGPACK: &str = "application/msgpack";

/// A host in this process.
struct Host {
    url: String,
    client: reqwest::Client,
}

impl Host {
    async fn start<S: Nodeset>() -> Self {
        let nodes = nodecast::Host::new().nodeset::<S>(()).into_router().await.unwrap();
        let url = nodecast_tests::serve(nodes).await;
        Self { url, client: nodecast_tests::http().build().unwrap() }
    }

    /// Status and body of the answer of a call.
    async fn call(&self, function: &str, media: &str, body: Vec<u8>) -> (u16, serde_json::Value) {
        let request = self.client.post(format!("{}/call/{function}", self.url)).header("content-type", media);
        let answer = request.body(body).send().await.unwrap();
        let status = answer.status().as_u16();
        let bytes = answer.bytes().await.unwrap();
        let answer = match media {
            JSON => serde_json::from_slice(&bytes).unwrap(),
            _ => rmp_serde::from_slice(&bytes).unwrap(),
        };
        (status, answer)
    }
}
