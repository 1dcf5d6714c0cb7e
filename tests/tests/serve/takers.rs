//! Who takes an exclusive nodeset, through which door, and who does not: many at once, the vanished, `/call`, stdio (`mcp.md` 4).

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use nodecast_tests::{Host, Modern, call, initialize, modern};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::exclusive::{end, lease, session, shake};
use crate::leases::{ask, refused, release, result};
use crate::{desk, gridworld, quiet, room};

/// `rounds` of fifty simultaneous takers, half of each era: one winner each, and the others are told who.
#[allow(clippy::print_stdout, reason = "a long run says what it has measured")]
async fn rounds(rounds: usize) {
    let host = quiet("gridworld", &[]).await;
    let began = Instant::now();
    for round in 0..rounds {
        let takers = (0..50).map(|id| {
            let host = &host;
            async move {
                if id % 2 == 0 {
                    let answer = shake(host, id, "one of fifty").await;
                    assert!(matches!(answer.status, 200 | 409), "{}", answer.message());
                    (answer.status == 200).then(|| (answer.header("mcp-session-id").to_owned(), true))
                } else {
                    let taken = result(host, "gridworld__acquire", json!({})).await;
                    let lease = taken["structuredContent"]["lease"].as_str();
                    if lease.is_none() {
                        assert_eq!(refused(&taken)["type"], "lease_held");
                    }
                    lease.map(|lease| (lease.to_owned(), false))
                }
            }
        });
        let won: Vec<_> = futures_util::future::join_all(takers).await.into_iter().flatten().collect();
        assert_eq!(won.len(), 1, "round {round}");
        assert_eq!(lease(&host).await, "held");
        match &won[0] {
            (session, true) => assert!(end(&host, session).await < 300),
            (lease, false) => assert_eq!(release(&host, "gridworld", lease).await["isError"], false),
        }
        assert_eq!(lease(&host).await, "free");
    }
    println!("{rounds} rounds of 50 takers over both eras, one winner each: {:?}", began.elapsed());
}

#[tokio::test]
async fn t13_b66_fifty_takers_of_both_eras() {
    rounds(20).await;
}

#[tokio::test]
#[ignore = "takes minutes; .ci/full runs it"]
async fn t13_b66_a_thousand_rounds_of_fifty_takers_of_both_eras() {
    rounds(1_000).await;
}

/// One request on a connection of its own, which is then reset before the answer is read.
fn ask_and_reset(host: &Host, headers: &[(&str, String)], message: &Json) {
    let stream = sent(host, headers, message);
    // The answer is there, and unread data makes the close a reset.
    stream.peek(&mut [0; 64]).unwrap();
    std::thread::sleep(Duration::from_millis(20));
}

#[tokio::test]
async fn t13_a_client_that_resets_right_after_taking_it_leaves_it_free() {
    let host = desk(&[]).await;
    let Modern { headers, message: acquire } =
        modern(7, "tools/call", Some("desk__acquire"), json!({ "name": "desk__acquire" }));
    for (headers, message) in [(Vec::new(), initialize(1, "gone")), (headers, acquire)] {
        for _ in 0..5 {
            ask_and_reset(&host, &headers, &message);
            freed(&host, &format!("reset after {message}")).await;
        }
    }
    // Whoever reads the answer may hang up in order, and comes back.
    let own = session(&host, "stays").await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let answer = host.mcp("/mcp", &[("mcp-session-id", &own)], &call(2, "desk__add", &json!({ "by": 1 }))).await;
    assert_eq!(answer.status, 200);
}

/// The bytes of a request, and the connection that it went over.
fn sent(host: &Host, headers: &[(&str, String)], message: &Json) -> TcpStream {
    let body = message.to_string();
    let mut head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json\r\nContent-Length: {}\r\n",
        host.authority(),
        body.len()
    );
    for (name, value) in headers {
        head.extend([*name, ": ", value, "\r\n"]);
    }
    let mut stream = TcpStream::connect(host.authority()).unwrap();
    stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
    stream
}

async fn freed(host: &Host, why: &str) {
    let began = Instant::now();
    while lease(host).await != "free" {
        assert!(began.elapsed() < Duration::from_secs(2), "held by nobody: {why}");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

/// T13: who sends and closes in order reads nothing, and holds nothing; long before the reaper comes.
#[tokio::test]
async fn t13_a_client_that_closes_right_after_taking_it_leaves_it_free() {
    let host = desk(&[]).await;
    let Modern { headers, message: acquire } =
        modern(7, "tools/call", Some("desk__acquire"), json!({ "name": "desk__acquire" }));
    let closing = [("Connection", "close".to_owned())];
    for (headers, message) in
        [(&[][..], &initialize(1, "gone")), (&closing[..], &initialize(1, "gone")), (&headers[..], &acquire)]
    {
        // Before the answer is made, while it is written, and after.
        for micros in [0, 0, 0, 200, 400, 600, 800, 1_000, 1_500, 2_500] {
            let stream = sent(&host, headers, message);
            let began = Instant::now();
            while began.elapsed() < Duration::from_micros(micros) {
                std::hint::spin_loop();
            }
            drop(stream);
            // A request that was not read yet takes nothing; so nothing is held some time later, whatever came first.
            tokio::time::sleep(Duration::from_millis(30)).await;
            freed(&host, &format!("{micros} µs after {message}")).await;
        }
    }
}

/// A client that closes its side and reads on either has its answer and holds the nodeset, or neither.
#[tokio::test]
async fn t13_a_client_that_closes_for_writing_alone_holds_what_it_reads() {
    use std::io::Read as _;
    let host = desk(&[]).await;
    let mut held = 0;
    for micros in [0, 0, 500, 1_000, 2_000, 5_000, 20_000] {
        let mut stream = sent(&host, &[], &initialize(1, "half"));
        std::thread::sleep(Duration::from_micros(micros));
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        if answer.is_empty() {
            freed(&host, "no answer was read").await;
            continue;
        }
        held += 1;
        let (_, rest) = answer.split_once("mcp-session-id: ").unwrap();
        let own = rest.split_once("\r\n").unwrap().0;
        tokio::time::sleep(Duration::from_millis(100)).await;
        assert_eq!(lease(&host).await, "held", "after {micros} µs");
        let add = call(2, "desk__add", &json!({ "by": 1 }));
        assert_eq!(host.mcp("/mcp", &[("mcp-session-id", own)], &add).await.status, 200);
        assert!(end(&host, own).await < 300);
    }
    assert!(held > 0, "no answer was in time");
}

#[tokio::test]
async fn exclusive_all_gates_call_too() {
    let host = room("safe", &["--idle-timeout", "1500ms"]).await;
    let echo = json!({ "text": "hi" });
    let send = async |function: &str, headers: &[(&str, &str)], body: &Json| {
        host.send(Method::POST, &format!("/call/{function}"), headers, body.to_string().into_bytes()).await
    };
    let without = send("safe__echo", &[], &echo).await;
    assert_eq!(
        (without.status, &without.json()["type"], &without.json()["stage"]),
        (409, &json!("lease_needed"), &json!("busy"))
    );
    assert!(without.json()["detail"].as_str().unwrap().contains("`safe__acquire`"));
    assert_eq!(send("safe__acquire", &[], &json!({ "force": true })).await.status, 422);
    assert_eq!(lease(&host).await, "free");

    let taken = send("safe__acquire", &[], &json!({})).await.json();
    assert_eq!(taken["outputs"]["idle_timeout_s"], 1.5);
    let own = taken["outputs"]["lease"].as_str().unwrap().to_owned();
    let shown = [("nodecast-lease", own.as_str())];
    assert_eq!(send("safe__echo", &shown, &echo).await.json()["outputs"]["result"], "hi");
    let unknown = "0".repeat(32);
    for wrong in [&[("nodecast-lease", unknown.as_str())][..], &[("nodecast-lease", "x")]] {
        let answer = send("safe__echo", wrong, &echo).await;
        assert_eq!((answer.status, &answer.json()["type"]), (409, &json!("lease_held")));
        assert_ne!(answer.header("retry-after"), "");
    }
    let twice = [shown[0], shown[0]];
    assert_eq!(send("safe__echo", &twice, &echo).await.status, 400);
    let busy = send("safe__acquire", &[], &json!({})).await;
    assert_eq!((busy.status, &busy.json()["type"]), (409, &json!("lease_held")));
    assert_ne!(busy.header("retry-after"), "");
    // One lock with both eras of MCP.
    assert_eq!(shake(&host, 1, "older").await.status, 409);
    assert_eq!(refused(&result(&host, "safe__acquire", json!({})).await)["type"], "lease_held");
    // What was taken at one door opens the other.
    assert_eq!(result(&host, "safe__echo", json!({ "text": "hi", "lease": own })).await["isError"], false);

    // Given back during a call, it is free after it; in msgpack as well.
    let headers = [("nodecast-lease", own.as_str()), ("content-type", "application/msgpack")];
    let half_a_second = json!({ "ms": 500 });
    let resting = send("safe__rest", &shown, &half_a_second);
    let release = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        let answer = host.send(Method::POST, "/call/safe__release", &headers, Vec::new()).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "application/msgpack"));
        let body: Json = rmp_serde::from_slice(&answer.body).unwrap();
        assert_eq!(body, json!({ "outputs": { "released": true } }));
        lease(&host).await
    };
    let (rested, while_resting) = tokio::join!(resting, release);
    assert_eq!((rested.status, while_resting.as_str()), (200, "draining"));
    assert_eq!(lease(&host).await, "free");

    let manifest = host.get("/manifest").await.json();
    assert_eq!(manifest["nodecast"]["gated"], json!(["mcp", "call"]));
    assert!(!manifest["functions"].to_string().contains("acquire"), "in no manifest");
}

#[tokio::test]
async fn exclusive_all_is_reaped_without_mcp_too() {
    let host = room("safe", &["--no-mcp", "--idle-timeout", "300ms"]).await;
    assert_eq!(host.post("/call/safe__acquire", &json!({})).await.status, 200);
    assert_eq!(host.post("/call/safe__acquire", &json!({})).await.status, 409);
    tokio::time::sleep(Duration::from_millis(600)).await;
    assert_eq!(lease(&host).await, "free");
    assert_eq!(host.post("/call/safe__acquire", &json!({})).await.status, 200);
    // Where `/call` is not gated, there is no such function.
    assert_eq!(desk(&[]).await.post("/call/desk__acquire", &json!({})).await.status, 404);
}

/// `modern = "reject"`, and the profile that knows no lease.
#[tokio::test]
async fn b46_where_the_newer_era_is_refused_it_is_told_which_versions_are_served() {
    for (host, tool) in [
        (room("attic", &[]).await, "attic__echo"),
        (gridworld(&["--profile", "reference"]).await, "gridworld__observe"),
    ] {
        for (method, name) in [("server/discover", None), ("tools/list", None), ("tools/call", Some(tool))] {
            let params = name.map_or(json!({}), |name| json!({ "name": name }));
            let answer = ask(&host, method, name, params).await;
            let error = &answer.json()["error"];
            assert_eq!(
                (answer.status, &error["code"], &answer.json()["id"]),
                (400, &json!(-32022), &json!(7)),
                "{error}"
            );
            assert_eq!(error["data"]["supported"].as_array().unwrap().last(), Some(&json!("2025-11-25")));
        }
        assert_eq!(lease(&host).await, "free");
        let own = session(&host, "older").await;
        let list =
            host.mcp("/mcp", &[("mcp-session-id", &own)], &nodecast_tests::request(2, "tools/list", &json!({}))).await;
        assert!(!list.message().to_string().contains("lease"), "{}", list.message());
    }
}

/// Over stdio the process is the holder, and over HTTP beside it nobody is.
#[tokio::test]
async fn on_stdio_the_process_holds_it() {
    let (mut client, host) = Host::beside_stdio(crate::HOST, &["--nodeset", "desk", "--idle-timeout", "300ms"]);
    let mut say = |message: &Json| -> Json { client.ask(message) };
    let params = |tool: &str, arguments: Json| {
        modern(7, "tools/call", Some(tool), json!({ "name": tool, "arguments": arguments })).message
    };
    let taken = say(&params("desk__acquire", json!({})));
    assert_eq!(taken["result"]["structuredContent"]["lease"], "this-session", "{taken}");
    assert_eq!(say(&params("desk__add", json!({ "by": 2 })))["result"]["structuredContent"], json!({ "result": 2 }));
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(lease(&host).await, "held", "a process does not idle");
    let error = refused(&result(&host, "desk__acquire", json!({})).await);
    assert_eq!(
        (&error["data"]["heldBy"], &error["data"]["freesInMsIfIdle"]),
        (&json!("the client on stdio"), &json!(null))
    );
    assert_eq!(shake(&host, 1, "older").await.status, 409);
    assert_eq!(say(&params("desk__release", json!({})))["result"]["structuredContent"], json!({ "released": false }));
    assert_eq!(say(&params("desk__add", json!({ "by": 2 })))["result"]["structuredContent"], json!({ "result": 4 }));
}

/// The lines of the book, as a user copies them.
#[tokio::test]
async fn the_lines_of_the_book_work() {
    let page = nodecast_tests::here("../docs/exclusivity.md");
    let page = std::fs::read_to_string(page).unwrap();
    let host = gridworld(&[]).await;
    let mut script = String::new();
    for block in page.split("```console\n").skip(1).map(|rest| rest.split("```").next().unwrap()) {
        for line in block.lines().filter(|line| !line.contains("codegen-cli serve")) {
            script += line.strip_prefix("$ ").unwrap_or(line);
            script += "\n";
        }
    }
    let script = script.replace("localhost:9200", host.authority());
    let run = move || std::process::Command::new("bash").arg("-c").arg(script).output();
    let Ok(output) = tokio::task::spawn_blocking(run).await.unwrap() else {
        println!("not run: there is no bash here");
        return;
    };
    let (said, failed) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    if failed.contains("curl: command not found") {
        println!("not run: there is no curl here");
        return;
    }
    // Two steps, one in each era, from the same maze on, and the lease given back.
    assert_eq!(said.matches("\"steps\":").count(), 2, "{said}{failed}");
    assert!(said.contains("\"released\":true") && !said.contains("\"isError\":true"), "{said}{failed}");
    assert_eq!(lease(&host).await, "free");
}
