//! The tools of an application: `snapshot`, `dispatch`, `wait_version` (`live.md` 6).

use std::time::{Duration, Instant};

use nodecast_tests::{Host, modern, request};
use serde_json::{Value as Json, json};

use super::{app, refused, result, said, text, two};

async fn tools(host: &Host) -> Vec<Json> {
    let listed = host.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.message();
    listed["result"]["tools"].as_array().unwrap().clone()
}

fn names(tools: &[Json]) -> Vec<&str> {
    tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect()
}

/// `live.md` 6: the lines as the specification writes them.
#[tokio::test]
async fn r01_a_sequence_tells_each_step_and_the_state() {
    let host = app("cart").await;
    let dispatched = result(&host, "dispatch", json!({ "messages": two() })).await;
    let expected = "1 add_item {\"sku\":\"a\",\"unit_price\":250,\"quantity\":2} → v2: subtotal 0→500, total 0→500\n\
                    2 set_discount {\"percent\":10} → v3: discount 0→50, total 500→450\n\
                    v3: subtotal=500, discount=50, total=450";
    assert_eq!(said(&dispatched), (expected.to_owned(), false));
    assert!(dispatched.get("structuredContent").is_none());
    let nothing = text(&host, "dispatch", json!({ "message": "set_discount", "args": { "percent": 10 } })).await;
    assert_eq!(nothing, "1 set_discount {\"percent\":10} → v3: no change\nv3: subtotal=500, discount=50, total=450");
    let cleared = text(&host, "dispatch", json!({ "message": "clear" })).await;
    assert!(cleared.starts_with("1 clear → v4: subtotal 500→0, discount 50→0, total 450→0\n"), "{cleared}");
}

#[tokio::test]
async fn r05_an_application_without_messages_is_looked_at() {
    let host = app("clock").await;
    let tools = tools(&host).await;
    assert_eq!(names(&tools), ["snapshot", "wait_version", "explain", "graph", "node"]);
    let snapshot = result(&host, "snapshot", json!({})).await;
    let state = json!({ "version": 1, "values": { "ticks": 0 } });
    assert_eq!((&snapshot["structuredContent"], said(&snapshot).0), (&state, state.to_string()));
    let instructions = host.ask(&modern(1, "server/discover", None, json!({}))).await.json();
    let instructions = instructions["result"]["instructions"].as_str().unwrap();
    assert!(!instructions.contains("dispatch"), "{instructions}");
}

#[tokio::test]
async fn dispatch_enumerates_the_messages_and_lists_their_shapes() {
    let host = app("cart").await;
    let tools = tools(&host).await;
    assert_eq!(names(&tools), ["snapshot", "dispatch", "wait_version", "explain", "graph", "node"]);
    let dispatch = &tools[1];
    let schema = &dispatch["inputSchema"];
    let known = json!(["add_item", "remove_item", "set_discount", "clear"]);
    assert_eq!(schema["properties"]["message"]["enum"], known);
    assert_eq!(schema["properties"]["messages"]["items"]["properties"]["message"]["enum"], known);
    assert_eq!((&schema["type"], schema.get("anyOf"), schema.get("oneOf")), (&json!("object"), None, None));
    assert!(dispatch.get("outputSchema").is_none());
    let description = dispatch["description"].as_str().unwrap();
    assert!(
        description.contains("add_item {sku: string, unit_price: integer >= 0, quantity: integer >= 0}"),
        "{description}"
    );
    assert!(description.contains("\n- clear: Empties the cart."), "{description}");
    assert!(!description.contains("tick"), "{description}");
    let waits = &tools[2];
    assert_eq!(
        (&waits["_meta"]["nodecast/waits"], &waits["annotations"]["readOnlyHint"]),
        (&json!(true), &json!(true))
    );
    let timeout = &waits["inputSchema"]["properties"]["timeoutMs"];
    assert_eq!((&timeout["default"], &timeout["maximum"]), (&json!(5000), &json!(60_000)));
}

#[tokio::test]
async fn r06_a_version_is_waited_for() {
    let host = app("cart").await;
    let wait = result(&host, "wait_version", json!({ "version": 2 }));
    let dispatch = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        text(&host, "dispatch", json!({ "messages": two() })).await
    };
    let (waited, _) = tokio::join!(wait, dispatch);
    assert_eq!(waited["structuredContent"]["version"], 2, "{waited}");
    assert_eq!(said(&waited).0, waited["structuredContent"].to_string());
    // Past ones are there already.
    let past = result(&host, "wait_version", json!({ "version": 0, "timeoutMs": 0 })).await;
    assert_eq!(past["structuredContent"]["version"], 3);
    let begun = Instant::now();
    let (late, stage) = refused(&host, "wait_version", json!({ "version": 4, "timeoutMs": 200 })).await;
    assert!(begun.elapsed() >= Duration::from_millis(200));
    assert!(late.contains('4') && late.contains('3') && stage == "timeout", "{late}");
    let begun = Instant::now();
    for wrong in [
        json!({ "version": -1 }),
        json!({ "version": 1.5 }),
        json!({ "version": "1" }),
        json!({}),
        json!({ "version": 9, "timeoutMs": -1 }),
        json!({ "version": 9, "timeoutMs": 60_001 }),
    ] {
        let (said, stage) = refused(&host, "wait_version", wrong.clone()).await;
        assert_eq!(stage, "schema_validation", "{wrong}: {said}");
    }
    assert!(begun.elapsed() < Duration::from_secs(4));
}

/// `live.md` 11: what is too much for a line is counted.
#[tokio::test]
async fn long_lines_say_what_they_leave_out() {
    let host = app("wide").await;
    let moved = text(&host, "dispatch", json!({ "message": "move", "args": { "step": 1 } })).await;
    let (step, state) = moved.split_once('\n').unwrap();
    assert!(step.ends_with(", +280 more") && step.matches('→').count() == 21, "{step}");
    let (shown, rest) = state.rsplit_once(", +").unwrap();
    let count: usize = rest.strip_suffix(" more, read live://state").unwrap().parse().unwrap();
    let length = state.chars().count();
    assert!((7_900..=8_000).contains(&length), "{length}");
    assert_eq!(shown.matches('=').count() + count, 300);
}

/// `live.md` 6: one call is one item of the inbox.
#[tokio::test]
async fn r23_no_sequence_is_interleaved_with_another() {
    let host = app("cart").await;
    let sequence = |sku: &str| {
        let messages: Vec<_> = (1..=100)
            .map(|price| json!({ "message": "add_item", "args": { "sku": sku, "unit_price": price, "quantity": 1 } }))
            .collect();
        json!({ "messages": messages })
    };
    let (one, other) = tokio::join!(text(&host, "dispatch", sequence("a")), text(&host, "dispatch", sequence("b")));
    let versions = |text: &str| -> Vec<u64> {
        let steps = text.lines().filter_map(|line| line.split_once(" → v")?.1.split_once(':'));
        steps.map(|(version, _)| version.parse().unwrap()).collect()
    };
    let (one, other) = (versions(&one), versions(&other));
    assert_eq!((one.len(), other.len()), (100, 100));
    for versions in [&one, &other] {
        assert!(versions.windows(2).all(|pair| pair[1] == pair[0] + 1), "{versions:?}");
    }
    assert!(one[99] < other[0] || other[99] < one[0]);
}

/// `live.md` 6: cancelling stops between two messages, and done ones stay.
#[tokio::test]
async fn a_cancelled_sequence_stops_between_two_messages() {
    let host = app("odd").await;
    let messages: Vec<_> = (0..20).map(|_| json!({ "message": "sleep", "args": { "ms": 50 } })).collect();
    let asked =
        modern(1, "tools/call", Some("dispatch"), json!({ "name": "dispatch", "arguments": { "messages": messages } }));
    // The stream that closes cancels.
    let _ = tokio::time::timeout(Duration::from_millis(180), host.ask(&asked)).await;
    tokio::time::sleep(Duration::from_millis(400)).await;
    let slept = |snapshot: &Json| snapshot["structuredContent"]["values"]["slept"].as_u64().unwrap();
    let first = slept(&result(&host, "snapshot", json!({})).await);
    assert!((50..1_000).contains(&first), "{first}");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(slept(&result(&host, "snapshot", json!({})).await), first);
}

#[tokio::test]
async fn the_newer_era_has_the_same_answers() {
    let host = app("cart").await;
    let call =
        modern(1, "tools/call", Some("dispatch"), json!({ "name": "dispatch", "arguments": { "messages": two() } }));
    let answer = host.ask(&call).await.message();
    assert!(said(&answer["result"]).0.ends_with("v3: subtotal=500, discount=50, total=450"), "{answer}");
}
