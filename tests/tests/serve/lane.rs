//! The direct lane beside rmcp: the same requests to a host with the lane and to one without it, and the same answers.

use std::time::Duration;

use nodecast_tests::{Host, http, initialize};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;
use reqwest::Client;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value as Json, json};

use crate::{HOST, tiny};

const SEED: u64 = 20_261_130;
/// An answer that takes longer is none.
const LIMIT: Duration = Duration::from_secs(20);

/// So many requests; a longer run sets another number.
fn runs() -> u64 {
    std::env::var("NODECAST_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(500)
}

/// A request that may be in order, and may not.
#[derive(Debug)]
struct Sent {
    headers: HeaderMap,
    body: Vec<u8>,
}

/// What came back, as far as a client can tell.
#[derive(Debug, PartialEq)]
struct Got {
    status: u16,
    headers: Vec<(String, String)>,
    body: Result<Json, String>,
}

struct Dice(Pcg32);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap() % bound
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())].clone()
    }
}

/// A request; most are plain, and each part may be another one.
fn request(dice: &mut Dice) -> Sent {
    let newer = dice.once_in(2);
    let method = if dice.once_in(12) {
        dice.pick(&["tools/nothing", "ping", "server/discover", "logging/setLevel", "notifications/initialized", ""])
    } else {
        dice.pick(&["tools/call", "tools/call", "tools/list"])
    };
    let name = if dice.once_in(12) {
        dice.pick(&["tiny__ehco", "", "tiny__Echo", "echo"])
    } else {
        dice.pick(&[
            "tiny__echo",
            "tiny__echo",
            "tiny__fails",
            "tiny__boom",
            "tiny__picture",
            "tiny__numbers",
            "tiny__nothing",
        ])
    };
    let mut message = Map::new();
    message.insert("jsonrpc".to_owned(), if dice.once_in(60) { "1.0" } else { "2.0" }.into());
    if !dice.once_in(60) {
        let ids = [
            json!(1),
            json!(0),
            json!(-7),
            json!("seven"),
            json!(""),
            json!(9_007_199_254_740_991_i64),
            json!(1.5),
            json!(null),
            json!({}),
        ];
        let usual = if dice.once_in(20) { ids.len() } else { 6 };
        message.insert("id".to_owned(), dice.pick(&ids[..usual]));
    }
    message.insert("method".to_owned(), method.into());
    if let Some(params) = params(dice, newer, method, name) {
        message.insert("params".to_owned(), params);
    }
    if dice.once_in(60) {
        message.insert("more".to_owned(), 1.into());
    }
    let mut body = Json::Object(message).to_string().into_bytes();
    if dice.once_in(40) {
        let (at, byte) = (dice.below(body.len()), dice.pick(b"{}[]\",:0\\\x00\xff "));
        body[at] = byte;
    }
    Sent { headers: headers(dice, newer, method, name), body }
}

fn params(dice: &mut Dice, newer: bool, method: &str, name: &str) -> Option<Json> {
    if dice.once_in(40) {
        return dice.pick(&[None, Some(json!(null)), Some(json!([])), Some(json!("x"))]);
    }
    let mut params = Map::new();
    if method == "tools/call" {
        if !dice.once_in(40) {
            params.insert("name".to_owned(), if dice.once_in(60) { json!(7) } else { name.into() });
        }
        let arguments = [
            json!({ "text": "hi" }),
            json!({ "text": "hi", "count": 2 }),
            json!({ "text": "hi", "count": 2.0, "sep": "+" }),
            json!({}),
            json!({ "text": 5, "count": 300, "zz": 1 }),
            json!({ "text": "ä😀\u{2028}\u{0}", "count": null }),
            json!({ "text": 9_007_199_254_740_993_i64 }),
            json!(null),
            json!([]),
            json!("text"),
        ];
        let usual = if dice.once_in(10) { arguments.len() } else { 6 };
        if !dice.once_in(20) {
            params.insert("arguments".to_owned(), dice.pick(&arguments[..usual]));
        }
    } else if dice.once_in(6) {
        params.insert(
            "cursor".to_owned(),
            dice.pick(&[json!("junk"), json!(""), json!(7), json!(null), json!("from-100")]),
        );
    }
    if dice.once_in(30) {
        let (member, value) = dice.pick(&[
            ("task", json!({})),
            ("inputResponses", json!({})),
            ("requestState", json!("x")),
            ("more", json!(1)),
        ]);
        params.insert(member.to_owned(), value);
    }
    if let Some(meta) = meta(dice, newer) {
        params.insert("_meta".to_owned(), meta);
    }
    Some(Json::Object(params))
}

fn meta(dice: &mut Dice, newer: bool) -> Option<Json> {
    if dice.once_in(40) {
        return dice.pick(&[None, Some(json!({})), Some(json!(null)), Some(json!(7))]);
    }
    let mut meta = Map::new();
    if newer {
        let version = if dice.once_in(30) {
            dice.pick(&[json!("2025-11-25"), json!("2027-01-01"), json!(7)])
        } else {
            json!("2026-07-28")
        };
        meta.insert("io.modelcontextprotocol/protocolVersion".to_owned(), version);
        let capabilities = [
            json!({}),
            json!({ "elicitation": {} }),
            json!({ "sampling": {}, "roots": { "listChanged": true } }),
            json!([]),
            json!({ "roots": 1 }),
        ];
        if !dice.once_in(30) {
            let usual = if dice.once_in(20) { capabilities.len() } else { 3 };
            meta.insert("io.modelcontextprotocol/clientCapabilities".to_owned(), dice.pick(&capabilities[..usual]));
        }
        if !dice.once_in(10) {
            let info = if dice.once_in(30) { json!(1) } else { json!({ "name": "test", "version": "1" }) };
            meta.insert("io.modelcontextprotocol/clientInfo".to_owned(), info);
        }
    } else if dice.once_in(2) {
        return None;
    }
    if dice.once_in(12) {
        let (member, value) = dice.pick(&[
            ("traceparent", json!("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")),
            ("traceparent", json!(7)),
            ("progressToken", json!("p")),
            ("progressToken", json!({})),
            ("io.modelcontextprotocol/logLevel", json!("debug")),
            ("io.modelcontextprotocol/logLevel", json!("loud")),
            ("example.com/more", json!([1])),
        ]);
        meta.insert(member.to_owned(), value);
    }
    Some(Json::Object(meta))
}

fn headers(dice: &mut Dice, newer: bool, method: &str, name: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut add = |dice: &mut Dice, header: &'static str, value: &str| {
        let value = if dice.once_in(40) {
            dice.pick(&["", "other", "2025-06-18", "=?base64?dGlueV9fZWNobw==?="])
        } else {
            value
        };
        let value = HeaderValue::from_str(value).unwrap();
        if dice.once_in(60) {
            headers.append(HeaderName::from_static(header), value.clone());
        }
        if !dice.once_in(40) {
            headers.append(HeaderName::from_static(header), value);
        }
    };
    add(dice, "content-type", "application/json");
    let accept = dice.pick(&["application/json, text/event-stream", "application/json", "*/*"]);
    add(dice, "accept", accept);
    if newer || dice.once_in(2) {
        let older = dice.pick(&["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2023-01-01"]);
        add(dice, "mcp-protocol-version", if newer { "2026-07-28" } else { older });
    }
    if newer || dice.once_in(20) {
        add(dice, "mcp-method", method);
        if method == "tools/call" || dice.once_in(20) {
            add(dice, "mcp-name", name);
        }
    }
    if dice.once_in(30) {
        add(dice, "mcp-session-id", "abc");
    }
    if dice.once_in(30) {
        add(dice, "traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }
    headers
}

async fn send(client: &Client, host: &Host, sent: &Sent) -> Got {
    let request = client.post(format!("{}/mcp", host.url)).headers(sent.headers.clone()).body(sent.body.clone());
    let response = request.send().await;
    assert!(response.is_ok(), "{response:?}: {sent:?}");
    let response = response.unwrap();
    let status = response.status().as_u16();
    let mut headers: Vec<_> = response
        .headers()
        .iter()
        .filter(|(name, _)| *name != "date")
        .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
        .collect();
    headers.sort();
    let body = String::from_utf8(response.bytes().await.unwrap().to_vec()).unwrap();
    let body = without_addresses(&body);
    // Members may stand in any order, and with it goes nothing of the length.
    Got { status, headers, body: serde_json::from_str(&body).map_err(|_| body) }
}

/// The addresses of what results left out are random.
fn without_addresses(body: &str) -> String {
    const ADDRESS: &str = "nodecast://results/";
    let mut parts = body.split(ADDRESS);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + ADDRESS + part.trim_start_matches(|digit: char| digit.is_ascii_hexdigit()))
}

/// How many differ of so many requests; shows the first.
async fn differences(one: &Host, other: &Host, runs: u64) -> (u64, Option<String>) {
    let client = http().timeout(LIMIT).build().unwrap();
    let mut dice = Dice(Pcg32::new(SEED, 1));
    let (mut differ, mut first, mut succeeded) = (0, None, 0);
    for _ in 0..runs {
        let sent = request(&mut dice);
        let (here, there) = (send(&client, one, &sent).await, send(&client, other, &sent).await);
        succeeded += u64::from(here.body.as_ref().is_ok_and(|body| body.get("result").is_some()));
        if here != there {
            differ += 1;
            let body = String::from_utf8_lossy(&sent.body).into_owned();
            first.get_or_insert_with(|| format!("{:#?}\n{body}\n{here:#?}\n{there:#?}", sent.headers));
        }
    }
    assert!(succeeded > runs / 3, "only {succeeded} of {runs} were in order, so little was compared");
    (differ, first)
}

#[tokio::test]
async fn the_lane_answers_as_rmcp_does() {
    let quiet = async |arguments: &[&str]| Host::quiet(HOST, &[&["--nodeset", "tiny"], arguments].concat()).await;
    let (lane, rmcp) = (quiet(&[]).await, quiet(&["--no-direct-lane"]).await);
    let (differ, first) = differences(&lane, &rmcp, runs()).await;
    assert_eq!(differ, 0, "{}", first.unwrap_or_default());
}

/// The comparison sees what it should see.
#[tokio::test]
async fn a_planted_difference_is_found() {
    let (one, other) = (tiny(&[]).await, tiny(&["--no-direct-lane", "--profile", "full"]).await);
    let (differ, _) = differences(&one, &other, 200).await;
    assert!(differ > 0);
}

/// In the older era the end of a connection is no cancellation; in the newer one it is (`mcp.md` 3).
#[tokio::test]
async fn b58_the_lane_cancels_as_the_era_says() {
    let host = tiny(&[]).await;
    assert_eq!(host.mcp("/mcp", &[], &initialize(1, "test")).await.status, 200);
    let counts = async || host.post("/call/tiny__counts", &json!({})).await.json()["outputs"].clone();
    let slow = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "tiny__slow", "arguments": { "ms": 300 } } });
    let mut newer = slow.clone();
    newer["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
    });
    for (message, headers) in [
        (slow, vec![]),
        (newer, vec![("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "tiny__slow")]),
    ] {
        let before = counts().await;
        let mut request = http().build().unwrap().post(format!("{}/mcp", host.url)).json(&message);
        for (name, value) in &headers {
            request = request.header(*name, *value);
        }
        let gone = tokio::time::timeout(Duration::from_millis(100), request.send()).await;
        assert!(gone.is_err(), "it answered before it was left alone");
        tokio::time::sleep(Duration::from_millis(500)).await;
        let after = counts().await;
        let ended = |counts: &Json| counts["ended"].as_u64().unwrap();
        let dropped = |counts: &Json| counts["dropped"].as_u64().unwrap();
        let modern = u64::from(!headers.is_empty());
        assert_eq!((ended(&after) - ended(&before), dropped(&after) - dropped(&before)), (1 - modern, modern));
    }
}
