//! How a host ends: signals, the grace of running calls over HTTP and stdio, and `stop` (`wire.md` 9.1).

use std::io::{Read as _, Write as _};
use std::time::{Duration, Instant};

use nodecast_tests::{Host, Stdio, call, initialize};
use serde_json::json;

use crate::{HOST, desk, tiny};

#[tokio::test]
async fn w9_sigterm_with_a_call_in_flight() {
    let host = desk(&[]).await;
    let url = host.url.clone();
    let running = tokio::spawn(async move {
        let body = json!({ "ms": 60_000 }).to_string();
        let request = nodecast_tests::http().build().unwrap().post(format!("{url}/call/desk__wait")).body(body);
        request.send().await.unwrap().status().as_u16()
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    host.signal("TERM");
    tokio::time::sleep(Duration::from_millis(100)).await;
    let health = host.get("/health").await;
    assert_eq!((health.status, &health.json()["status"]), (503, &json!("draining")));
    let refused = host.post("/call/desk__add", &json!({ "by": 1 })).await;
    assert_eq!((refused.status, &refused.json()["type"]), (503, &json!("draining")));
    assert_ne!(refused.header("retry-after"), "");
    // MCP's refusal carries the id of what it refuses.
    for message in [initialize(41, "late"), call(41, "desk__add", &json!({ "by": 1 }))] {
        let refused = host.mcp("/mcp", &[], &message).await;
        assert_eq!((refused.status, &refused.json()["id"]), (503, &json!(41)), "{}", refused.json());
    }
    assert_eq!(running.await.unwrap(), 503);
    let (code, log) = tokio::task::spawn_blocking(move || host.end()).await.unwrap();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("the desk has stopped"), "{log}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
}

/// `stop` runs also after a signal while it starts, and the first line says no more than that it listens.
#[tokio::test]
async fn w9_sigterm_as_soon_as_it_listens() {
    for _ in 0..5 {
        let log = Host::spawn(HOST, &["--nodeset", "desk"]).stop().await;
        assert!(log.contains("stopping"), "{log}");
    }
}

/// Reads on until the other side closes; how long that took.
async fn closes(mut stream: std::net::TcpStream) -> Duration {
    let began = Instant::now();
    let read = move || {
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut rest = Vec::new();
        stream.read_to_end(&mut rest).unwrap();
        began.elapsed()
    };
    tokio::task::spawn_blocking(read).await.unwrap()
}

/// Sends a request and reads the head of its answer; the connection stays open.
fn kept_open(host: &Host, request: &str) -> std::net::TcpStream {
    let mut stream = std::net::TcpStream::connect(host.authority()).unwrap();
    stream.write_all(request.replace("HOST", host.authority()).as_bytes()).unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        seen.push(byte[0]);
    }
    assert!(seen.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&seen));
    stream
}

/// `wire.md` 9.1: at once, and not when the running call has ended.
#[tokio::test]
async fn idle_connections_and_streams_of_events_close_at_once() {
    let host = desk(&[]).await;
    let hello = host.mcp("/mcp", &[], &initialize(1, "listener")).await;
    let session = hello.header("mcp-session-id").to_owned();
    let stream = kept_open(
        &host,
        &format!(
            "GET /mcp HTTP/1.1\r\nHost: HOST\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\
             MCP-Protocol-Version: 2025-11-25\r\n\r\n"
        ),
    );
    let idle = kept_open(&host, "HEAD /health HTTP/1.1\r\nHost: HOST\r\n\r\n");
    let url = host.url.clone();
    let running = tokio::spawn(async move {
        let body = json!({ "ms": 1_500 }).to_string();
        let request = nodecast_tests::http().build().unwrap().post(format!("{url}/call/desk__wait")).body(body);
        request.send().await.unwrap().status().as_u16()
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    host.signal("TERM");
    let (stream, idle) = tokio::join!(closes(stream), closes(idle));
    assert!(stream < Duration::from_millis(800) && idle < Duration::from_millis(800), "{stream:?} {idle:?}");
    // Who comes late is answered.
    assert_eq!(host.get("/health").await.status, 503);
    assert_eq!(running.await.unwrap(), 200, "a running call has the grace");
}

#[tokio::test]
async fn an_idle_host_ends_at_once() {
    for name in ["TERM", "INT"] {
        let host = tiny(&[]).await;
        let began = Instant::now();
        host.signal(name);
        let (code, _) = tokio::task::spawn_blocking(move || host.end()).await.unwrap();
        assert_eq!(code, Some(0));
        assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    }
}

/// A terminal that is closed is a signal to stop, and said twice no second one.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_host_stops_in_order_with_its_terminal() {
    // Under `nohup` the host would have inherited that it lives on.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    if u64::from_str_radix(ignored, 16).unwrap() & 1 == 1 {
        return;
    }
    let host = desk(&[]).await;
    let running = begin(&host, "desk__wait").await;
    host.signal("HUP");
    tokio::time::sleep(Duration::from_millis(200)).await;
    host.signal("HUP");
    assert_eq!(running.await.unwrap(), 503);
    let (code, log) = tokio::task::spawn_blocking(move || host.end()).await.unwrap();
    assert_eq!(code, Some(0), "{log}");
    assert!(log.contains("the desk has stopped"), "{log}");
}

/// A call whose head has come is answered, though its body is still on its way.
#[tokio::test]
async fn who_is_still_sending_is_answered() {
    let host = desk(&[]).await;
    let mut stream = std::net::TcpStream::connect(host.authority()).unwrap();
    let head = "POST /call/desk__add HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n";
    stream.write_all(format!("{head}Host: {}\r\n\r\n{{\"by\"", host.authority()).as_bytes()).unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    host.signal("TERM");
    let read = move || {
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let answer = tokio::task::spawn_blocking(read).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 503 ") && answer.contains("\"draining\""), "{answer}");
    assert!(answer.contains("connection: close"), "{answer}");
    let (code, log) = tokio::task::spawn_blocking(move || host.end()).await.unwrap();
    assert_eq!(code, Some(0), "{log}");
}

#[tokio::test]
async fn a_second_signal_ends_at_once() {
    let host = desk(&["--grace", "30s"]).await;
    let url = host.url.clone();
    tokio::spawn(async move {
        let request =
            nodecast_tests::http().build().unwrap().post(format!("{url}/call/desk__wait")).body("{\"ms\":60000}");
        let _ = request.send().await;
    });
    tokio::time::sleep(Duration::from_millis(300)).await;
    host.signal("TERM");
    tokio::time::sleep(Duration::from_millis(200)).await;
    let began = Instant::now();
    host.signal("TERM");
    let (code, _) = tokio::task::spawn_blocking(move || host.end()).await.unwrap();
    assert_eq!(code, Some(5));
    assert!(began.elapsed() < Duration::from_secs(1));
}

/// Whatever ends a call at the end of its host, its client is answered: in the newer era and in a session of the older one,
/// where the call ends by itself within the grace and where it is cancelled.
#[tokio::test]
async fn w9_a_call_over_mcp_is_answered_at_the_end_of_its_host() {
    // The second one ends about when the grace does.
    for (ms, stages) in [(60_000, &[Some("cancelled")][..]), (740, &[None, Some("cancelled")])] {
        for _ in 0..4 {
            let host = desk(&["--grace", "400ms"]).await;
            let own = crate::leases::acquire(&host, "desk").await;
            let wait = crate::leases::result(&host, "desk__wait", json!({ "ms": ms, "lease": own }));
            let stop = async {
                tokio::time::sleep(Duration::from_millis(330)).await;
                host.signal("INT");
            };
            let (result, ()) = tokio::join!(wait, stop);
            assert!(stages.contains(&result["_meta"]["nodecast/stage"].as_str()), "{result}");
        }
    }
    let host = desk(&["--grace", "300ms"]).await;
    let own = crate::exclusive::session(&host, "older").await;
    let wait = call(7, "desk__wait", &json!({ "ms": 60_000 }));
    let headers = [("mcp-session-id", own.as_str())];
    let stop = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        host.signal("INT");
    };
    let (answer, ()) = tokio::join!(host.mcp("/mcp", &headers, &wait), stop);
    assert_eq!(answer.message()["result"]["_meta"]["nodecast/stage"], "cancelled", "{}", answer.message());
}

/// Starts a call that runs for a minute, and waits until it runs.
pub(crate) async fn begin(host: &Host, function: &str) -> tokio::task::JoinHandle<u16> {
    let url = format!("{}/call/{function}", host.url);
    let running = tokio::spawn(async move {
        let request = nodecast_tests::http().build().unwrap().post(url).body("{\"ms\":60000}");
        request.send().await.map_or(0, |answer| answer.status().as_u16())
    });
    while host.get("/health").await.json()["nodecast"]["in_flight"] != 1 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    running
}

/// W9 with a node that looks at nothing: the process is gone in time, and the nodeset lets go of what cannot wait.
#[tokio::test]
async fn w9_sigterm_with_a_node_that_blocks() {
    let host = desk(&["--grace", "500ms"]).await;
    let running = begin(&host, "desk__block").await;
    let began = Instant::now();
    host.signal("TERM");
    assert_eq!(running.await.unwrap(), 503);
    let (code, log) = tokio::task::spawn_blocking(move || host.end()).await.unwrap();
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert!(log.contains("the desk was left") && log.contains("Context::is_cancelled"), "{log}");
    assert_eq!(code, Some(5), "{log}");
}

/// A host on stdio whose client has said hello, with a call of so many milliseconds under way.
fn on_stdio(arguments: &[&str], ms: u64) -> Stdio {
    let mut host = Stdio::start(HOST, &[&["--nodeset", "desk"], arguments].concat());
    let messages = [
        initialize(1, "stdio"),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        call(2, "desk__wait", &json!({ "ms": ms })),
    ];
    for message in &messages {
        host.send(message);
    }
    host
}

#[test]
fn b73_sigterm_on_stdio_gives_running_calls_their_grace() {
    for (name, ms, expected) in [("TERM", 700, None), ("INT", 700, None), ("TERM", 60_000, Some("cancelled"))] {
        // The input stays open all the while.
        let host = on_stdio(&["--grace", "1500ms"], ms);
        std::thread::sleep(Duration::from_millis(400));
        let began = Instant::now();
        host.signal(name);
        let ended = host.wait();
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        assert_eq!(ended.code, Some(0), "{ended:?}");
        assert!(ended.log.contains("the desk has stopped"), "{ended:?}");
        let answer = ended.answer(2);
        let stage = answer["result"]["_meta"]["nodecast/stage"].as_str();
        assert_eq!(stage, expected, "{answer}");
    }
}
