//! The lease of the newer era, one lock with the sessions of the older one (`mcp.md` 4).

use std::time::{Duration, Instant};

use nodecast_tests::{Answer, Host, call, modern};
use serde_json::{Value as Json, json};

use crate::exclusive::{end, junk, lease, session, shake};
use crate::{desk, gridworld};

/// A request of the newer era; the lease among its arguments is mirrored, as clients of that era do.
pub(crate) async fn ask(host: &Host, method: &str, name: Option<&str>, params: Json) -> Answer {
    let shown = match &params["arguments"]["lease"] {
        Json::Null => None,
        Json::String(lease) => Some(lease.clone()),
        other => Some(other.to_string()),
    };
    let mut asked = modern(7, method, name, params);
    asked.headers.extend(shown.map(|lease| ("mcp-param-lease", lease)));
    host.ask(&asked).await
}

/// The result of a call of the newer era.
pub(crate) async fn result(host: &Host, tool: &str, arguments: Json) -> Json {
    let answer = ask(host, "tools/call", Some(tool), json!({ "name": tool, "arguments": arguments })).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{}", answer.json());
    answer.json()["result"].clone()
}

/// The error object of a tool error: it is told as one, and with the same stage beside it.
pub(crate) fn refused(result: &Json) -> Json {
    assert_eq!(result["isError"], true, "{result}");
    let error: Json = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(result["_meta"]["nodecast/stage"], error["stage"]);
    error
}

pub(crate) async fn acquire(host: &Host, nodeset: &str) -> String {
    let taken = result(host, &format!("{nodeset}__acquire"), json!({})).await;
    assert_ne!(taken["isError"], true, "{taken}");
    taken["structuredContent"]["lease"].as_str().unwrap().to_owned()
}

pub(crate) async fn release(host: &Host, nodeset: &str, lease: &str) -> Json {
    result(host, &format!("{nodeset}__release"), json!({ "lease": lease })).await
}

#[tokio::test]
async fn the_newer_era_takes_shows_and_gives_back_a_lease() {
    let host = gridworld(&[]).await;
    let look = |lease: Json| result(&host, "gridworld__observe", json!({ "lease": lease }));
    for nothing in [json!(null), json!("0123456789abcdef0123456789abcdef"), json!("guessed")] {
        let error = refused(&look(nothing.clone()).await);
        assert_eq!((&error["stage"], &error["retryable"]), (&json!("busy"), &json!(false)), "{error}");
        assert!(error["error"].as_str().unwrap().contains("`gridworld__acquire`"), "{error}");
        assert_eq!(error["type"], if nothing.is_null() { "lease_needed" } else { "lease_unknown" });
    }
    assert_eq!(lease(&host).await, "free");

    let taken = result(&host, "gridworld__acquire", json!({})).await;
    let content = &taken["structuredContent"];
    assert_eq!(content["idle_timeout_s"], 600);
    let own = content["lease"].as_str().unwrap();
    assert!(own.len() == 32 && own.bytes().all(|byte| byte.is_ascii_hexdigit()), "128 bits: {own}");
    assert_eq!(serde_json::from_str::<Json>(taken["content"][0]["text"].as_str().unwrap()).unwrap(), *content);
    assert_eq!(lease(&host).await, "held");

    // The node sees its own arguments alone, or it would refuse the call.
    assert_eq!(look(json!(own)).await["isError"], false);
    let moved = result(&host, "gridworld__step", json!({ "action": "right", "lease": own })).await;
    assert_eq!(moved["structuredContent"]["steps"], 1, "{moved}");
    // Whoever comes without one is told who has it.
    for needed in [look(json!(null)).await, result(&host, "gridworld__release", json!({})).await] {
        let needed = refused(&needed);
        assert_eq!(
            (&needed["type"], &needed["data"]["heldBy"]),
            (&json!("lease_needed"), &json!("test 1")),
            "{needed}"
        );
        assert!(needed["error"].as_str().unwrap().ends_with("; test 1 holds it now"), "{needed}");
    }

    assert_eq!(release(&host, "gridworld", own).await["structuredContent"], json!({ "released": true }));
    assert_eq!(lease(&host).await, "free");
    assert_eq!(refused(&look(json!(own)).await)["type"], "lease_unknown");
    assert_eq!(refused(&release(&host, "gridworld", own).await)["type"], "lease_unknown");
    assert_ne!(acquire(&host, "gridworld").await, own, "no handle comes twice");
}

/// A client need not say who it is, and is not somebody else then.
#[tokio::test]
async fn who_gives_no_name_is_held_by_none() {
    let host = gridworld(&[]).await;
    let acquire = json!({ "name": "gridworld__acquire" });
    let mut asked = modern(7, "tools/call", Some("gridworld__acquire"), acquire);
    asked.message["params"]["_meta"].as_object_mut().unwrap().remove("io.modelcontextprotocol/clientInfo");
    assert_eq!(host.ask(&asked).await.json()["result"]["isError"], false);
    let error = refused(&result(&host, "gridworld__acquire", json!({})).await);
    assert_eq!(error["data"]["heldBy"], "a client that gives no name", "{error}");
}

#[tokio::test]
async fn the_list_is_the_same_in_both_eras() {
    let host = gridworld(&[]).await;
    let newer = ask(&host, "tools/list", None, json!({})).await.json();
    let older = host.mcp("/mcp", &[], &nodecast_tests::request(7, "tools/list", &json!({}))).await.json();
    assert_eq!(newer["result"]["tools"], older["result"]["tools"]);
    let tools = newer["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    let expected = ["acquire", "release", "reset", "step", "observe"].map(|name| format!("gridworld__{name}"));
    assert_eq!(names, expected);
    for tool in &tools[1..] {
        let schema = &tool["inputSchema"];
        let lease = &schema["properties"]["lease"];
        assert_eq!((&lease["type"], &lease["x-mcp-header"]), (&json!("string"), &json!("Lease")), "{tool}");
        assert!(lease["description"].as_str().unwrap().contains("expires when idle"), "{tool}");
        assert!(!schema["required"].to_string().contains("lease"), "{tool}");
        assert_eq!(schema["additionalProperties"], false);
    }
    assert_eq!(tools[0]["inputSchema"]["properties"], json!({}));
    // Whatever is hidden, the lease is not, or what is left could not be called.
    let host = gridworld(&["--mcp-tools", "observe"]).await;
    let list = ask(&host, "tools/list", None, json!({})).await.json();
    let names: Vec<_> = list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, ["gridworld__acquire", "gridworld__release", "gridworld__observe"].map(|name| json!(name)));
}

#[tokio::test]
async fn t08_the_mirror_of_the_lease_is_checked() {
    let host = gridworld(&[]).await;
    let own = acquire(&host, "gridworld").await;
    let arguments = json!({ "name": "gridworld__observe", "arguments": { "lease": own } });
    let other = "f".repeat(32);
    for (mirror, status) in [
        (&[own.as_str()][..], 200),
        (&[], 400),
        (&[other.as_str()], 400),
        (&[own.as_str(), own.as_str()], 400),
        (&[own.as_str(), other.as_str()], 400),
    ] {
        let mut asked = modern(7, "tools/call", Some("gridworld__observe"), arguments.clone());
        asked.headers.extend(mirror.iter().map(|lease| ("mcp-param-lease", (*lease).to_owned())));
        let answer = host.ask(&asked).await;
        assert_eq!(answer.status, status, "{mirror:?}: {}", answer.json());
        if status == 400 {
            assert_eq!((&answer.json()["error"]["code"], &answer.json()["id"]), (&json!(-32020), &json!(7)));
        }
    }
    // A header without its argument is a contradiction too.
    let asked = modern(7, "tools/call", Some("gridworld__observe"), json!({ "name": "gridworld__observe" }));
    assert_eq!(host.ask(&asked.with("mcp-param-lease", own)).await.status, 400);
}

/// What whoever waits is told, by a tool error and by a refused handshake alike.
fn is_about(data: &Json, held_by: &str) {
    assert_eq!((&data["reason"], &data["heldBy"]), (&json!("mcp_exclusive"), &json!(held_by)));
    assert!(data["heldForMs"].is_u64() && data["freesInMsIfIdle"].as_u64() <= Some(600_000), "{data}");
}

#[tokio::test]
async fn t13_one_lock_over_both_eras() {
    let host = desk(&[]).await;
    let own = acquire(&host, "desk").await;
    let refused_shake = shake(&host, 3, "older").await;
    assert_eq!((refused_shake.status, &refused_shake.json()["id"]), (409, &json!(3)));
    let error = &refused_shake.json()["error"];
    assert!(
        error["message"].as_str().unwrap().contains("mcp_exclusive") && error["message"].to_string().contains("desk")
    );
    is_about(&error["data"], "test 1");
    let error = refused(&result(&host, "desk__acquire", json!({})).await);
    assert_eq!(
        (&error["stage"], &error["type"], &error["retryable"]),
        (&json!("busy"), &json!("lease_held"), &json!(true))
    );
    assert!(error["retry_after_s"].as_u64() > Some(0));
    is_about(&error["data"], "test 1");
    release(&host, "desk", &own).await;

    let own = session(&host, "older").await;
    is_about(&refused(&result(&host, "desk__acquire", json!({})).await)["data"], "older 1.0");
    assert_eq!(refused(&result(&host, "desk__add", json!({ "by": 1 })).await)["type"], "lease_needed");
    // The newer era has no sessions, so an id of one opens nothing there.
    let asked = modern(7, "tools/call", Some("desk__add"), json!({ "name": "desk__add", "arguments": { "by": 1 } }));
    let answer = host.ask(&asked.with("mcp-session-id", own.clone())).await.json();
    assert_eq!(refused(&answer["result"])["type"], "lease_needed");
    end(&host, &own).await;
    acquire(&host, "desk").await;
}

#[tokio::test]
async fn malformed_requests_and_lists_neither_take_nor_need_it() {
    let host = gridworld(&[]).await;
    for round in 0..2 {
        junk(&host).await;
        for method in ["server/discover", "tools/list"] {
            let answer = ask(&host, method, None, json!({})).await;
            assert_eq!(answer.status, 200, "{}", answer.json());
        }
        let versions =
            ask(&host, "server/discover", None, json!({})).await.json()["result"]["supportedVersions"].clone();
        assert!(versions.as_array().unwrap().contains(&json!("2026-07-28")), "{versions}");
        let wrong = refused(&result(&host, "gridworld__acquire", json!({ "force": true })).await);
        assert_eq!((&wrong["stage"], &wrong["type"]), (&json!("schema_validation"), &json!("unknown_field")));
        let mut asked = modern(7, "tools/call", Some("gridworld__acquire"), json!({ "name": "gridworld__acquire" }));
        asked.message["params"].as_object_mut().unwrap().remove("_meta");
        assert_eq!(host.ask(&asked).await.status, 400);
        asked.headers.truncate(1);
        assert_eq!(host.ask(&asked).await.status, 400);
        assert_eq!(lease(&host).await, ["free", "held"][round]);
        if round == 0 {
            acquire(&host, "gridworld").await;
        }
    }
    let wrong = refused(&result(&host, "gridworld__observe", json!({ "lease": 7 })).await);
    assert_eq!((&wrong["type"], &wrong["pointer"]), (&json!("wrong_type"), &json!("/lease")));
}

#[tokio::test]
async fn inside_a_session_the_session_is_the_lease() {
    let host = desk(&[]).await;
    let own = session(&host, "older").await;
    let headers = [("mcp-session-id", own.as_str())];
    let tool = async |name: &str, arguments: Json| {
        host.mcp("/mcp", &headers, &call(2, name, &arguments)).await.message()["result"].clone()
    };
    let taken = tool("desk__acquire", json!({})).await;
    assert_eq!(taken["structuredContent"], json!({ "lease": "this-session", "idle_timeout_s": 600 }));
    for arguments in
        [json!({ "by": 1 }), json!({ "by": 1, "lease": "this-session" }), json!({ "by": 1, "lease": null })]
    {
        assert_eq!(tool("desk__add", arguments).await["isError"], false);
    }
    assert_eq!(tool("desk__release", json!({})).await["structuredContent"], json!({ "released": false }));
    assert_eq!(tool("desk__add", json!({ "by": 1 })).await["structuredContent"], json!({ "result": 4 }));
}

#[tokio::test]
async fn w2_release_during_a_call_hands_over_after_it() {
    let host = desk(&[]).await;
    let own = acquire(&host, "desk").await;
    let began = Instant::now();
    let running = result(&host, "desk__wait", json!({ "ms": 700, "lease": own }));
    let taken_over = async {
        tokio::time::sleep(Duration::from_millis(150)).await;
        assert_eq!(release(&host, "desk", &own).await["structuredContent"], json!({ "released": true }));
        assert_eq!(lease(&host).await, "draining");
        let error = refused(&result(&host, "desk__acquire", json!({})).await);
        assert_eq!((&error["retry_after_s"], &error["data"]["freesInMsIfIdle"]), (&json!(1), &json!(null)));
        assert_eq!(
            refused(&result(&host, "desk__add", json!({ "by": 1, "lease": own })).await)["type"],
            "lease_unknown"
        );
        while shake(&host, 6, "b").await.status != 200 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        began.elapsed()
    };
    let (answer, taken_over) = tokio::join!(running, taken_over);
    assert_eq!(answer["structuredContent"], json!({}), "the running call still answers");
    assert!(taken_over >= Duration::from_millis(700), "{taken_over:?}");
}

#[tokio::test]
async fn t13_w2_the_reaper_frees_the_idle_and_never_the_busy() {
    let host = desk(&["--idle-timeout", "400ms"]).await;
    let taken = result(&host, "desk__acquire", json!({})).await;
    assert_eq!(taken["structuredContent"]["idle_timeout_s"], 0.4);
    let own = taken["structuredContent"]["lease"].as_str().unwrap();
    // Longer than the limit, and it finishes and keeps its lease.
    let wait = result(&host, "desk__wait", json!({ "ms": 1200, "lease": own })).await;
    assert_eq!((&wait["structuredContent"], lease(&host).await.as_str()), (&json!({}), "held"));
    assert_eq!(result(&host, "desk__add", json!({ "by": 1, "lease": own })).await["isError"], false);
    tokio::time::sleep(Duration::from_millis(700)).await;
    assert_eq!(lease(&host).await, "free");
    assert_eq!(refused(&result(&host, "desk__add", json!({ "by": 1, "lease": own })).await)["type"], "lease_unknown");
    acquire(&host, "desk").await;
}

#[tokio::test]
async fn b39_t20_a_panic_keeps_the_lease_and_the_host() {
    let host = desk(&[]).await;
    let own = acquire(&host, "desk").await;
    assert_eq!(refused(&result(&host, "desk__crash", json!({ "lease": own })).await)["type"], "panic");
    assert_eq!(result(&host, "desk__add", json!({ "by": 1, "lease": own })).await["isError"], false);
    release(&host, "desk", &own).await;
    assert_eq!(lease(&host).await, "free");
}

/// A lease without the token is no authentication; that it is bound to its principal the state machine's tests show.
#[tokio::test]
async fn t12_possession_is_not_authentication() {
    let token = std::env::temp_dir().join(format!("nodecast-lease-token-{}", std::process::id()));
    std::fs::write(&token, "open-sesame").unwrap();
    let host = Host::spawn(crate::HOST, &["--nodeset", "desk", "--token-file", token.to_str().unwrap()]);
    while host.get("/health").await.status != 200 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let send = async |tool: &str, arguments: Json, bearer: &str| {
        let shown = arguments["lease"].as_str().map(str::to_owned);
        let mut asked = modern(7, "tools/call", Some(tool), json!({ "name": tool, "arguments": arguments }));
        asked.headers.extend(shown.map(|lease| ("mcp-param-lease", lease)));
        asked.headers.extend((!bearer.is_empty()).then(|| ("authorization", format!("Bearer {bearer}"))));
        host.ask(&asked).await
    };
    assert_eq!(send("desk__acquire", json!({}), "").await.status, 401);
    let got = send("desk__acquire", json!({}), "open-sesame").await.json();
    let own = got["result"]["structuredContent"]["lease"].as_str().unwrap();
    for stranger in ["", "guessed"] {
        assert_eq!(send("desk__add", json!({ "by": 1, "lease": own }), stranger).await.status, 401);
        assert_eq!(send("desk__release", json!({ "lease": own }), stranger).await.status, 401);
    }
    let added = send("desk__add", json!({ "by": 1, "lease": own }), "open-sesame").await.json();
    assert_eq!(added["result"]["structuredContent"], json!({ "result": 1 }));
    std::fs::remove_file(token).unwrap();
}
