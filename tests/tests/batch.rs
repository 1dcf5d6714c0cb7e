//! Batched nodes: who shares a run, when it begins, and what happens to its members (`wire.md` 7).

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test ends where something is not as it should be"
)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use futures_util::future::join_all;
use nodecast::call::{LogLevel, RawArguments, Stage};
use nodecast::prelude::*;
use nodecast::testing::Client;
use serde_json::{Value as Json, json};
use tokio::time::{Instant, sleep};

/// Gathers calls, and remembers the runs.
#[nodeset(name = "batches", nodes(Square, Short, Shaky, Endless, Told, Seen, Wide))]
#[derive(Default)]
struct Batches {
    runs: Arc<Runs>,
}

/// What a test looks at afterwards.
#[derive(Debug, Default)]
struct Runs {
    members: Mutex<Vec<Vec<i64>>>,
    busy: AtomicUsize,
    cut: AtomicUsize,
}

impl Runs {
    fn members(&self) -> MutexGuard<'_, Vec<Vec<i64>>> {
        self.members.lock().unwrap()
    }
}

/// Squares a number, five milliseconds a run.
#[node(read_only)]
struct Square {
    x: i64,
    #[config(number, default = 1.0)]
    factor: f64,
}

impl BatchNode<Batches> for Square {
    type Output = i64;
    type Error = Error;

    async fn run(batch: Vec<Self>, set: &Batches, _: &Context) -> Vec<Result<i64, Error>> {
        set.runs.members().push(batch.iter().map(|one| one.x).collect());
        assert_eq!(set.runs.busy.fetch_add(1, Ordering::SeqCst), 0, "one run at a time");
        sleep(Duration::from_millis(5)).await;
        set.runs.busy.fetch_sub(1, Ordering::SeqCst);
        batch
            .into_iter()
            .map(|one| match one.x {
                13 => Err(Error::new("unlucky", "no thirteen")),
                _ if one.factor.is_nan() => Ok(0),
                x => Ok(x * x),
            })
            .collect()
    }
}

/// Forgets one of its members.
#[node]
struct Short {
    x: i64,
}

impl BatchNode<Batches> for Short {
    type Output = i64;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Batches, _: &Context) -> Vec<Result<i64, Error>> {
        batch.into_iter().skip(1).map(|one| Ok(one.x)).collect()
    }
}

/// Panics where a member is negative.
#[node]
struct Shaky {
    x: i64,
}

impl BatchNode<Batches> for Shaky {
    type Output = i64;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Batches, _: &Context) -> Vec<Result<i64, Error>> {
        assert!(batch.iter().all(|one| one.x >= 0), "secret");
        batch.into_iter().map(|one| Ok(one.x)).collect()
    }
}

/// Never ends, and counts when it is cut.
#[node]
struct Endless;

struct Cut(Arc<Runs>);

impl Drop for Cut {
    fn drop(&mut self) {
        self.0.cut.fetch_add(1, Ordering::SeqCst);
    }
}

impl BatchNode<Batches> for Endless {
    type Output = ();
    type Error = Error;

    async fn run(_: Vec<Self>, set: &Batches, _: &Context) -> Vec<Result<(), Error>> {
        let _cut = Cut(set.runs.clone());
        set.runs.busy.fetch_add(1, Ordering::SeqCst);
        std::future::pending().await
    }
}

/// Says what it is told about the run.
#[node]
struct Told;

#[derive(Outputs)]
struct Heard {
    members: u32,
    face: String,
    has_deadline: bool,
}

impl BatchNode<Batches> for Told {
    type Output = Heard;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Batches, cx: &Context) -> Vec<Result<Heard, Error>> {
        cx.log(LogLevel::Info, "running");
        let members = u32::try_from(batch.len()).unwrap();
        let heard = || Heard { members, face: cx.caller().face.to_owned(), has_deadline: cx.deadline().is_some() };
        batch.iter().map(|_| Ok(heard())).collect()
    }
}

/// Says how many batches of it run beside it.
#[node(batched(max = 1, concurrency = 3))]
struct Wide;

impl BatchNode<Batches> for Wide {
    type Output = u64;
    type Error = Error;

    async fn run(batch: Vec<Self>, set: &Batches, _: &Context) -> Vec<Result<u64, Error>> {
        let beside = set.runs.busy.fetch_add(1, Ordering::SeqCst) as u64;
        sleep(Duration::from_millis(5)).await;
        set.runs.busy.fetch_sub(1, Ordering::SeqCst);
        batch.iter().map(|_| Ok(beside)).collect()
    }
}

/// What has run so far.
#[node(read_only)]
struct Seen;

#[derive(Outputs)]
struct Run {
    members: Vec<Vec<i64>>,
    busy: u64,
    cut: u64,
}

impl Node<Batches> for Seen {
    type Output = Run;
    type Error = Error;

    async fn run(self, set: &Batches, _: &Context) -> Result<Run, Error> {
        let count = |count: &AtomicUsize| count.load(Ordering::SeqCst) as u64;
        Ok(Run { members: set.runs.members().clone(), busy: count(&set.runs.busy), cut: count(&set.runs.cut) })
    }
}

async fn batches() -> Client<Batches> {
    Client::start(()).await.unwrap()
}

async fn seen(client: &Client<Batches>) -> Json {
    client.call("seen", json!({})).await.unwrap()
}

async fn sizes(client: &Client<Batches>) -> Vec<usize> {
    seen(client).await["members"].as_array().unwrap().iter().map(|run| run.as_array().unwrap().len()).collect()
}

async fn square(client: &Client<Batches>, x: i64) -> Result<i64, Error> {
    Ok(client.call("square", json!({ "x": x })).await?["result"].as_i64().unwrap())
}

/// Calls after a pause; the answer, and how long it took.
async fn square_at(client: &Client<Batches>, ms: u64, x: i64) -> (Result<i64, Error>, Duration) {
    sleep(Duration::from_millis(ms)).await;
    let began = Instant::now();
    let answer = square(client, x).await;
    (answer, began.elapsed())
}

#[tokio::test(start_paused = true)]
async fn w9_a_hundred_batched_callers() {
    let client = batches().await;
    let began = Instant::now();
    let answers = join_all((0..100).map(|x| square(&client, x + 100))).await;
    for (x, answer) in (100..).zip(answers) {
        assert_eq!(answer.unwrap(), x * x);
    }
    // Full batches do not wait; the last one opened at once and closed after 10 ms, when it was its turn (3 × 5 ms).
    assert_eq!(sizes(&client).await, [32, 32, 32, 4]);
    assert_eq!(began.elapsed(), Duration::from_millis(20));
}

#[tokio::test(start_paused = true)]
async fn w9_a_batch_closes_so_long_after_its_first_member() {
    let client = batches().await;
    let calls = [(0, 1), (6, 2), (9, 3), (11, 4), (22, 5)].map(|(ms, x)| square_at(&client, ms, x));
    let waited: Vec<_> = join_all(calls).await.into_iter().map(|(_, waited)| waited.as_millis()).collect();
    assert_eq!(seen(&client).await["members"], json!([[1, 2, 3], [4], [5]]));
    // Ten to gather, five to run; later members wait less.
    assert_eq!(waited, [15, 9, 6, 15, 15]);
}

#[tokio::test(start_paused = true)]
async fn w9_nobody_waits_longer_than_the_gathering_and_the_run() {
    let client = batches().await;
    for (answer, waited) in join_all((0..200).map(|at| square_at(&client, at * 2, 1))).await {
        assert_eq!(answer.unwrap(), 1);
        assert!(waited <= Duration::from_millis(10 + 5), "{waited:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_batch_waits_for_its_turn_and_takes_nobody_meanwhile() {
    let client = batches().await;
    // Full at once, so five runs follow each other; the node itself asserts that they do not overlap.
    let full = join_all((0..160).map(|_| square(&client, 2)));
    let late = join_all([square_at(&client, 1, 3), square_at(&client, 12, 4)]);
    let (_, late) = tokio::join!(full, late);
    assert_eq!(sizes(&client).await, [32, 32, 32, 32, 32, 1, 1]);
    let waited: Vec<_> = late.iter().map(|(_, waited)| waited.as_millis()).collect();
    assert_eq!(waited, [29, 23]);
}

#[tokio::test(start_paused = true)]
async fn as_many_batches_run_at_once_as_the_node_says() {
    let client = batches().await;
    let began = Instant::now();
    let calls = join_all((0..6).map(|_| client.call("wide", json!({})))).await;
    let beside = calls.into_iter().map(|answer| answer.unwrap()["result"].as_u64().unwrap());
    // Two rounds of three, 5 ms each.
    assert_eq!(beside.max(), Some(2));
    assert_eq!(began.elapsed(), Duration::from_millis(10));
}

#[tokio::test(start_paused = true)]
async fn calls_of_equal_config_share_a_run() {
    let client = batches().await;
    let call = |x: i64, factor: Json| client.call("square", json!({ "x": x, "factor": factor }));
    let calls = [call(1, json!(1)), call(2, json!(2)), call(3, json!(1.0)), call(4, json!(2)), call(5, json!(1e0))];
    join_all(calls).await.into_iter().for_each(|answer| drop(answer.unwrap()));
    // A default is a config too.
    let (left_out, said) = tokio::join!(square(&client, 6), call(7, json!(1.0)));
    assert_eq!((left_out.unwrap(), said.unwrap()["result"].clone()), (36, json!(49)));
    assert_eq!(seen(&client).await["members"], json!([[1, 3, 5], [2, 4], [6, 7]]));
}

#[tokio::test(start_paused = true)]
async fn a_config_without_a_canonical_form_runs_alone() {
    let client = batches().await;
    let call = |x: i64| {
        let arguments: nodecast::wire::Map = [("x", Value::from(x)), ("factor", f64::NAN.into())].into_iter().collect();
        client.call_with("square", arguments, nodecast::wire::Regime::Msgpack)
    };
    let (one, two) = tokio::join!(call(1), call(2));
    assert!(one.is_ok() && two.is_ok());
    assert_eq!(sizes(&client).await, [1, 1]);
}

#[tokio::test(start_paused = true)]
async fn a_bad_member_fails_alone() {
    let client = batches().await;
    let began = Instant::now();
    let bad = async {
        let refused = client.call("square", json!({ "x": "many" })).await.unwrap_err();
        assert_eq!((refused.kind(), began.elapsed()), ("wrong_type", Duration::ZERO), "refused before it joins");
    };
    let (good, unlucky, ()) = tokio::join!(square(&client, 3), square(&client, 13), bad);
    assert_eq!(good.unwrap(), 9);
    assert_eq!(unlucky.unwrap_err().kind(), "unlucky");
    assert_eq!(sizes(&client).await, [2]);
}

#[tokio::test(start_paused = true)]
async fn who_leaves_is_not_run() {
    let client = batches().await;
    let (cancelled, expired) = (Context::default(), Context::default().with_timeout(Duration::from_millis(5)));
    let call = |x: i64, cx: Context| {
        let arguments = RawArguments::Flat(vec![("x".to_owned(), x.into())]);
        let client = &client;
        async move { client.service().call("batches__square", arguments, &cx).await }
    };
    let cancel = async {
        sleep(Duration::from_millis(5)).await;
        cancelled.cancellation().cancel();
    };
    let gone = tokio::time::timeout(Duration::from_millis(5), square(&client, 4));
    let (one, two, stays, gone, ()) =
        tokio::join!(call(1, cancelled.clone()), call(2, expired), square(&client, 3), gone, cancel);
    assert_eq!((one.unwrap_err().stage(), two.unwrap_err().stage()), (Stage::Cancelled, Stage::Timeout));
    assert!(gone.is_err() && stays.unwrap() == 9);
    assert_eq!(seen(&client).await["members"], json!([[3]]));

    // A batch that all have left does not run at all.
    let _ = tokio::time::timeout(Duration::from_millis(5), square(&client, 5)).await;
    sleep(Duration::from_millis(50)).await;
    assert_eq!(sizes(&client).await, [1]);
}

#[tokio::test(start_paused = true)]
async fn who_has_left_takes_no_place() {
    let client = batches().await;
    let gone = join_all((0..31).map(|x| tokio::time::timeout(Duration::from_millis(2), square(&client, x))));
    let late = join_all((0..2).map(|x| square_at(&client, 4, x)));
    let (_, late) = tokio::join!(gone, late);
    assert!(late.iter().all(|(answer, _)| answer.is_ok()));
    assert_eq!(sizes(&client).await, [2]);
}

#[tokio::test(start_paused = true)]
async fn another_count_fails_all() {
    let client = batches().await;
    let call = |x: i64| client.call("short", json!({ "x": x }));
    for answer in join_all((0..3).map(call)).await {
        let failed = answer.unwrap_err();
        assert_eq!((failed.stage(), failed.kind()), (Stage::AdapterExecution, "batch_length"));
        assert!(failed.message().contains("2 of 3"), "{failed}");
    }
}

/// Faults T20 and B39, for many at once.
#[tokio::test(start_paused = true)]
async fn b39_a_panic_fails_its_batch_alone() {
    let client = batches().await;
    let call = |x: i64| client.call("shaky", json!({ "x": x }));
    for answer in join_all([call(1), call(-1), call(2)]).await {
        let failed = answer.unwrap_err();
        assert_eq!((failed.stage(), failed.kind()), (Stage::InternalRuntime, "panic"));
        assert!(!failed.message().contains("secret"), "{failed}");
    }
    assert_eq!(call(3).await.unwrap(), json!({ "result": 3 }));
}

/// Fault T21: a run that nobody waits for is dropped.
#[tokio::test(start_paused = true)]
async fn t21_a_run_ends_with_its_last_member() {
    let client = batches().await;
    let call = |ms| tokio::time::timeout(Duration::from_millis(ms), client.call("endless", json!({})));
    let look = async {
        sleep(Duration::from_millis(30)).await;
        let seen = seen(&client).await;
        assert_eq!((&seen["busy"], &seen["cut"]), (&json!(1), &json!(0)), "one of two still waits");
    };
    let (one, two, ()) = tokio::join!(call(20), call(40), look);
    assert!(one.is_err() && two.is_err());
    tokio::task::yield_now().await;
    assert_eq!(seen(&client).await["cut"], 1);
}

#[tokio::test(start_paused = true)]
async fn a_run_has_a_context_of_its_own() {
    let client = batches().await;
    let expected = json!({ "members": 1, "face": "batch", "has_deadline": false });
    assert_eq!(client.call("told", json!({})).await.unwrap(), expected);
    let call = |ms| {
        let cx = Context::default().with_timeout(Duration::from_millis(ms));
        let client = &client;
        async move { client.service().call("batches__told", RawArguments::Flat(Vec::new()), &cx).await }
    };
    let (one, two) = tokio::join!(call(100), call(200));
    assert_eq!(one.unwrap().values(), [Value::from(2), Value::from("batch"), Value::from(true)]);
    assert!(two.is_ok());
}

#[tokio::test]
async fn the_contract_says_what_is_in_force() {
    let client = batches().await;
    let manifest = client.manifest().unwrap();
    assert_eq!(manifest["functions"][0]["nodecast"]["batched"], json!({ "max": 32, "wait_ms": 10 }));
    assert_eq!(manifest["functions"][5]["nodecast"].get("batched"), None);
    let contract: Json = serde_json::from_str(&client.contract().unwrap().text).unwrap();
    assert_eq!(contract["contract"]["nodes"][0]["batched"], json!({ "max": 32, "wait_ms": 10 }));
}
