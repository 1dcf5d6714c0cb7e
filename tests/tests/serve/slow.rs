//! Peers that are slow, silent or hostile to the connection itself (faults T05, T06 and B63).

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use nodecast_tests::Host;
use serde_json::json;

use crate::tiny;

fn connected(host: &Host) -> TcpStream {
    let stream = TcpStream::connect(host.authority()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    stream
}

/// What comes until the host closes; panics where it keeps the connection.
fn until_closed(mut stream: TcpStream) -> Vec<u8> {
    let (mut all, mut chunk) = (Vec::new(), vec![0; 64 << 10]);
    loop {
        match stream.read(&mut chunk) {
            Ok(0) => return all,
            Ok(length) => all.extend_from_slice(&chunk[..length]),
            Err(error) => {
                let waits = matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut);
                assert!(!waits, "the host keeps the connection");
                return all;
            }
        }
    }
}

async fn answers_within_a_second(host: &Host) {
    let began = Instant::now();
    let answer = host.post("/call/tiny__echo", &json!({ "text": "hi" })).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "outputs": { "result": "hi" } })));
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

/// Memory of the host that is in use, in bytes.
fn resident(host: &Host) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", host.pid())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<usize>().unwrap() << 10
}

#[tokio::test]
async fn t05_half_open_heads_do_not_keep_others_out() {
    let host = tiny(&[]).await;
    let half_open: Vec<_> = (0..500)
        .map(|_| {
            let mut stream = connected(&host);
            stream.write_all(b"POST /call/tiny__echo HTTP/1.1\r\nHost: loc").unwrap();
            stream
        })
        .collect();
    answers_within_a_second(&host).await;
    drop(half_open);
    answers_within_a_second(&host).await;
}

#[tokio::test]
async fn t05_b63_the_header_timeout_fires() {
    let host = tiny(&["--header-timeout", "600ms"]).await;
    let silent = connected(&host);
    let mut half = connected(&host);
    half.write_all(b"GET /health HTTP/1.1\r\nHost: loc").unwrap();
    // Every byte in time, and never an end.
    let mut drip = connected(&host);
    let dripping = std::thread::spawn(move || {
        let began = Instant::now();
        while drip.write_all(b"G").is_ok() && began.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(Duration::from_millis(50));
        }
        began.elapsed()
    });
    // Between two requests a connection may rest as long as a head may take, no longer.
    let mut resting = connected(&host);
    resting.write_all(format!("GET /health HTTP/1.1\r\nHost: {}\r\n\r\n", host.authority()).as_bytes()).unwrap();
    let began = Instant::now();
    for stream in [silent, half, resting] {
        until_closed(stream);
    }
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let dripped = dripping.join().unwrap();
    assert!(dripped < Duration::from_secs(5), "{dripped:?}");
    answers_within_a_second(&host).await;
}

#[tokio::test]
async fn t05_a_dripping_body_is_answered_with_408() {
    let host = tiny(&[]).await;
    let drips = ["/call/tiny__echo", "/mcp"].map(|path| {
        let mut stream = connected(&host);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
            host.authority()
        );
        stream.write_all(head.as_bytes()).unwrap();
        std::thread::spawn(move || {
            let began = Instant::now();
            let mut sender = stream.try_clone().unwrap();
            // One byte a quarter of a second, for longer than any host should listen.
            std::thread::spawn(move || {
                for _ in 0..80 {
                    if sender.write_all(b" ").is_err() {
                        return;
                    }
                    std::thread::sleep(Duration::from_millis(250));
                }
            });
            let answer = until_closed(stream);
            (String::from_utf8(answer).unwrap(), began.elapsed())
        })
    });
    for (drip, is_mcp) in drips.into_iter().zip([false, true]) {
        let (answer, took) = drip.join().unwrap();
        assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
        assert!(answer.contains("8 KiB a second") && answer.contains("\"jsonrpc\"") == is_mcp, "{answer}");
        assert!(took > Duration::from_secs(9) && took < Duration::from_secs(14), "{took:?}");
    }
    answers_within_a_second(&host).await;
}

#[tokio::test]
async fn t05_a_reader_that_never_reads_is_cut_and_costs_one_reply() {
    let host = tiny(&["--write-timeout", "1s"]).await;
    answers_within_a_second(&host).await;
    let before = resident(&host);
    let body = json!({ "text": "x".repeat(60_000), "count": 100 }).to_string();
    let request = format!(
        "POST /call/tiny__echo HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{body}",
        host.authority(),
        body.len()
    );
    let mut stream = connected(&host);
    stream.set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    // Fifty requests for 6 MB each, and not a byte read.
    for _ in 0..50 {
        if stream.write_all(request.as_bytes()).is_err() {
            break;
        }
    }
    let (mut most, began) = (0, Instant::now());
    // Once the host has closed, what is sent to it fails.
    while !matches!(stream.write(b"\n"), Err(error) if error.kind() != ErrorKind::WouldBlock) {
        most = most.max(resident(&host));
        assert!(began.elapsed() < Duration::from_secs(20), "the host keeps the connection");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // A reply as the node made it, as text of JSON, and what the allocator keeps of both.
    assert!(most.saturating_sub(before) < 64 << 20, "{} MiB", most.saturating_sub(before) >> 20);
    answers_within_a_second(&host).await;
}

#[tokio::test]
async fn t05_more_connections_than_allowed_wait_their_turn() {
    let host = tiny(&["--max-connections", "2", "--header-timeout", "800ms"]).await;
    let held = [connected(&host), connected(&host)];
    let began = Instant::now();
    let answer = host.post("/call/tiny__echo", &json!({ "text": "hi" })).await;
    assert_eq!(answer.status, 200);
    assert!(began.elapsed() > Duration::from_millis(300), "{:?}", began.elapsed());
    drop(held);
}

/// A frame of HTTP/2 (RFC 9113, 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let mut frame = u32::try_from(payload.len()).unwrap().to_be_bytes()[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const GOAWAY: u8 = 7;

/// What a client of HTTP/2 says first.
fn preface(settings: &[u8]) -> Vec<u8> {
    let mut bytes = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec();
    bytes.extend(frame(SETTINGS, 0, 0, settings));
    bytes
}

/// A whole `GET`, its head in plain literals (RFC 7541, 6.2.2).
fn get(stream: u32, authority: &str, path: &str) -> Vec<u8> {
    // `:method GET` and `:scheme http` stand in the static table.
    let mut block = vec![0x82, 0x86];
    for (name, value) in [(0x04, path), (0x01, authority)] {
        block.extend([name, u8::try_from(value.len()).unwrap()]);
        block.extend(value.as_bytes());
    }
    frame(HEADERS, 0x05, stream, &block)
}

/// The frames that came: kind, stream, payload.
fn frames(mut bytes: &[u8]) -> Vec<(u8, u32, &[u8])> {
    let mut found = Vec::new();
    while let Some((head, rest)) = bytes.split_at_checked(9) {
        let length = usize::from(head[0]) << 16 | usize::from(head[1]) << 8 | usize::from(head[2]);
        let stream = u32::from_be_bytes(head[5..9].try_into().unwrap());
        let Some((payload, rest)) = rest.split_at_checked(length) else { break };
        found.push((head[3], stream, payload));
        bytes = rest;
    }
    found
}

/// Faults B50 and B51 where HTTP/2 names the host as `:authority` alone.
#[tokio::test]
async fn b50_the_authority_of_http_2() {
    let host = tiny(&["--header-timeout", "600ms"]).await;
    // `:status` 200 and 400 stand in the static table of HPACK; another is a literal beside the name at place 8.
    for (authority, status) in [("localhost:1", 0x88), ("evil.com", 0x48), ("a@localhost", 0x8c)] {
        let mut stream = connected(&host);
        stream.write_all(&[preface(&[]), get(1, authority, "/manifest")].concat()).unwrap();
        let answer = until_closed(stream);
        let answer = frames(&answer);
        let head = answer.iter().find(|(kind, ..)| *kind == HEADERS).unwrap();
        assert_eq!(head.2[0], status, "{authority}");
    }
}

#[tokio::test]
async fn t06_a_flood_of_resets_ends_its_own_connection() {
    let host = tiny(&[]).await;
    let before = resident(&host);
    let mut stream = connected(&host);
    let mut flood = preface(&[]);
    for stream in (1..20_000).step_by(2) {
        flood.extend(get(stream, host.authority(), "/manifest"));
        flood.extend(frame(RST_STREAM, 0, stream, &8_u32.to_be_bytes()));
    }
    let mut reader = stream.try_clone().unwrap();
    let reading = std::thread::spawn(move || {
        let mut all = Vec::new();
        let _ = reader.read_to_end(&mut all);
        all
    });
    // The host may close before it has read all of it, which is the point.
    let _ = stream.write_all(&flood);
    answers_within_a_second(&host).await;
    let answer = reading.join().unwrap();
    let goaway = frames(&answer).into_iter().find(|(kind, ..)| *kind == GOAWAY);
    // ENHANCE_YOUR_CALM
    assert_eq!(goaway.map(|(_, _, payload)| payload[7]), Some(0xb), "{:?}", frames(&answer).len());
    assert_eq!(host.get("/health").await.json()["nodecast"]["in_flight"], 0);
    assert!(resident(&host) - before.min(resident(&host)) < 32 << 20);
}

#[tokio::test]
async fn t05_an_http_2_peer_that_asks_or_takes_nothing_is_cut() {
    let host = tiny(&["--header-timeout", "700ms", "--write-timeout", "1s"]).await;
    let mut idle = connected(&host);
    idle.write_all(&preface(&[])).unwrap();
    // SETTINGS_INITIAL_WINDOW_SIZE 0: the answer may be made, and may not be sent.
    let mut closed = connected(&host);
    let window = [0, 4, 0, 0, 0, 0];
    closed.write_all(&[preface(&window), get(1, host.authority(), "/manifest")].concat()).unwrap();
    let began = Instant::now();
    for stream in [idle, closed] {
        let answer = until_closed(stream);
        assert!(frames(&answer).iter().any(|(kind, ..)| *kind == GOAWAY));
    }
    assert!(began.elapsed() > Duration::from_millis(600), "{:?}", began.elapsed());
    assert!(began.elapsed() < Duration::from_secs(8), "{:?}", began.elapsed());
    answers_within_a_second(&host).await;
}
