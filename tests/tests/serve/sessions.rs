//! Sessions of the older era: the holder's, and those that a nodeset keeps (`mcp.md` 4, T10 and T11).

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use nodecast_tests::{Answer, Host, Modern, call, initialize, modern, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::exclusive::{end, lease, session, shake};
use crate::{desk, quiet, room};

/// How many sessions a host keeps at the moment.
async fn open(host: &Host) -> u64 {
    host.get("/health").await.json()["nodecast"]["mcp"]["sessions"].as_u64().unwrap()
}

async fn echo(host: &Host, nodeset: &str, headers: &[(&str, &str)], text: &str) -> Answer {
    host.mcp("/mcp", headers, &call(2, &format!("{nodeset}__echo"), &json!({ "text": text }))).await
}

#[tokio::test]
async fn kept_sessions_are_handed_out_and_not_needed() {
    let host = room("lounge", &[]).await;
    assert_eq!(open(&host).await, 0);
    let (first, second) = (session(&host, "a").await, session(&host, "b").await);
    assert_eq!(open(&host).await, 2);
    for headers in [&[("mcp-session-id", first.as_str())][..], &[("mcp-session-id", &second)], &[]] {
        assert_eq!(echo(&host, "lounge", headers, "hi").await.message()["result"]["structuredContent"]["result"], "hi");
    }
    assert_eq!(echo(&host, "lounge", &[("mcp-session-id", "guessed")], "hi").await.status, 404);
    assert_eq!(end(&host, &first).await, 200);
    assert_eq!(open(&host).await, 1);
    // T12: what has ended opens nothing, and ending it again ends nobody else's.
    assert_eq!(echo(&host, "lounge", &[("mcp-session-id", &first)], "hi").await.status, 404);
    assert_eq!(end(&host, &first).await, 404);
    assert_eq!((echo(&host, "lounge", &[("mcp-session-id", &second)], "hi").await.status, open(&host).await), (200, 1));
}

#[tokio::test]
async fn required_sessions_are_needed_by_the_older_era_alone() {
    let host = room("office", &[]).await;
    let without = echo(&host, "office", &[], "hi").await;
    assert_eq!((without.status, &without.json()["id"]), (400, &json!(2)));
    assert!(without.json()["error"]["message"].as_str().unwrap().contains("initialize"));
    assert_eq!(host.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.status, 200);
    let own = session(&host, "a").await;
    assert_eq!(echo(&host, "office", &[("mcp-session-id", &own)], "hi").await.status, 200);
    let arguments = json!({ "name": "office__echo", "arguments": { "text": "hi" } });
    let asked = modern(7, "tools/call", Some("office__echo"), arguments);
    assert_eq!(host.ask(&asked).await.json()["result"]["structuredContent"]["result"], "hi");
}

#[tokio::test]
async fn t11_b65_sessions_are_bounded_and_idle_away() {
    let host = room("lounge", &["--max-sessions", "2", "--idle-timeout", "700ms"]).await;
    let own = session(&host, "a").await;
    session(&host, "b").await;
    let refused = shake(&host, 9, "c").await;
    assert_eq!((refused.status, &refused.json()["id"], refused.header("retry-after")), (503, &json!(9), "1"));
    assert!(refused.json()["error"]["message"].as_str().unwrap().contains("--max-sessions"));
    // Neither junk nor discovery opens one.
    crate::exclusive::malformed(&host).await;
    assert_eq!(host.ask(&modern(8, "server/discover", None, json!({}))).await.status, 200);
    assert_eq!(open(&host).await, 2);
    // A call longer than the limit keeps its session.
    let rest = call(3, "lounge__rest", &json!({ "ms": 1200 }));
    let answer = host.mcp("/mcp", &[("mcp-session-id", &own)], &rest).await.message();
    assert_eq!((&answer["result"]["structuredContent"], open(&host).await), (&json!({}), 1));
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(open(&host).await, 0);
    assert_eq!(echo(&host, "lounge", &[("mcp-session-id", &own)], "hi").await.status, 404);
}

#[tokio::test]
async fn two_session_headers_are_one_too_many() {
    for (host, tool) in [(desk(&[]).await, "desk__add"), (room("lounge", &[]).await, "lounge__echo")] {
        let own = session(&host, "a").await;
        for other in [own.as_str(), "guessed"] {
            let headers = [("mcp-session-id", own.as_str()), ("mcp-session-id", other)];
            assert_eq!(host.mcp("/mcp", &headers, &call(2, tool, &json!({}))).await.status, 400);
            for method in [Method::GET, Method::DELETE] {
                let answer = host.send(method, "/mcp", &headers, Vec::new()).await;
                assert_eq!((answer.status, answer.header("content-type")), (400, "application/json"));
            }
        }
        assert_eq!(host.mcp("/mcp", &[("mcp-session-id", &own)], &call(2, tool, &json!({}))).await.status, 200);
    }
}

/// B55: who accepts JSON alone gets JSON alone, in a session too.
#[tokio::test]
async fn b55_a_session_answers_in_json_where_nothing_else_is_accepted() {
    let host = desk(&[]).await;
    let json_alone = [("content-type", "application/json"), ("accept", "application/json")];
    let send = async |headers: &[(&str, &str)], message: &Json| {
        host.send(Method::POST, "/mcp", headers, message.to_string().into_bytes()).await
    };
    let answer = send(&json_alone, &initialize(1, "a")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let own = answer.header("mcp-session-id").to_owned();
    for headers in [
        &[json_alone[0], json_alone[1], ("mcp-session-id", own.as_str())][..],
        &[json_alone[0], ("accept", "*/*"), ("mcp-session-id", &own)],
        &[json_alone[0], ("accept", "application/json, text/event-stream;q=0"), ("mcp-session-id", &own)],
    ] {
        let answer = send(headers, &call(2, "desk__add", &json!({ "by": 1 }))).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
        assert!(answer.json()["result"]["structuredContent"]["result"].is_i64());
    }
}

/// Opens the stream of a session, on a connection of its own.
fn stream(host: &Host, session: &str) -> TcpStream {
    let mut stream = TcpStream::connect(host.authority()).unwrap();
    let head = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAccept: text/event-stream\r\nMcp-Session-Id: {session}\r\n\r\n",
        host.authority()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream
}

#[tokio::test]
async fn t13_an_open_stream_is_life_while_its_reader_answers() {
    for (host, sessions) in
        [(desk(&["--idle-timeout", "600ms"]).await, false), (room("lounge", &["--idle-timeout", "600ms"]).await, true)]
    {
        let held = async || if sessions { open(&host).await == 1 } else { lease(&host).await == "held" };
        let own = session(&host, "a").await;
        let reading = stream(&host, &own);
        let (answers, asked) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(reading).lines() {
                let Ok(line) = line else { return };
                if let Some(data) = line.strip_prefix("data: ").filter(|data| data.contains("\"ping\"")) {
                    let ping: Json = serde_json::from_str(data).unwrap();
                    if answers.send(ping["id"].clone()).is_err() {
                        return;
                    }
                }
            }
        });
        let (began, mut answered) = (Instant::now(), 0);
        while began.elapsed() < Duration::from_secs(2) {
            while let Ok(id) = asked.try_recv() {
                let answer = json!({ "jsonrpc": "2.0", "id": id, "result": {} });
                assert_eq!(host.mcp("/mcp", &[("mcp-session-id", &own)], &answer).await.status, 202);
                answered += 1;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        assert!(answered >= 3 && held().await, "{answered} pings answered");
        // A second stream, which nobody reads: connected, and no sign of life.
        drop(asked);
        let unread = stream(&host, &own);
        tokio::time::sleep(Duration::from_millis(1_200)).await;
        assert!(!held().await, "a stream that nobody reads keeps the session");
        drop(unread);
    }
}

/// B67: a stream that goes on after an event goes on after one that is known.
#[tokio::test]
async fn b67_an_event_that_is_not_known_is_told() {
    let host = room("lounge", &[]).await;
    let own = session(&host, "a").await;
    for event in ["nonsense", "99/99", "7/never", "0/12345"] {
        let headers = [("accept", "text/event-stream"), ("mcp-session-id", own.as_str()), ("last-event-id", event)];
        let answer = host.send(Method::GET, "/mcp", &headers, Vec::new()).await;
        assert_eq!((answer.status, answer.header("content-type")), (400, "application/json"), "{event}");
        let error = answer.json();
        assert_eq!((&error["id"], &error["error"]["code"]), (&json!(null), &json!(-32600)));
        assert!(error["error"]["message"].as_str().unwrap().contains("Last-Event-ID"), "{error}");
    }
    // The session is as it was.
    assert_eq!(echo(&host, "lounge", &[("mcp-session-id", &own)], "hi").await.status, 200);
}

/// B67: the newer era has no stream beside its answers, and no session to end.
#[tokio::test]
async fn b67_the_newer_era_has_no_get_and_no_delete() {
    let version = ("mcp-protocol-version", "2026-07-28");
    for (host, tool, arguments) in [
        (desk(&[]).await, "desk__add", json!({ "by": 1 })),
        (room("lounge", &[]).await, "lounge__echo", json!({ "text": "hi" })),
    ] {
        let own = session(&host, "a").await;
        for headers in [
            &[version][..],
            &[version, ("accept", "text/event-stream")],
            &[version, ("accept", "text/event-stream"), ("mcp-session-id", own.as_str())],
            &[version, ("accept", "text/event-stream"), ("last-event-id", "0/0")],
            &[version, ("mcp-session-id", "guessed")],
        ] {
            for method in [Method::GET, Method::DELETE] {
                let answer = host.send(method, "/mcp", headers, Vec::new()).await;
                assert_eq!((answer.status, answer.header("allow")), (405, "POST"), "{headers:?}");
                assert_eq!(answer.json()["jsonrpc"], "2.0");
            }
        }
        // The session is as it was.
        let answer = host.mcp("/mcp", &[("mcp-session-id", &own)], &call(2, tool, &arguments)).await;
        assert!(answer.message()["result"]["structuredContent"].is_object(), "{}", answer.message());
    }
}

/// T10: many clients whose requests have the same ids, each of whom gets its own answers.
#[allow(clippy::print_stdout, reason = "a long run says what it has measured")]
async fn nonces(clients: u64, calls: u64) {
    // On a busy machine a connection may rest for longer than a client is given for its next request.
    let host = quiet("lounge", &["--header-timeout", "5m"]).await;
    let began = Instant::now();
    let talks = (0..clients).map(|client| {
        let url = format!("{}/mcp", host.url);
        let host = &host;
        async move {
            // A third each: the newer era, the older one without a session, and with one.
            let own = if client % 3 == 2 { Some(session(host, "nonce").await) } else { None };
            let http = nodecast_tests::http().build().unwrap();
            for at in 0..calls {
                let nonce = format!("{client}-{at}");
                let id = i64::try_from(at).unwrap();
                let params = json!({ "name": "lounge__echo", "arguments": { "text": nonce } });
                let Modern { headers, message } = match client % 3 {
                    0 => modern(id, "tools/call", Some("lounge__echo"), params),
                    _ => Modern { headers: Vec::new(), message: request(id, "tools/call", &params) },
                };
                let mut sent = http.post(&url).header("content-type", "application/json");
                sent = sent.header("accept", "application/json");
                for (name, value) in headers {
                    sent = sent.header(name, value);
                }
                if let Some(own) = &own {
                    sent = sent.header("mcp-session-id", own);
                }
                let answer = sent.body(message.to_string()).send().await.unwrap().bytes().await.unwrap();
                let answer: Json = serde_json::from_slice(&answer).unwrap();
                assert_eq!(
                    (&answer["id"], &answer["result"]["structuredContent"]["result"]),
                    (&json!(id), &json!(nonce))
                );
            }
        }
    });
    futures_util::future::join_all(talks).await;
    println!(
        "{} nonces from {clients} clients with the same ids, 0 mismatches: {:?}",
        clients * calls,
        began.elapsed()
    );
}

#[tokio::test]
async fn t10_b69_colliding_ids_are_no_mix_up() {
    nonces(64, 20).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; .ci/full runs it"]
async fn t10_a_million_nonces_with_colliding_ids() {
    nonces(64, 15_625).await;
}

const MIB: f64 = 1_048_576.0;

/// What the process has allocated, in MiB: of the system it may hold more, since an allocator keeps what it was given.
async fn allocated(host: &Host, nodeset: &str) -> f64 {
    let answer = host.post(&format!("/call/{nodeset}__heap"), &json!({})).await.json();
    answer["outputs"]["result"].as_f64().unwrap() / MIB
}

/// T11: so many handshakes that nobody ends, and so many first messages that are none; then everything is as before.
#[allow(clippy::print_stdout, reason = "a long run says what it has measured")]
async fn churn(nodeset: &str, seats: u64, count: usize) {
    const AT_ONCE: usize = 64;
    let limits = ["--idle-timeout", "1s", "--max-sessions", &seats.to_string(), "--header-timeout", "5m"];
    let host = quiet(nodeset, &limits).await;
    let is_exclusive = nodeset == "desk";
    let http = nodecast_tests::http().build().unwrap();
    let post = async |body: Vec<u8>| {
        let sent = http.post(format!("{}/mcp", host.url)).header("content-type", "application/json");
        let answer = sent.header("accept", "application/json, text/event-stream").body(body).send().await.unwrap();
        let status = answer.status().as_u16();
        answer.bytes().await.unwrap();
        status
    };
    let emptied = async || {
        let began = Instant::now();
        while lease(&host).await != "free" || (!is_exclusive && open(&host).await > 0) {
            assert!(began.elapsed() < Duration::from_secs(120), "sessions stay open");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    // Connections and caches first, which stay.
    for _ in 0..2 {
        let warm = (0..AT_ONCE).map(|_| post(initialize(1, "warm").to_string().into_bytes()));
        futures_util::future::join_all(warm).await;
    }
    emptied().await;
    let (base, began) = (allocated(&host, nodeset).await, Instant::now());
    let (mut made, mut most, mut peak) = (0, 0, base);
    let mut junk = 0;
    while made < count || junk < count {
        let shakes = (0..AT_ONCE).map(|_| post(initialize(1, "churn").to_string().into_bytes()));
        for status in futures_util::future::join_all(shakes).await {
            assert!(matches!(status, 200 | 409 | 503), "{status}");
            made += usize::from(status == 200);
        }
        let bodies = [&b"nope"[..], b"[]", b"{}", br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}"#];
        let messages = (0..AT_ONCE).map(|at| post(bodies[at % bodies.len()].to_vec()));
        assert!(futures_util::future::join_all(messages).await.iter().all(|status| *status == 400));
        junk += AT_ONCE;
        peak = allocated(&host, nodeset).await.max(peak);
        if !is_exclusive {
            most = open(&host).await.max(most);
        }
        // A held nodeset takes one handshake an idle limit; that no more get in is what counts.
        if is_exclusive && junk >= count {
            break;
        }
    }
    assert!(most <= seats, "{most} sessions at once");
    let took = began.elapsed();
    emptied().await;
    let after = allocated(&host, nodeset).await;
    println!(
        "{nodeset}: {made} initializes without DELETE and {junk} junk first POSTs in {took:?}: at most {most} sessions, none left; \
         {base:.1} MiB allocated before, {peak:.1} at most, {after:.1} after"
    );
    // A session has some 60 KiB, so seventeen that stayed would show.
    assert!(after < base + 1.0, "{base} MiB before, {after} MiB after");
}

#[tokio::test]
async fn t11_handshakes_that_nobody_ends_leave_nothing() {
    churn("lounge", 64, 256).await;
    churn("desk", 64, 256).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes minutes; .ci/full runs it"]
async fn t11_a_hundred_thousand_handshakes_that_nobody_ends() {
    churn("lounge", 1_024, 100_000).await;
    churn("desk", 1_024, 100_000).await;
}
