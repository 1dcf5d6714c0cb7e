//! How nodes end that do not end well: panics where they let go, and threads that nobody waits for (faults T20, T21).

#![allow(clippy::unwrap_used, reason = "a test ends where something is not as it should be")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nodecast::call::{RawArguments, Stage};
use nodecast::prelude::*;
use nodecast::testing::Client;
use serde_json::json;
use tokio::time::timeout;

/// Ends badly.
#[nodeset(name = "bad", nodes(AtTheEnd, BlocksOn, Watches, Told))]
#[derive(Default)]
struct Bad {
    told: AtomicU64,
}

struct PanicsWhenDropped;

impl Drop for PanicsWhenDropped {
    fn drop(&mut self) {
        // A second panic would end the process, which no server can help.
        assert!(std::thread::panicking(), "secret");
    }
}

/// Panics when it lets go of what it holds: at its end, or when it is cancelled.
#[node]
struct AtTheEnd {
    #[config(toggle, default = false)]
    hangs: bool,
}

impl Node<Bad> for AtTheEnd {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Bad, _: &Context) -> Result<(), Error> {
        let _held = PanicsWhenDropped;
        if self.hangs {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

/// Blocks a worker on a future, which tokio answers with a panic.
#[node]
struct BlocksOn;

impl Node<Bad> for BlocksOn {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Bad, _: &Context) -> Result<(), Error> {
        tokio::runtime::Handle::current().block_on(async {});
        Ok(())
    }
}

/// Says so when it learns that nobody waits any more.
#[node]
struct Watches;

impl BlockingNode<Bad> for Watches {
    type Output = ();
    type Error = Error;

    fn run(self, set: &Bad, cx: &Context) -> Result<(), Error> {
        while !cx.is_cancelled() {
            std::thread::sleep(Duration::from_millis(1));
        }
        set.told.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }
}

/// How many threads have learnt it.
#[node]
struct Told;

impl Node<Bad> for Told {
    type Output = u64;
    type Error = Error;

    async fn run(self, set: &Bad, _: &Context) -> Result<u64, Error> {
        Ok(set.told.load(Ordering::Relaxed))
    }
}

#[tokio::test]
async fn t20_a_panic_in_drop_and_a_blocked_worker_are_panics_like_any_other() {
    let client = Client::<Bad>::start(()).await.unwrap();
    for node in ["at_the_end", "blocks_on"] {
        let failed = client.call(node, json!({})).await.unwrap_err();
        assert_eq!((failed.stage(), failed.kind()), (Stage::InternalRuntime, "panic"), "{node}");
        assert!(!failed.message().contains("secret"));
        assert!(client.call("told", json!({})).await.is_ok(), "{node}");
    }
}

#[tokio::test(start_paused = true)]
async fn t20_a_panic_while_it_is_dropped_changes_no_answer() {
    let client = Client::<Bad>::start(()).await.unwrap();
    let hangs = || RawArguments::Flat(vec![("hangs".to_owned(), true.into())]);
    let cx = Context::default().with_timeout(Duration::from_millis(10));
    let late = client.service().call("bad__at_the_end", hangs(), &cx).await.unwrap_err();
    assert_eq!(late.stage(), Stage::Timeout);
    let cx = Context::default();
    let gone = timeout(Duration::from_millis(10), client.service().call("bad__at_the_end", hangs(), &cx)).await;
    assert!(gone.is_err());
    assert!(client.call("told", json!({})).await.is_ok());
}

/// A thread that works for a call learns that nobody waits for it any more.
#[tokio::test]
async fn t21_a_blocking_node_learns_that_nobody_waits() {
    let client = Client::<Bad>::start(()).await.unwrap();
    let gone = timeout(Duration::from_millis(20), client.call("watches", json!({}))).await;
    assert!(gone.is_err());
    let told = async {
        while client.call("told", json!({})).await.unwrap() != json!({ "result": 1 }) {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    timeout(Duration::from_secs(10), told).await.unwrap();
}
