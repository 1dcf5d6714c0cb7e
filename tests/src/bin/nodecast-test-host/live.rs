//! Live applications: the fixtures, one that takes no messages, one that is large, and one that misbehaves.

use std::process::ExitCode;
use std::time::Duration;

use nodecast_live::prelude::*;
use nodecast_live::{HostOptions, Message, Serve, serve};

/// So many nodes make a graph that no answer holds at once.
const MANY: u64 = 2_000;

pub(crate) fn main(application: &str) -> ExitCode {
    let Ok(runtime) = tokio::runtime::Runtime::new() else { return ExitCode::FAILURE };
    let served = runtime.block_on(async {
        match application {
            "cart" => run(serve("cart", GraphHost::start(cart::setup)?)).await,
            "store" => run(serve("store", GraphHost::start(store::setup)?)).await,
            "clock" => run(serve("clock", GraphHost::start(clock)?)).await,
            "crowd" => run(serve("crowd", GraphHost::start(crowd)?)).await,
            "raw" => run(serve("raw", GraphHost::start(cart::setup)?).raw_trace_tools(true).always_load(true)).await,
            "odd" => run(serve("odd", GraphHost::start(odd)?)).await,
            "nest" => run(serve("nest", GraphHost::start(nest)?).raw_trace_tools(true)).await,
            "store_log" => run(serve("store", GraphHost::start(store::setup)?).raw_trace_tools(true)).await,
            "forgetful" => {
                let options = HostOptions::default().trace_events(1_000);
                run(serve("store", GraphHost::start_with(options, store::setup)?).raw_trace_tools(true)).await
            }
            "bare" => run(serve("bare", GraphHost::start(bare)?)).await,
            "wide" => run(serve("wide", GraphHost::start(wide)?)).await,
            "closing" => closing().await,
            "failing" => {
                GraphHost::start(|_: &Graph| Err::<App, _>(Error::new("no_ground", "there is none"))).map(|_| ())
            }
            _ => Err(Error::new("unknown", "there is no such application")),
        }
    });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "not served");
            ExitCode::FAILURE
        }
    }
}

async fn run<M: Message, V: Expose>(serve: Serve<M, V>) -> Result<(), Error> {
    serve.run().await
}

/// Takes no messages, and moves by itself.
fn clock(g: &Graph) -> Result<App, Error> {
    let ticks = signal(g, 0_u64);
    Ok(App::read_only(Exposure::builder(g).value("ticks", ticks).build()?))
}

/// Has nodes, and exposes none of them.
fn bare(g: &Graph) -> Result<App, Error> {
    signal!(g, let hidden = 1_u64);
    let _ = hidden;
    Ok(App::read_only(Exposure::builder(g).build()?))
}

#[derive(Message)]
enum Crowd {
    /// Moves all of them.
    Move {
        /// By so much.
        step: u64,
    },
}

/// One model with many memos over it.
fn crowd(g: &Graph) -> Result<App<Crowd, Exposure>, Error> {
    let model = Mvu::new(g, 0_u64, |message, value: &u64| match message {
        Crowd::Move { step } => value.checked_add(step).ok_or("too far"),
    });
    select!(model, let hub = |value| *value);
    let spokes: Vec<Memo<u64>> = (0..MANY).map(|at| memo(g, move || hub.get() + at)).collect();
    memo!(g, let sum = move || spokes.iter().map(Memo::get).sum::<u64>());
    Ok(App::new(model, Exposure::builder(g).value("sum", sum).value("hub", hub).build()?))
}

#[derive(Message)]
enum Odd {
    /// Panics.
    Panic,
    /// Fails.
    Fail,
    /// Takes its time.
    Sleep {
        /// So many milliseconds.
        ms: u64,
    },
    /// Makes a value that JSON has no number for.
    SetRatio {
        /// Divided by this.
        by: f64,
    },
    /// Sets a text of so many letters.
    Grow {
        /// So many.
        letters: usize,
    },
}

#[derive(Clone, Debug, Default, PartialEq)]
struct OddModel {
    by: f64,
    letters: usize,
    slept: u64,
}

/// What a client should not have to fear.
#[allow(clippy::panic, reason = "that it panics is what is tested")]
fn odd(g: &Graph) -> Result<App<Odd, Exposure>, Error> {
    let model = Mvu::new(g, OddModel { by: 1.0, ..OddModel::default() }, |message, model: &OddModel| match message {
        Odd::Panic => panic!("the canary of a panic"),
        Odd::Fail => Err("it never works"),
        Odd::Sleep { ms } => {
            std::thread::sleep(Duration::from_millis(ms));
            Ok(OddModel { slept: model.slept + ms, ..model.clone() })
        }
        Odd::SetRatio { by } => Ok(OddModel { by, ..model.clone() }),
        Odd::Grow { letters } => Ok(OddModel { letters, ..model.clone() }),
    });
    select!(model, let ratio = |model| {
        assert!(model.by >= 0.0, "the canary of a memo");
        1.0 / model.by
    });
    select!(model, let text = |model| "x".repeat(model.letters));
    select!(model, let slept = |model| model.slept);
    Ok(App::new(model, Exposure::builder(g).value("ratio", ratio).value("text", text).value("slept", slept).build()?))
}

/// An application that ends after its first message.
async fn closing() -> Result<(), Error> {
    let host = GraphHost::start(cart::setup)?;
    let own = host.clone();
    tokio::spawn(async move {
        own.live().wait_version(2, Duration::from_secs(60)).await;
        own.close().await;
    });
    run(serve("cart", host)).await
}

/// Values that all move at once, whose names are as long as they may be.
fn wide(g: &Graph) -> Result<App<Crowd, Exposure>, Error> {
    let model = Mvu::new(g, 0_u64, |Crowd::Move { step }, value: &u64| value.checked_add(step).ok_or("too far"));
    let mut exposed = Exposure::builder(g);
    for at in 0..300 {
        exposed = exposed.value(format!("{at:03}.{}", "n".repeat(60)), model.select(move |value| value + at));
    }
    Ok(App::new(model, exposed.build()?))
}

/// A chain of values, nodes that are made again with each message, and names that stand for several nodes or one for two.
fn nest(g: &Graph) -> Result<App<Crowd, Exposure>, Error> {
    let model = Mvu::new(g, 0_u64, |Crowd::Move { step }, value: &u64| value.checked_add(step).ok_or("too far"));
    select!(model, let first = |value| *value);
    let mut last = first;
    for _ in 0..300 {
        let before = last;
        last = memo(g, move || before.get() + 1);
    }
    let graph = g.clone();
    effect!(g, let outer = move || {
        let step = first.get();
        let inner_graph = graph.clone();
        effect!(&graph, let middle = move || {
            memo!(&inner_graph, let inner = move || step);
            inner.get();
        });
        let _ = middle;
    });
    let _ = outer;
    let other = signal(g, 7_u64);
    let exposed =
        Exposure::builder(g).value("first", first).value("end", last).value("twice", first).value("shared", last);
    Ok(App::new(model, exposed.node("shared", other).build()?))
}
