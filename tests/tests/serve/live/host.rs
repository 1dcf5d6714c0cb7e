//! The host of a graph: its thread, its inbox, its end (`live.md` 3).

use std::sync::mpsc;
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use nodecast_live::prelude::*;
use nodecast_live::{HostOptions, InvokeError};
use tokio_util::sync::CancellationToken;

#[derive(Expose)]
struct View {
    count: Signal<i64>,
}

/// A host of one number.
fn counter() -> GraphHost<NoMessages, View> {
    GraphHost::start(|g: &Graph| Ok(App::read_only(View { count: signal(g, 0) }))).unwrap()
}

/// Tells on which thread it is dropped.
struct Dropped(mpsc::Sender<ThreadId>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.send(thread::current().id());
    }
}

/// Work that keeps the graph's thread until it is told to go on.
fn held(
    host: &GraphHost<NoMessages, View>,
) -> (mpsc::Sender<()>, impl Future<Output = Result<i64, InvokeError>> + use<>) {
    let ((go, gone), (begin, started)) = (mpsc::channel(), mpsc::channel());
    let work = host.invoke(move |app| {
        let _ = (begin.send(()), gone.recv());
        app.view.count.get()
    });
    started.recv().unwrap();
    (go, work)
}

#[tokio::test]
async fn work_runs_in_order_on_the_graphs_thread() {
    fn is_send<T: Send + Sync + Clone>(_: &T) {}
    let host = counter();
    is_send(&host);
    is_send(&host.live());
    is_send(&*host.live().snapshot());
    let order = Arc::new(Mutex::new(Vec::new()));
    let works: Vec<_> = (0..100)
        .map(|at| {
            let order = order.clone();
            host.invoke(move |_| {
                order.lock().unwrap().push(at);
                (thread::current().id(), thread::current().name().map(str::to_owned))
            })
        })
        .collect();
    for work in works.into_iter().rev() {
        assert_eq!(work.await.unwrap(), (host.thread_id(), Some("live-graph".to_owned())));
    }
    assert_eq!(*order.lock().unwrap(), (0..100).collect::<Vec<_>>());
    host.close().await;
}

#[tokio::test]
async fn a_panic_is_told_and_ends_nothing() {
    let host = counter();
    let broken = host.invoke(|_| -> () { panic!("the text of it") });
    let next = host.invoke(|_| 7);
    assert_eq!(broken.await, Err(InvokeError::Panicked("the text of it".to_owned())));
    assert_eq!(next.await, Ok(7));
}

#[tokio::test]
async fn work_ends_with_the_effects_that_it_triggered() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let noted = seen.clone();
    let host = GraphHost::start(move |g: &Graph| {
        let count = signal(g, 0_i64);
        let _ = effect(g, move || noted.lock().unwrap().push(count.get()));
        Ok(App::read_only(View { count }))
    });
    let host = host.unwrap();
    host.invoke(|app: &App<NoMessages, View>| app.view.count.set(3)).await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [0, 3]);
    assert_eq!(host.live().snapshot().get("count"), Some("3"));
}

#[tokio::test]
async fn work_that_has_not_begun_is_cancelled_and_other_work_is_not() {
    let host = counter();
    let (go, running) = held(&host);
    let token = CancellationToken::new();
    let waiting = host.invoke_until(token.clone(), |app| app.view.count.set(1));
    token.cancel();
    assert_eq!(waiting.await, Err(InvokeError::Cancelled));
    go.send(()).unwrap();
    assert_eq!(running.await, Ok(0));
    // What has begun ends.
    let (token, (begun, has_begun)) = (CancellationToken::new(), mpsc::channel());
    let (go, gone) = mpsc::channel();
    let running = host.invoke_until(token.clone(), move |app| {
        begun.send(()).unwrap();
        let _ = gone.recv();
        app.view.count.set(5);
        app.view.count.get()
    });
    has_begun.recv().unwrap();
    token.cancel();
    go.send(()).unwrap();
    assert_eq!(running.await, Ok(5));
    assert_eq!(host.invoke_until(token, |_| 1).await, Err(InvokeError::Cancelled));
}

#[tokio::test]
async fn work_on_the_graphs_thread_runs_at_once() {
    let host = counter();
    let own = host.clone();
    let inside = host.invoke(move |app| {
        let work = own.invoke(|app| app.view.count.set(4));
        let seen = app.view.count.get();
        drop(work);
        seen
    });
    assert_eq!(inside.await, Ok(4));
}

#[tokio::test]
async fn a_closed_host_drops_its_graph_on_its_thread() {
    let (tell, told) = mpsc::channel();
    let dropped = Dropped(tell);
    let host = GraphHost::start(move |g: &Graph| {
        let count = signal(g, 0);
        let _ = effect(g, move || {
            let _ = (&dropped, count.get());
        });
        Ok(App::read_only(View { count }))
    });
    let host: GraphHost<NoMessages, View> = host.unwrap();
    let (go, running) = held(&host);
    let waiting = host.invoke(|_| 1);
    let closing = tokio::spawn({
        let host = host.clone();
        async move { host.close().await }
    });
    assert_eq!(waiting.await, Err(InvokeError::Closed));
    assert_eq!(host.invoke(|_| 1).await, Err(InvokeError::Closed));
    go.send(()).unwrap();
    assert_eq!(running.await, Ok(0));
    closing.await.unwrap();
    assert_eq!(told.try_recv(), Ok(host.thread_id()));
    host.close().await;
    assert_eq!(host.live().snapshot().version(), 1);
}

/// `live.md` 8: the log has a bound, and what comes later is what it keeps.
#[tokio::test]
async fn the_log_keeps_as_many_events_as_it_may() {
    let setup = |g: &Graph| Ok(App::read_only(View { count: signal(g, 0) }));
    let host: GraphHost<NoMessages, View> =
        GraphHost::start_with(HostOptions::default().trace_events(1_000), setup).unwrap();
    let dump = host.invoke(|app| {
        (1..=2_000).for_each(|value| app.view.count.set(value));
        app.graph().unwrap().trace_dump()
    });
    let dump = dump.await.unwrap();
    assert_eq!(dump.lines().count(), 1_000);
    assert!(dump.contains("1999→2000") && !dump.contains(" 0→1\n"), "{dump}");
}

#[test]
fn the_last_host_that_is_dropped_waits_for_the_end() {
    let (tell, told) = mpsc::channel();
    let dropped = Dropped(tell);
    let host: GraphHost<NoMessages, View> = GraphHost::start(move |g: &Graph| {
        let count = signal(g, 0);
        let _ = effect(g, move || {
            let _ = (&dropped, count.get());
        });
        Ok(App::read_only(View { count }))
    })
    .unwrap();
    let (id, live, second) = (host.thread_id(), host.live(), host.clone());
    drop(host);
    assert!(told.try_recv().is_err());
    drop(second);
    assert_eq!(told.try_recv(), Ok(id));
    assert_eq!(live.snapshot().get("count"), Some("0"));
}

#[tokio::test]
async fn a_host_that_is_dropped_on_its_own_thread_ends() {
    let host = counter();
    let (own, live) = (host.clone(), host.live());
    drop(host.invoke(move |_| drop(own)));
    drop(host);
    let begun = Instant::now();
    assert!(live.wait_version(9, Duration::from_secs(30)).await.is_none());
    assert!(begun.elapsed() < Duration::from_secs(10));
}

/// The threads of this process that are named as those of graphs are.
fn threads_of_graphs() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let names = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("comm")).ok());
    names.filter(|name| name.trim() == "live-graph-r18").count()
}

#[test]
fn r18_a_failed_setup_is_the_error_of_start() {
    let named = |g: &Graph| {
        // So that other tests' threads are not counted.
        let _ = std::fs::write("/proc/thread-self/comm", "live-graph-r18");
        g.clone()
    };
    let failed = GraphHost::start(move |g: &Graph| {
        drop(named(g));
        Err::<App, _>(Error::new("no_ground", "there is none"))
    });
    let error = failed.unwrap_err();
    assert_eq!((error.kind(), error.message()), ("no_ground", "there is none"));
    let panicked = GraphHost::start(move |g: &Graph| -> Result<App, Error> {
        drop(named(g));
        panic!("no ground at all")
    });
    assert!(panicked.unwrap_err().message().contains("no ground at all"));
    assert_eq!(threads_of_graphs(), 0);
}

/// `live.md` 11: who brings more waits with it, in turn.
#[tokio::test]
async fn a_full_inbox_is_waited_for() {
    let options = HostOptions::default().inbox(2);
    let host: GraphHost<NoMessages, View> =
        GraphHost::start_with(options, |g: &Graph| Ok(App::read_only(View { count: signal(g, 0) }))).unwrap();
    let (go, running) = held(&host);
    let works: Vec<_> = (0..10)
        .map(|at| {
            host.invoke(move |app| {
                app.view.count.update(|count| count * 2 + at % 2);
                app.view.count.get()
            })
        })
        .collect();
    let all = tokio::spawn(async move {
        let mut last = Ok(0);
        for work in works {
            last = work.await;
        }
        last
    });
    go.send(()).unwrap();
    assert_eq!(running.await, Ok(0));
    assert_eq!(all.await.unwrap(), Ok(0b01_0101_0101));
}

#[tokio::test]
async fn an_inbox_has_a_place_at_least() {
    let options = HostOptions::default().inbox(0);
    let host: GraphHost<NoMessages, View> =
        GraphHost::start_with(options, |g: &Graph| Ok(App::read_only(View { count: signal(g, 3) }))).unwrap();
    let work = host.invoke(|app| app.view.count.get());
    assert_eq!(tokio::time::timeout(Duration::from_secs(20), work).await.unwrap(), Ok(3));
}
