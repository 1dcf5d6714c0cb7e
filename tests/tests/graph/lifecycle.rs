//! The end of a host, and batches, as W9 of `wire.md` 11 demands them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::host;

/// Fault W9: the framework kills at 5 s, and the reference waits for its call.
#[tokio::test]
async fn w9_sigterm_with_a_minute_long_call() {
    let robot = Arc::new(host("robot", &[]).await);
    let slow = {
        let robot = robot.clone();
        tokio::spawn(async move { robot.post("/call/robot__slow", &json!({ "ms": 60_000 })).await.status })
    };
    tokio::time::sleep(Duration::from_millis(300)).await;
    let told = Instant::now();
    robot.signal("TERM");
    tokio::time::sleep(Duration::from_millis(300)).await;
    let health = robot.get("/health").await;
    assert_eq!((health.status, &health.json()["status"]), (503, &json!("draining")));
    let refused = robot.post("/call/robot__slow", &json!({ "ms": 0 })).await;
    assert_eq!((refused.status, &refused.json()["type"]), (503, &json!("draining")));
    assert_eq!(slow.await.unwrap(), 503);
    let (code, log) = Arc::into_inner(robot).unwrap().end();
    let took = told.elapsed();
    println!("W9 SIGTERM with a 60 s call: gone after {took:?}");
    assert_eq!(code, Some(0));
    assert!(log.contains("the robot has stopped"), "{log}");
    assert!(took < Duration::from_secs(5), "{took:?}");
}

/// Fault W9: a hundred callers share runs, and none waits beyond the gathering and the runs before its own.
#[tokio::test]
async fn w9_a_hundred_batched_callers_over_the_wire() {
    let robot = Arc::new(host("robot", &[]).await);
    let began = Instant::now();
    let calls = (0..100).map(|x| {
        let robot = robot.clone();
        tokio::spawn(async move {
            let answer = robot.post("/call/robot__square", &json!({ "x": x })).await.json();
            assert_eq!(answer["outputs"]["result"], x * x);
            began.elapsed()
        })
    });
    let mut waits = Vec::new();
    for call in calls.collect::<Vec<_>>() {
        waits.push(call.await.unwrap());
    }
    let longest = waits.iter().max().unwrap();
    println!("W9 a hundred batched callers at once: longest wait {longest:?} (20 ms of gathering, 13 runs of 2 ms)");
    // Thirteen batches of eight, each of 2 ms and at most 20 ms of gathering; a debug build on two cores takes more.
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// Fault W9: arrivals every 2 ms never hold a batch open, which has room for all of them.
#[tokio::test]
async fn w9_a_batch_is_not_held_open_by_later_arrivals() {
    let robot = Arc::new(host("robot", &[]).await);
    // Connections and code paths are warm after the first.
    robot.post("/call/robot__gather", &json!({})).await;
    let mut calls = Vec::new();
    for _ in 0..400 {
        let robot = robot.clone();
        calls.push(tokio::spawn(async move {
            let began = Instant::now();
            let shared = robot.post("/call/robot__gather", &json!({})).await.json()["outputs"]["result"].as_u64();
            (began.elapsed(), shared.unwrap())
        }));
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let mut waits = Vec::new();
    for call in calls {
        waits.push(call.await.unwrap());
    }
    let most = waits.iter().map(|(_, shared)| *shared).max().unwrap();
    waits.sort();
    let (median, longest) = (waits[200].0, waits[399].0);
    println!(
        "W9 400 calls, one every 2 ms, of a batched node: median {median:?}, longest {longest:?}, {most} in a batch"
    );
    // 20 ms of gathering. Held open, one batch would have them all, and the first would wait for the last, some 800 ms.
    assert!(most < 300, "{most}");
    assert!(median < Duration::from_millis(150), "{median:?}");
}
