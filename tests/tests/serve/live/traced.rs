//! The tools that explain values by the log of the graph (`live.md` 8).

use std::collections::BTreeSet;

use nodecast_tests::request;
use serde_json::{Value as Json, json};

use super::{app, refused, result, said, text, two};

fn message(name: &str, field: &str, value: Json) -> Json {
    json!({ "message": name, "args": { field: value } })
}

/// The line of an explanation that begins so.
fn line<'a>(text: &'a str, word: &str) -> &'a str {
    text.lines().find(|line| line.starts_with(word)).unwrap_or_else(|| panic!("no `{word}` in {text}"))
}

#[tokio::test]
async fn a_value_is_explained_from_the_message_on() {
    let host = app("cart").await;
    let explained = text(&host, "explain", json!({ "node": "total", "messages": two() })).await;
    let lines: Vec<_> = explained.lines().collect();
    assert!(lines[0].starts_with("1 add_item {") && lines[1].starts_with("2 set_discount {"), "{explained}");
    assert!(
        lines[2].starts_with("total#5 Memo cart.rs:") && lines[2].contains(" = 450 reads [subtotal#2, discount#3]"),
        "{explained}"
    );
    assert!(lines[2].ends_with("| memo!(g, let total = move || subtotal.get() - discount.get());"), "{explained}");
    let ran = line(&explained, "ran: ");
    assert!(ran.starts_with("ran: set_discount {\"percent\":10} → mvu#1 "), "{ran}");
    assert!(ran.ends_with(" → discount#3 0→50 → total#5 500→450 (run 3)"), "{ran}");
    assert!(!explained.contains("cutoff:") && !explained.contains("since:"), "{explained}");
    let unasked = text(&host, "explain", json!({ "node": "total" })).await;
    assert_eq!(unasked, lines[2..].join("\n"));
}

#[tokio::test]
async fn r12_a_comparer_that_hides_a_change_is_named() {
    let host = app("store").await;
    let messages = json!([
        message("set_price", "cents", json!(2_000)),
        message("set_discount", "percent", json!(10)),
        message("set_discount", "percent", json!(10.5)),
    ]);
    let explained = text(&host, "explain", json!({ "node": "total", "messages": messages })).await;
    let cutoff = line(&explained, "cutoff: ");
    assert!(cutoff.contains("rate#") && cutoff.contains("kept 0.1 by comparer whole_percent"), "{cutoff}");
    assert!(line(&explained, "since: ").contains("stopped at rate#"), "{explained}");
    // A later move leaves it the latest of all, with the value that it kept then.
    let moves = json!([message("set_discount", "percent", json!(12))]);
    let later = text(&host, "explain", json!({ "node": "total", "messages": moves })).await;
    let earlier = line(&later, "earlier cutoff: ");
    assert!(earlier.contains("rate#5 kept 0.1 by comparer whole_percent"), "{later}");
    let early = app("store").await;
    let comparer = text(&early, "explain", json!({ "node": "total" })).await;
    assert!(line(&comparer, "comparer: ").contains("rate#") && comparer.contains("whole_percent"), "{comparer}");
}

/// `live.md` 8: what the log has lost is said, and not made up.
#[tokio::test]
async fn a_cutoff_before_the_checkpoint_is_told_without_its_value() {
    let host = app("forgetful").await;
    let messages: Vec<_> = [10.0, 10.5, 12.0].map(|percent| message("set_discount", "percent", json!(percent))).into();
    text(&host, "dispatch", json!({ "messages": messages })).await;
    let weights: Vec<_> = (1..=100).map(|grams| message("set_weight", "grams", json!(grams))).collect();
    let explained = text(&host, "explain", json!({ "node": "total", "messages": weights })).await;
    let earlier = line(&explained, "earlier cutoff: ");
    let expected = "earlier cutoff: rate#5 kept its value, before the checkpoint, by comparer whole_percent";
    assert_eq!(earlier, expected, "{explained}");
}

/// `live.md` 8: a miss lists what is exposed, also where that is nothing.
#[tokio::test]
async fn a_graph_that_exposes_nothing_says_so() {
    let host = app("bare").await;
    let (said, _) = refused(&host, "explain", json!({ "node": "hiden" })).await;
    assert_eq!(said, "there is no node `hiden`, did you mean `hidden`?; nothing is exposed");
    assert!(text(&host, "graph", json!({})).await.contains("\nexposed: none\n"));
}

#[tokio::test]
async fn a_value_that_is_only_peeked_at_is_named() {
    let host = app("store_log").await;
    let messages = json!([message("set_price", "cents", json!(2_000)), message("set_weight", "grams", json!(3_000))]);
    let explained = text(&host, "explain", json!({ "node": "shipping", "messages": messages })).await;
    let unread = "unread: weight#3 0 (stale: mvu#1 has moved since), which it only peeks at";
    assert_eq!(line(&explained, "unread: "), unread);
    // What is computed from it shows the same, and says whose look it is.
    let total = text(&host, "explain", json!({ "node": "total" })).await;
    assert_eq!(line(&total, "unread: "), unread.replace("which it", "which shipping#6"));
    // An explanation reads the log, and adds nothing to it.
    let last = async || text(&host, "trace_lookup", json!({})).await.split_once(',').unwrap().0.to_owned();
    let before = last().await;
    text(&host, "explain", json!({ "node": "shipping" })).await;
    text(&host, "node", json!({ "node": "weight", "detail": "full" })).await;
    text(&host, "graph", json!({})).await;
    assert_eq!(last().await, before);
    // One that is read elsewhere shows how it has moved.
    let price = json!([message("set_price", "cents", json!(2_500))]);
    let moved = text(&host, "explain", json!({ "node": "shipping", "messages": price })).await;
    assert!(!moved.contains("unread:") && moved.contains("= 330 reads"), "{moved}");
}

/// `live.md` 8: which node is meant, by each of its names, and what became of it.
#[tokio::test]
async fn r15_names_that_clash_and_nodes_that_are_gone() {
    let host = app("nest").await;
    let first = text(&host, "node", json!({ "node": "first", "around": 0 })).await;
    assert_eq!(text(&host, "node", json!({ "node": "twice", "around": 0 })).await, first);
    let (said, _) = refused(&host, "node", json!({ "node": "shared" })).await;
    assert!(said.contains("several nodes") && said.contains("#302") && said.contains("#306"), "{said}");
    let inner = text(&host, "node", json!({ "node": "outer/middle/inner", "around": 0, "detail": "full" })).await;
    assert!(inner.starts_with("inner#305 Memo live.rs:") && inner.contains("owner middle#304"), "{inner}");
    text(&host, "dispatch", message("move", "step", json!(1))).await;
    let again = text(&host, "node", json!({ "node": "outer/middle@2/inner", "around": 0 })).await;
    assert!(again.starts_with("inner#"), "{again}");
    let gone = text(&host, "explain", json!({ "node": "#305" })).await;
    assert!(gone.starts_with("inner#305 Memo live.rs:") && gone.ends_with("\nsince: disposed"), "{gone}");
    let (never, _) = refused(&host, "explain", json!({ "node": "#9999" })).await;
    assert!(never.contains("there is no node `#9999`"), "{never}");
}

/// `live.md` 11: a long chain of causes keeps its two ends.
#[tokio::test]
async fn a_long_chain_of_causes_is_cut_in_the_middle() {
    let host = app("nest").await;
    let messages = json!([message("move", "step", json!(1))]);
    let explained = text(&host, "explain", json!({ "node": "end", "messages": messages })).await;
    let ran = line(&explained, "ran: ");
    assert!(ran.starts_with("ran: move {\"step\":1} → +") && ran.ends_with(" → end#302 300→301 (run 2)"), "{ran}");
    assert!(ran.contains(" more → memo#") && explained.chars().count() <= 4_000, "{ran}");
}

#[tokio::test]
async fn the_graph_is_shown_in_short() {
    let host = app("cart").await;
    let before = text(&host, "graph", json!({})).await;
    assert!(before.starts_with("6 nodes: 1 Mvu, 4 Memo, 1 Effect\nexposed: "), "{before}");
    assert!(before.ends_with("no message yet"), "{before}");
    text(&host, "dispatch", json!({ "messages": two() })).await;
    let after = text(&host, "graph", json!({})).await;
    let last = line(&after, "last message: ");
    assert!(last.starts_with("last message: set_discount {\"percent\":10}; moved mvu#1 "), "{last}");
    assert!(
        last.contains("discount#3 0→50") && last.contains("total#5 500→450") && !last.contains("subtotal#2 "),
        "{last}"
    );
}

#[tokio::test]
async fn r14_a_large_graph_is_shown_page_by_page() {
    let host = app("crowd").await;
    text(&host, "dispatch", message("move", "step", json!(1))).await;
    let graph = text(&host, "graph", json!({})).await;
    assert!(graph.chars().count() <= 2_000, "{}", graph.len());
    let (mut seen, mut cursor, mut pages) = (BTreeSet::new(), None::<String>, 0);
    loop {
        // More than a page holds: its size ends it.
        let mut asked = json!({ "node": "hub", "limit": 5_000 });
        if let Some(cursor) = &cursor {
            asked["cursor"] = json!(cursor);
        }
        let page = text(&host, "node", asked).await;
        assert!(page.chars().count() <= 4_000, "{}", page.len());
        for line in page.lines().filter_map(|line| line.strip_prefix("observer ").or(line.strip_prefix("source "))) {
            let id = line.split_once('#').unwrap().1.split(' ').next().unwrap().to_owned();
            assert!(seen.insert(id), "{line}");
        }
        pages += 1;
        cursor = page.lines().last().and_then(|last| Some(last.split_once("cursor ")?.1.to_owned()));
        if cursor.is_none() {
            break;
        }
    }
    // Its model, 2,000 memos, and the effect that publishes it.
    assert_eq!(seen.len(), 2_002, "{pages} pages");
    let (said, _) = refused(&host, "node", json!({ "node": "hub", "cursor": "1-1-1-5" })).await;
    assert!(said.contains("start again"), "{said}");
}

#[tokio::test]
async fn r15_a_node_is_found_by_each_of_its_names() {
    let host = app("cart").await;
    let first = text(&host, "node", json!({ "node": "total" })).await;
    assert!(first.starts_with("total#5 Memo"), "{first}");
    assert!(first.contains("\nsource subtotal#2 Memo") && first.contains("\nobserver publish#6 Effect"), "{first}");
    for name in ["#5", "total"] {
        assert_eq!(text(&host, "node", json!({ "node": name })).await, first);
    }
    let full = text(&host, "node", json!({ "node": "rule", "around": 0, "detail": "full" })).await;
    assert!(full.contains("path rule, runs ") && full.contains("owner the graph"), "{full}");
    let crowd = app("crowd").await;
    let (said, _) = refused(&crowd, "node", json!({ "node": "memo" })).await;
    assert!(said.contains("several nodes") && said.contains("#3"), "{said}");
    let by_path = text(&crowd, "node", json!({ "node": "memo~2", "around": 0 })).await;
    assert!(by_path.starts_with("memo#4 Memo"), "{by_path}");
    let (said, stage) = refused(&host, "node", json!({ "node": "totl" })).await;
    for part in ["`total`", "subtotal#2", "discount#3", "total#5", "rule#4"] {
        assert!(said.contains(part), "{said}");
    }
    assert_eq!(stage, "schema_validation");
}

/// `live.md` 8 and 11: the log is bounded, and what it has lost is said.
#[tokio::test]
#[ignore = "takes a minute; .ci/full runs it"]
async fn r27_a_hundred_thousand_messages_leave_an_answer() {
    let host = app("crowd").await;
    let messages: Vec<_> = (0..200).map(|_| message("move", "step", json!(0))).collect();
    text(&host, "dispatch", message("move", "step", json!(1))).await;
    for _ in 0..500 {
        let done = result(&host, "dispatch", json!({ "messages": messages })).await;
        assert_eq!(done["isError"], Json::Null);
    }
    let explained = text(&host, "explain", json!({ "node": "sum" })).await;
    assert!(explained.contains("before the checkpoint"), "{explained}");
    let status = std::fs::read_to_string(format!("/proc/{}/status", host.pid())).unwrap_or_default();
    if let Some(resident) = status.lines().find_map(|line| line.strip_prefix("VmRSS:")) {
        let kilobytes: u64 = resident.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kilobytes < 200_000, "{kilobytes} kB");
    }
}

#[tokio::test]
async fn the_log_itself_is_given_where_it_is_asked_for() {
    let host = app("raw").await;
    let listed = host.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.message();
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: BTreeSet<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for name in ["trace_state", "trace_lookup", "why", "why_not", "waiting_on"] {
        assert!(names.contains(name), "{name}");
    }
    for tool in tools {
        let loads = matches!(tool["name"].as_str(), Some("dispatch" | "explain"));
        assert_eq!(tool["_meta"]["anthropic/alwaysLoad"] == true, loads, "{tool}");
    }
    text(&host, "dispatch", json!({ "messages": two() })).await;
    let state: Json = serde_json::from_str(&text(&host, "trace_state", json!({})).await).unwrap();
    assert_eq!((state["items"].as_array().unwrap().len(), &state["items"][4]["value"]), (6, &json!("450")));
    let why: Json = serde_json::from_str(&text(&host, "why", json!({ "node": "total" })).await).unwrap();
    let kinds: Vec<_> = why["items"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["run_start", "moved", "run_start", "write", "message"]);
    let all = text(&host, "trace_lookup", json!({})).await;
    assert!(all.len() <= 64 << 10, "{}", all.len());
    let (unknown, is_error) = said(&result(&host, "why_not", json!({ "node": "nothing" })).await);
    assert!(is_error && unknown.contains("exposed are"), "{unknown}");
}

/// `live.md` 8: a page follows the one before, although the log goes on and loses its oldest events.
#[tokio::test]
async fn pages_of_the_log_itself_leave_nothing_out() {
    let host = app("forgetful").await;
    let page = async |asked: Json| -> Json { serde_json::from_str(&text(&host, "trace_lookup", asked).await).unwrap() };
    let weights: Vec<_> = (1..=100).map(|grams| message("set_weight", "grams", json!(grams))).collect();
    text(&host, "dispatch", json!({ "messages": weights })).await;
    let first = page(json!({})).await;
    let last = first["items"].as_array().unwrap().last().unwrap()["seq"].as_u64().unwrap();
    text(&host, "dispatch", message("set_weight", "grams", json!(500))).await;
    let next = page(json!({ "cursor": first["cursor"] })).await;
    assert_eq!(next["items"][0]["seq"], last + 1);
    let (behind, stage) = refused(&host, "trace_lookup", json!({ "cursor": 1_000_000 })).await;
    assert_eq!((&*behind, &*stage), ("the cursor is behind the end; start again", "schema_validation"));
}
