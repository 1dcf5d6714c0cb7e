//! A hosted graph: from a message to its snapshot on another thread, and many listeners of what it publishes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use nodecast::call::{Change, Changes, Listener};
use nodecast_live::prelude::*;

const STATE: &str = "live://state";

#[derive(Message)]
enum Step {
    /// Moves all values.
    Move,
}

/// So many values of one model, each of which moves with each message.
fn hosted(values: u64) -> GraphHost<Step, Exposure> {
    let host = GraphHost::start(move |g: &Graph| {
        let model = Mvu::new(g, 0_u64, |Step::Move, count: &u64| Ok::<_, String>(count + 1));
        let mut exposed = Exposure::builder(g);
        for at in 0..values {
            exposed = exposed.value(format!("value_{at}"), model.select(move |count| count + at));
        }
        Ok(App::new(model, exposed.build()?))
    });
    host.unwrap()
}

fn percentile(times: &mut [Duration], share: usize) -> f64 {
    times.sort_unstable();
    times[(times.len() - 1) * share / 100].as_nanos() as f64 / 1_000.0
}

/// Of messages, one at a time, until this thread sees the snapshot: two threads, as many as there are cores.
fn publish(values: u64) {
    let host = hosted(values);
    let live = host.live();
    let mut times = Vec::new();
    for version in 2..=5_001 {
        let begun = Instant::now();
        drop(host.invoke(|app: &App<Step, Exposure>| app.dispatch(Step::Move)));
        while live.snapshot().version() < version {
            std::hint::spin_loop();
        }
        times.push(begun.elapsed());
    }
    println!("publish, {values} values, p50 µs\t{:.1}", percentile(&mut times, 50));
    println!("publish, {values} values, p99 µs\t{:.1}", percentile(&mut times, 99));
}

/// A thousand listeners and a thousand publications in a second; ten of them take nothing until the end.
async fn fan_out() {
    let changes = Changes::open();
    let heard = Arc::new(AtomicU64::new(0));
    let slow: Vec<_> = (0..10).map(|_| Listener::new(std::slice::from_ref(&changes), |_| true)).collect();
    for _ in 0..990 {
        let (listener, heard) = (Listener::new(std::slice::from_ref(&changes), |_| true), heard.clone());
        tokio::spawn(async move {
            while listener.next().await.is_some() {
                heard.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    // Publications of a graph, told as a server tells them.
    let host = hosted(1);
    let (live, told) = (host.live(), changes.clone());
    let listens = host.invoke(move |_| live.on_published(move |_| told.tell(Change::Resource(STATE.to_owned()))));
    listens.await.unwrap().unwrap();
    let before = resident();
    let begun = Instant::now();
    for step in 0..5_000_u32 {
        host.invoke(|app: &App<Step, Exposure>| app.dispatch(Step::Move)).await.unwrap().unwrap();
        let due = Duration::from_millis(1) * (step + 1);
        tokio::time::sleep(due.saturating_sub(begun.elapsed())).await;
    }
    let per_second = 5_000.0 / begun.elapsed().as_secs_f64();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(host.live().snapshot().version(), 5_001);
    println!("fan-out, publications a second\t{per_second:.0}");
    println!(
        "fan-out, notes heard of each publication by 990 fast ones\t{:.1}",
        heard.load(Ordering::Relaxed) as f64 / 5_000.0
    );
    println!("fan-out, growth in kB\t{}", resident().saturating_sub(before));
    for listener in &slow {
        // Five thousand publications are one note to who takes none.
        assert_eq!(listener.next().await, Some(Change::Resource(STATE.to_owned())));
    }
}

fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or_default()
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    publish(3);
    publish(300);
    fan_out().await;
}
