//! What is refused, in plain text that a model reads (`live.md` 7).

use serde_json::{Value as Json, json};

use super::{app, refused, result, text};

fn add(sku: &str) -> Json {
    json!({ "message": "add_item", "args": { "sku": sku, "unit_price": 100, "quantity": 1 } })
}

#[tokio::test]
async fn r02_what_stands_before_a_rejected_message_stays_applied() {
    let host = app("cart").await;
    let (said, stage) =
        refused(&host, "dispatch", json!({ "messages": [add("a"), add("b"), { "message": "ad_item" }, add("c")] }))
            .await;
    let lines: Vec<_> = said.lines().collect();
    assert!(lines[0].starts_with("message 3 of 4 rejected: "), "{said}");
    for part in ["`ad_item`", "`add_item`", "`remove_item`", "`set_discount`", "`clear`"] {
        assert!(lines[0].contains(part), "{said}");
    }
    assert_eq!(lines[1], "steps 1-2 stay applied:");
    assert!(lines[2].starts_with("1 add_item {") && lines[3].starts_with("2 add_item {"), "{said}");
    assert_eq!((lines[4], lines.len()), ("v3: subtotal=200, discount=0, total=200", 5));
    assert_eq!(stage, "schema_validation");
    let now = result(&host, "snapshot", json!({})).await;
    assert_eq!(now["structuredContent"]["values"]["subtotal"], 200);
}

#[tokio::test]
async fn r03_refused_arguments_are_pointed_at_with_the_shape() {
    let host = app("cart").await;
    let shape = "add_item {sku: string, unit_price: integer >= 0, quantity: integer >= 0}";
    let args = json!({ "sku": "a", "unit_price": 1 });
    let (said, stage) = refused(&host, "dispatch", json!({ "message": "add_item", "args": args })).await;
    assert!(said.contains("`/args/quantity`") && said.contains("missing") && said.contains(shape), "{said}");
    assert_eq!(stage, "schema_validation");
    let args = json!({ "sku": "a", "unit_price": "cheap", "quantity": 1, "colour": "red" });
    let asked = json!({ "messages": [add("a"), { "message": "add_item", "args": args }] });
    let (said, _) = refused(&host, "dispatch", asked).await;
    for part in
        ["message 2 of 2 rejected", "`/messages/1/args/unit_price`", "cheap", "`/messages/1/args/colour`", shape]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("\nstep 1 stays applied:\n1 add_item"), "{said}");
}

#[tokio::test]
async fn which_messages_are_meant_has_to_be_clear() {
    let host = app("cart").await;
    let many: Vec<_> = (0..201).map(|_| add("a")).collect();
    for (asked, part) in [
        (json!({}), "neither"),
        (json!({ "message": "clear", "messages": [] }), "both"),
        (json!({ "message": 5 }), "sent was 5"),
        (json!({ "args": {} }), "`message` is missing"),
        (json!({ "messages": [] }), "empty"),
        (json!({ "messages": "clear" }), "\"clear\""),
        (json!({ "messages": [{ "args": {} }] }), "`/messages/0/message` is missing"),
        (json!({ "messages": ["clear"] }), "`/messages/0` must be an object"),
        (json!({ "messages": many }), "201"),
    ] {
        let (said, stage) = refused(&host, "dispatch", asked.clone()).await;
        assert!(said.contains(part), "{asked}: {said}");
        assert_eq!(stage, "schema_validation");
    }
    assert_eq!(result(&host, "snapshot", json!({})).await["structuredContent"]["version"], 1);
}

#[tokio::test]
async fn a_failed_update_changes_nothing() {
    let host = app("cart").await;
    text(&host, "dispatch", add("a")).await;
    let asked = json!({ "message": "set_discount", "args": { "percent": 101 } });
    let (said, stage) = refused(&host, "dispatch", asked).await;
    assert!(said.contains("`set_discount`") && said.contains("101 percent") && said.contains("version 2"), "{said}");
    assert_eq!(stage, "adapter_execution");
    let now = result(&host, "snapshot", json!({})).await;
    assert_eq!(
        now["structuredContent"],
        json!({ "version": 2, "values": { "subtotal": 100, "discount": 0, "total": 100 } })
    );
}

/// Of `faults.md` T25 too: the text of a panic stays in the log.
#[tokio::test]
async fn a_panic_changes_nothing_and_says_nothing() {
    let host = app("odd").await;
    let (said, stage) = refused(&host, "dispatch", json!({ "message": "panic" })).await;
    assert!(said.contains("`panic`") && said.contains("version 1 is unchanged") && !said.contains("canary"), "{said}");
    assert_eq!(stage, "internal_runtime");
    let (said, _) = refused(&host, "dispatch", json!({ "message": "fail" })).await;
    assert!(said.contains("it never works"), "{said}");
    let slept = text(&host, "dispatch", json!({ "message": "sleep", "args": { "ms": 1 } })).await;
    assert!(slept.contains("→ v2: slept 0→1"), "{slept}");
}

/// `live.md` 4 and 11: what cannot be shown keeps its encoding, and what is too long is cut.
#[tokio::test]
async fn values_that_cannot_be_shown_are_named() {
    let host = app("odd").await;
    let infinite = text(&host, "dispatch", json!({ "message": "set_ratio", "args": { "by": 0 } })).await;
    assert!(infinite.contains("→ v1: no change, ratio is not shown: JSON has no number inf"), "{infinite}");
    let back = text(&host, "dispatch", json!({ "message": "set_ratio", "args": { "by": 4 } })).await;
    assert!(back.contains("→ v2: ratio 1→0.25"), "{back}");
    let long = text(&host, "dispatch", json!({ "message": "grow", "args": { "letters": 1_000 } })).await;
    let cut = format!("text \"\"→\"{}…", "x".repeat(58));
    assert!(long.contains(&cut), "{long}");
    let whole = result(&host, "snapshot", json!({})).await;
    assert_eq!(whole["structuredContent"]["values"]["text"].as_str().unwrap().len(), 1_000);
    // More than 4 MiB are no snapshot.
    let large = text(&host, "dispatch", json!({ "message": "grow", "args": { "letters": 5_000_000 } })).await;
    assert!(large.contains("→ v3: no change"), "{large}");
    let small = text(&host, "dispatch", json!({ "message": "grow", "args": { "letters": 1 } })).await;
    assert!(small.contains("→ v4: text"), "{small}");
}

/// `live.md` 6: whatever is wrong with one in the middle, those before it are applied.
#[tokio::test]
async fn r02_what_is_no_message_is_refused_in_its_place() {
    for (wrong, part) in [
        (json!(5), "`/messages/1` must be an object `{message, args}`; sent was 5"),
        (json!({ "args": {} }), "`/messages/1/message` is missing"),
        (json!({ "message": 5 }), "`/messages/1/message` must be a string, the message's name; sent was 5"),
        (json!({ "message": "clear", "more": 1 }), "`/messages/1` has a member \"more\""),
        (json!({ "message": "clear", "args": [] }), "`/messages/1/args` must be an object"),
    ] {
        let host = app("cart").await;
        let (said, stage) = refused(&host, "dispatch", json!({ "messages": [add("a"), wrong, add("b")] })).await;
        assert!(said.starts_with(&format!("message 2 of 3 rejected: {part}")), "{said}");
        assert!(said.contains("\nstep 1 stays applied:\n1 add_item"), "{said}");
        assert!(said.ends_with("\nv2: subtotal=100, discount=0, total=100"), "{said}");
        assert_eq!(stage, "schema_validation");
    }
}

/// `live.md` 2 and 7: the version is unchanged, and so is all that a later message shows.
#[tokio::test]
async fn a_panic_of_a_memo_changes_nothing_either() {
    let host = app("odd").await;
    let asked = json!({ "messages": [
        { "message": "sleep", "args": { "ms": 1 } }, { "message": "set_ratio", "args": { "by": -2 } },
    ] });
    let (said, stage) = refused(&host, "dispatch", asked).await;
    assert!(said.starts_with("message 2 of 2 rejected: `set_ratio` panicked"), "{said}");
    assert!(said.contains("version 2 is unchanged") && !said.contains("canary"), "{said}");
    assert_eq!(stage, "internal_runtime");
    let slept = text(&host, "dispatch", json!({ "message": "sleep", "args": { "ms": 1 } })).await;
    assert!(slept.starts_with("1 sleep {\"ms\":1} → v3: slept 1→2\nv3: ratio=1,"), "{slept}");
}
