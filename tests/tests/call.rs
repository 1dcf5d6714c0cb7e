//! The call path from a declaration to a reply, as every face calls it.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use nodecast::call::{Instance, RawArguments, Reply, Stage};
use nodecast::catalog::{Catalog, Service};
use nodecast::prelude::*;

/// Counts its runs.
#[nodeset(
    name = "bench",
    parallelism = "replicated",
    nodes(Join, Add, Fail, Foreign, Broken, Panics, PanicsInThread, Hangs, Slow, Meets)
)]
#[derive(Default)]
struct Bench {
    runs: AtomicUsize,
    met: AtomicUsize,
    total: i64,
}

/// Joins a text to itself.
#[node(read_only)]
struct Join {
    text: String,
    count: Option<u8>,
    #[config(text, default = "-")]
    sep: String,
}

impl Node<Bench> for Join {
    type Output = String;
    type Error = Error;

    async fn run(self, set: &Bench, _: &Context) -> Result<String, Error> {
        set.runs.fetch_add(1, Ordering::Relaxed);
        Ok(vec![self.text; usize::from(self.count.unwrap_or(1))].join(&self.sep))
    }
}

#[node]
struct Add {
    #[port(name = "by")]
    amount: i64,
}

#[derive(Outputs)]
struct Total {
    total: i64,
    runs: u64,
}

impl NodeMut<Bench> for Add {
    type Output = Total;
    type Error = Error;

    async fn run(self, set: &mut Bench, _: &Context) -> Result<Total, Error> {
        let before = set.total;
        // Two that ran at once would lose one of the sums.
        tokio::task::yield_now().await;
        set.total = before + self.amount;
        Ok(Total { total: set.total, runs: set.runs.load(Ordering::Relaxed) as u64 })
    }
}

#[derive(Debug, thiserror::Error, NodeError)]
enum BenchError {
    /// The scene is not there yet.
    #[error("scene {0} is not loaded")]
    #[node_error(retryable)]
    NoSuchScene(u8),
}

#[node]
struct Fail {
    scene: u8,
}

impl BlockingNode<Bench> for Fail {
    type Output = ();
    type Error = BenchError;

    fn run(self, _: &Bench, _: &Context) -> Result<(), BenchError> {
        Err(BenchError::NoSuchScene(self.scene))
    }
}

#[node]
struct Foreign;

impl Node<Bench> for Foreign {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Bench, _: &Context) -> Result<(), Error> {
        Err(std::io::Error::other("db password=hunter2"))?
    }
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Digit {
    #[schemars(range(max = 9))]
    digit: u8,
}

#[node]
struct Broken;

impl Node<Bench> for Broken {
    type Output = One<Digit>;
    type Error = Error;

    async fn run(self, _: &Bench, _: &Context) -> Result<One<Digit>, Error> {
        Ok(One(Digit { digit: 10 }))
    }
}

#[node]
struct Panics;

impl NodeMut<Bench> for Panics {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &mut Bench, _: &Context) -> Result<(), Error> {
        panic!("secret")
    }
}

#[node]
struct PanicsInThread;

impl BlockingNode<Bench> for PanicsInThread {
    type Output = ();
    type Error = Error;

    fn run(self, _: &Bench, _: &Context) -> Result<(), Error> {
        panic!("secret {}", 7)
    }
}

#[node]
struct Hangs;

impl Node<Bench> for Hangs {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Bench, _: &Context) -> Result<(), Error> {
        std::future::pending().await
    }
}

/// Returns its tag after a while.
#[node]
struct Slow {
    #[config(text, default = "")]
    tag: String,
}

impl Node<Bench> for Slow {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Bench, _: &Context) -> Result<String, Error> {
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(self.tag)
    }
}

/// More calls than any machine has cores, or nearly any.
const CROWD: usize = 200;

/// Blocks until a crowd of its calls runs at once.
#[node]
struct Meets;

impl BlockingNode<Bench> for Meets {
    type Output = ();
    type Error = Error;

    fn run(self, set: &Bench, _: &Context) -> Result<(), Error> {
        set.met.fetch_add(1, Ordering::Relaxed);
        let begun = std::time::Instant::now();
        while set.met.load(Ordering::Relaxed) < CROWD {
            if begun.elapsed() > Duration::from_secs(5) {
                return Err(Error::new("alone", "the others do not run"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }
}

async fn bench() -> Service {
    let instance = Instance::<Bench>::start(Value::Null, &Context::default()).await.unwrap();
    Service::new(Arc::new(Catalog::of::<Bench>().unwrap()), Arc::new(instance)).unwrap()
}

fn entries<const N: usize>(entries: [(&str, Value); N]) -> Vec<(String, Value)> {
    entries.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

async fn flat<const N: usize>(service: &Service, node: &str, arguments: [(&str, Value); N]) -> Result<Reply, Error> {
    let name = format!("bench__{node}");
    service.call(&name, RawArguments::Flat(entries(arguments)), &Context::default()).await
}

fn runs(reply: &Reply) -> &Value {
    &reply.values()[1]
}

#[tokio::test]
async fn defaults_options_and_both_forms() {
    let service = bench().await;
    let reply = flat(&service, "join", [("text", "hi".into()), ("count", 2.into())]).await.unwrap();
    assert_eq!(reply.values(), [Value::from("hi-hi")]);
    let split =
        RawArguments::Split { inputs: entries([("text", "hi".into())]), config: entries([("sep", Value::Null)]) };
    let reply = service.call("bench__join", split, &Context::default()).await.unwrap();
    assert_eq!(reply.values(), [Value::from("hi")]);
}

/// `wire.md` 11 W5, faults B29, B30, B37, B38, T22.
#[tokio::test]
async fn w5_bad_arguments_are_refused_and_the_node_has_not_run() {
    let service = bench().await;
    for (arguments, kind, pointer) in [
        (entries([("txet", "hi".into())]), "unknown_field", "/txet"),
        (entries([]), "missing_field", "/text"),
        (entries([("text", "hi".into()), ("count", "x".into())]), "wrong_type", "/count"),
        (entries([("text", "hi".into()), ("count", 256.into())]), "out_of_range", "/count"),
        (entries([("text", Value::Null)]), "wrong_type", "/text"),
    ] {
        let refused =
            service.call("bench__join", RawArguments::Flat(arguments), &Context::default()).await.unwrap_err();
        assert_eq!((refused.stage(), refused.kind()), (Stage::SchemaValidation, kind), "{refused:?}");
        assert_eq!(refused.findings()[0].pointer, pointer, "{refused:?}");
    }
    let refused = flat(&service, "join", [("txet", "hi".into())]).await.unwrap_err();
    assert_eq!(refused.findings()[0].nearest.as_deref(), Some("text"));
    assert_eq!(refused.findings()[0].known, ["text", "count", "sep"]);
    assert_eq!(refused.findings().len(), 2, "all that is wrong, not the first alone: {refused:?}");

    let split = RawArguments::Split { inputs: entries([("sep", "+".into())]), config: Vec::new() };
    let refused = service.call("bench__join", split, &Context::default()).await.unwrap_err();
    assert_eq!(refused.findings()[0].pointer, "/inputs/sep");
    assert!(refused.message().contains("under `config`"), "{refused}");

    let reply = flat(&service, "add", [("by", 0.into())]).await.unwrap();
    assert_eq!(runs(&reply), &Value::from(0));
}

#[tokio::test]
async fn an_unknown_function_names_the_nearest() {
    let refused = flat(&bench().await, "jion", []).await.unwrap_err();
    assert_eq!(refused.kind(), "unknown_function");
    assert_eq!(refused.findings()[0].nearest.as_deref(), Some("bench__join"));
}

/// `wire.md` 11 W3: one call's configuration is its own.
#[tokio::test]
async fn w3_overlapping_calls_see_their_own_config() {
    let service = bench().await;
    let (a, b) =
        tokio::join!(flat(&service, "slow", [("tag", "A".into())]), flat(&service, "slow", [("tag", "B".into())]));
    assert_eq!((a.unwrap().values(), b.unwrap().values()), (&["A".into()][..], &["B".into()][..]));
}

#[tokio::test]
async fn a_node_that_changes_its_nodeset_runs_alone() {
    let service = bench().await;
    let calls = (0..50).map(|_| flat(&service, "add", [("by", 1.into())]));
    for call in futures_util::future::join_all(calls).await {
        call.unwrap();
    }
    let reply = flat(&service, "add", [("by", 0.into())]).await.unwrap();
    assert_eq!(reply.values()[0], Value::from(50));
}

/// `wire.md` 11 W6, fault B81: a declared error speaks, a foreign one is hidden.
#[tokio::test]
async fn b81_foreign_errors_do_not_reach_the_caller() {
    let service = bench().await;
    let failed = flat(&service, "fail", [("scene", 7.into())]).await.unwrap_err();
    assert_eq!((failed.stage(), failed.kind()), (Stage::AdapterExecution, "no_such_scene"));
    assert_eq!(failed.message(), "scene 7 is not loaded");
    assert!(failed.is_retryable());
    let failed = flat(&service, "foreign", []).await.unwrap_err();
    assert_eq!(failed.kind(), "node_failed");
    assert!(!failed.message().contains("hunter2"));
    assert!(failed.cause().unwrap().to_string().contains("hunter2"), "the log still learns of it");
}

/// Faults T20 and B39: a panic answers, hides its text, and leaves the nodeset usable.
#[tokio::test]
async fn t20_a_panic_answers_and_the_next_call_runs() {
    let service = bench().await;
    for node in ["panics", "panics_in_thread"] {
        let failed = flat(&service, node, []).await.unwrap_err();
        assert_eq!((failed.stage(), failed.kind()), (Stage::InternalRuntime, "panic"), "{node}");
        assert!(!failed.message().contains("secret"));
        assert!(flat(&service, "add", [("by", 1.into())]).await.is_ok(), "{node}");
    }
}

#[tokio::test(start_paused = true)]
async fn t20_a_deadline_ends_a_node_that_hangs() {
    let service = bench().await;
    let cx = Context::default().with_timeout(Duration::from_secs(30));
    let failed = service.call("bench__hangs", RawArguments::Flat(Vec::new()), &cx).await.unwrap_err();
    assert_eq!(failed.stage(), Stage::Timeout);
}

#[tokio::test]
async fn t21_a_cancelled_call_ends() {
    let service = bench().await;
    let cx = Context::default();
    let call = service.call("bench__hangs", RawArguments::Flat(Vec::new()), &cx);
    let cancel = async {
        tokio::task::yield_now().await;
        cx.cancellation().cancel();
    };
    let (ended, ()) = tokio::join!(call, cancel);
    assert_eq!(ended.unwrap_err().stage(), Stage::Cancelled);
}

#[tokio::test]
async fn an_output_that_breaks_its_declaration_is_the_nodes_failure() {
    let failed = flat(&bench().await, "broken", []).await.unwrap_err();
    assert_eq!(failed.stage(), Stage::AdapterExecution, "{failed:?}");
    assert_eq!((failed.kind(), &*failed.findings()[0].pointer), ("bad_output", "/outputs/result/digit"));
}

/// What is unpacked takes turns; nodes that block do not, since they may wait for one another.
#[tokio::test]
async fn blocking_nodes_run_all_at_once() {
    let service = Arc::new(bench().await);
    let call = || {
        let service = service.clone();
        tokio::spawn(async move { flat(&service, "meets", []).await.map(drop) })
    };
    let calls: Vec<_> = (0..CROWD).map(|_| call()).collect();
    for call in calls {
        call.await.unwrap().unwrap();
    }
}
