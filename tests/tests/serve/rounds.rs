//! What counts as an answer to a question (mcp.md 1): in the newer era what was asked in the round before, and once; in
//! the older one what a client can hear.

use std::sync::atomic::{AtomicU64, Ordering};

use nodecast::ask::Form;
use nodecast::prelude::*;
use nodecast_tests::{Modern, call, http, modern, request};
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::asking::{GREET, accepted, ask};
use crate::conformance;

const ROUNDS: &str = "test_input_required_result_multi_round";

fn more(round: &Json, answers: Json) -> Json {
    json!({ "requestState": round["result"]["requestState"], "inputResponses": answers })
}

/// SEP-2322: what answers nothing is no error, and the question is put.
#[tokio::test]
async fn answers_without_a_state_answer_nothing_that_was_asked() {
    let host = conformance(&[]).await;
    for answers in [json!({ "user_name": accepted(json!({ "name": "Mallory" })) }), json!({ "other": 1 }), json!({})] {
        let (_, asked) = ask(&host, GREET, json!({}), json!({ "inputResponses": answers })).await;
        assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
        assert!(asked["result"]["inputRequests"]["user_name"].is_object(), "{asked}");
    }
}

#[tokio::test]
async fn what_a_round_has_sealed_no_later_round_rewrites() {
    let host = conformance(&[]).await;
    let (_, one) = ask(&host, ROUNDS, json!({}), json!({})).await;
    let ada = json!({ "step1": accepted(json!({ "name": "Ada" })) });
    let (_, two) = ask(&host, ROUNDS, json!({}), more(&one, ada)).await;
    let both =
        json!({ "step1": accepted(json!({ "name": "Mallory" })), "step2": accepted(json!({ "color": "blue" })) });
    let (_, three) = ask(&host, ROUNDS, json!({}), more(&two, both)).await;
    assert_eq!(three["result"]["content"][0]["text"], "Ada likes blue");
}

#[tokio::test]
async fn what_was_not_asked_yet_is_no_answer() {
    let host = conformance(&[]).await;
    let (_, one) = ask(&host, ROUNDS, json!({}), json!({})).await;
    let early = json!({ "step1": accepted(json!({ "name": "Ada" })), "step2": accepted(json!({ "color": "red" })) });
    let (_, two) = ask(&host, ROUNDS, json!({}), more(&one, early)).await;
    let keys: Vec<_> = two["result"]["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["step2"], "nobody was asked for it: {two}");
}

/// A client with a session that accepts JSON alone hears no question; it is told, and does not wait for ever.
#[tokio::test]
async fn b55_who_accepts_json_alone_cannot_be_asked_on_a_session() {
    let host = conformance(&[]).await;
    let json_alone = [("content-type", "application/json"), ("accept", "application/json")];
    let hello = request(
        1,
        "initialize",
        &json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} },
            "clientInfo": { "name": "json", "version": "1" } }),
    );
    let answer = host.send(Method::POST, "/mcp", &json_alone, hello.to_string().into_bytes()).await;
    let own = answer.header("mcp-session-id").to_owned();
    let headers = [json_alone[0], json_alone[1], ("mcp-session-id", own.as_str())];
    let asks = call(2, GREET, &json!({})).to_string().into_bytes();
    let waited =
        tokio::time::timeout(std::time::Duration::from_secs(5), host.send(Method::POST, "/mcp", &headers, asks));
    let answer = waited.await.unwrap().json();
    let error: Json = serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(error["type"], "cannot_ask", "{error}");
    assert!(error["error"].as_str().unwrap().contains("text/event-stream"), "{error}");
}

static RUNS: AtomicU64 = AtomicU64::new(0);

/// Asks, and needs no session for it.
#[nodeset(name = "curious", nodes(Greet), resources(Diary))]
#[derive(Default)]
struct Curious;

/// Counts its runs, and then asks.
#[node]
struct Greet {
    greeting: String,
}

/// What somebody wrote.
#[resource(uri = "curious://diary")]
struct Diary;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Who {
    name: String,
}

async fn who(cx: &Context) -> Result<String, Error> {
    RUNS.fetch_add(1, Ordering::SeqCst);
    let Who { name } = cx.ask(Form::<Who>::new("who", "Who are you?")).await?.accepted()?;
    Ok(name)
}

impl Node<Curious> for Greet {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Curious, cx: &Context) -> Result<String, Error> {
        Ok(format!("{}, {}", self.greeting, who(cx).await?))
    }
}

impl Resource<Curious> for Diary {
    type Error = Error;

    async fn read(self, _: &Curious, cx: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(format!("the diary of {}", who(cx).await?)))
    }
}

/// A host of it, and its address.
async fn curious(no_direct_lane: bool) -> String {
    let options = nodecast::serve::Options { no_direct_lane, ..Default::default() };
    let routes = nodecast::Host::new().nodeset::<Curious>(()).options(options).into_router().await.unwrap();
    nodecast_tests::serve(routes).await + "/mcp"
}

/// The status and the body.
async fn post(url: &str, Modern { headers, message }: Modern) -> (u16, Json) {
    let mut request = http().build().unwrap().post(url).json(&message);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// What stands before a question is done once a round (`docs/asking-the-client.md`), whoever answers the request; and what
/// stands on an answer is for nobody else to keep, since a cache knows the request alone (`reference.md` 2, 15).
#[tokio::test]
async fn a_question_ends_one_run_and_its_answer_is_nobody_elses() {
    let mut answers = Vec::new();
    for no_direct_lane in [false, true] {
        let url = curious(no_direct_lane).await;
        let asked = async |method: &str, name: &str, params: &Json, more: Json, capabilities: Json| {
            let mut params = params.clone();
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let before = RUNS.load(Ordering::SeqCst);
            let (status, body) = post(&url, modern(7, method, Some(name), params).declaring(capabilities)).await;
            (status, body, RUNS.load(Ordering::SeqCst) - before)
        };
        for (method, name, params) in [
            ("tools/call", "curious__greet", json!({ "name": "curious__greet", "arguments": { "greeting": "Hello" } })),
            ("resources/read", "curious://diary", json!({ "uri": "curious://diary" })),
        ] {
            let (status, lacking, runs) = asked(method, name, &params, json!({}), json!({})).await;
            assert_eq!((status, &lacking["error"]["code"], runs), (400, &json!(-32021), 1), "{lacking}");
            let forms = json!({ "elicitation": {} });
            let (status, mut first, runs) = asked(method, name, &params, json!({}), forms.clone()).await;
            assert_eq!((status, &first["result"]["resultType"], runs), (200, &json!("input_required"), 1), "{first}");
            let state = first["result"]["requestState"].take();
            let said = json!({ "who": { "action": "accept", "content": { "name": "Ada" } } });
            let more = json!({ "requestState": state, "inputResponses": said });
            let (status, second, runs) = asked(method, name, &params, more, forms).await;
            assert_eq!((status, runs), (200, 1), "{second}");
            answers.push([lacking, first, second]);
        }
    }
    assert_eq!(answers[0], answers[2]);
    assert_eq!(answers[1], answers[3]);
    assert_eq!(answers[0][2]["result"]["structuredContent"]["result"], "Hello, Ada");
    let read = &answers[1][2]["result"];
    assert_eq!(read["contents"][0]["text"], "the diary of Ada");
    assert_eq!((&read["ttlMs"], &read["cacheScope"]), (&json!(0), &json!("private")), "{read}");
}
