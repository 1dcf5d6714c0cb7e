//! Minimal pairs for what is declared beside schemas.

use serde_json::{Value as Json, json};

use super::super::{Promises, Verdict, diff};
use super::{at, changes, document, rows};
use Verdict::{Breaking, Compatible, Exempt, Info, Warning, Words};

/// Rule, verdict, where, and what stands there before and after.
pub(super) const PAIRS: &[(&str, Verdict, &str, &str, &str)] = &[
    ("nodeset_renamed", Breaking, "/nodeset/name", r#""n""#, r#""m""#),
    ("prefix_changed", Breaking, "/nodeset/prefix", r#""n""#, r#""m""#),
    ("title_changed", Words, "/nodeset/title", "null", r#""T""#),
    ("doc_changed", Words, "/nodeset/doc", r#""D.""#, r#""E.""#),
    ("doc_changed", Words, "/nodes/0/doc", r#""A.""#, r#""B.""#),
    ("doc_changed", Words, "/nodes/0/inputs/0/doc", r#""X.""#, r#""Y.""#),
    ("instructions_changed", Words, "/nodeset/instructions", "null", r#""Be kind.""#),
    ("parallelism_changed", Warning, "/nodeset/parallelism", r#""shared""#, r#""replicated""#),
    ("became_exclusive", Breaking, "/nodeset/exclusive", "false", "true"),
    ("no_longer_exclusive", Breaking, "/nodeset/exclusive", "true", "false"),
    ("gate_added", Breaking, "/nodeset/gated", r#"["mcp"]"#, r#"["mcp","call"]"#),
    ("gate_removed", Compatible, "/nodeset/gated", r#"["mcp","call"]"#, r#"["mcp"]"#),
    ("session_required", Breaking, "/nodeset/sessions", r#""none""#, r#""required""#),
    ("session_lost", Warning, "/nodeset/sessions", r#""kept""#, r#""none""#),
    ("session_offered", Compatible, "/nodeset/sessions", r#""none""#, r#""kept""#),
    ("session_offered", Compatible, "/nodeset/sessions", r#""required""#, r#""kept""#),
    ("era_rejected", Breaking, "/nodeset/modern", r#""stateless""#, r#""rejected""#),
    ("era_served", Compatible, "/nodeset/modern", r#""rejected""#, r#""stateless""#),
    ("cache_changed", Info, "/nodeset/cache/ttl_ms", "1", "2"),
    ("cache_changed", Info, "/resources/0/cache/scope", r#""public""#, r#""private""#),
    ("mark_changed", Info, "/nodes/0/meta", "{}", r#"{"a":1}"#),
    ("read_only_lost", Breaking, "/nodes/0/hints", r#"{"read_only":true}"#, "{}"),
    ("read_only_lost", Breaking, "/nodes/0/hints", r#"{"read_only":true}"#, r#"{"read_only":false}"#),
    ("read_only_gained", Warning, "/nodes/0/hints", "{}", r#"{"read_only":true}"#),
    ("idempotent_lost", Breaking, "/nodes/0/hints", r#"{"idempotent":true}"#, "{}"),
    ("idempotent_gained", Compatible, "/nodes/0/hints", "{}", r#"{"idempotent":true}"#),
    ("hint_changed", Warning, "/nodes/0/hints", r#"{"destructive":false}"#, "{}"),
    ("unstable_gained", Warning, "/nodes/0/unstable", "false", "true"),
    ("unstable_lost", Compatible, "/nodes/0/unstable", "true", "false"),
    ("deprecated", Info, "/nodes/0/deprecated", "null", r#"{"since":"1.2","note":""}"#),
    ("deprecation_lifted", Info, "/nodes/0/deprecated", r#"{"since":"1.2","note":""}"#, "null"),
    ("batching_changed", Warning, "/nodes/0/batched", "null", r#"{"max":4,"wait_ms":1}"#),
    ("task_required", Breaking, "/nodes/0/task", "null", r#""required""#),
    ("task_lost", Warning, "/nodes/0/task", r#""optional""#, "null"),
    ("task_offered", Compatible, "/nodes/0/task", "null", r#""optional""#),
    ("routing_changed", Info, "/nodes/0/waits", "false", "true"),
    ("result_changed", Breaking, "/nodes/0/result", r#""ports""#, r#""content""#),
    ("error_added", Compatible, "/nodes/0/errors", "[]", r#"[{"name":"e","doc":"","retryable":false}]"#),
    ("error_removed", Compatible, "/nodes/0/errors", r#"[{"name":"e","doc":"","retryable":false}]"#, "[]"),
    ("retry_changed", Warning, "/nodes/0/errors/0/retryable", "true", "false"),
    ("wire_type_changed", Breaking, "/nodes/0/inputs/0/wire_type", r#""TEXT""#, r#""IMAGE""#),
    ("wire_type_opened", Compatible, "/nodes/0/inputs/0/wire_type", r#""TEXT""#, r#""ANY""#),
    ("wire_type_changed", Breaking, "/nodes/0/inputs/0/wire_type", r#""ANY""#, r#""TEXT""#),
    ("header_changed", Warning, "/nodes/0/inputs/0/header", "null", r#""Region""#),
    ("widget_changed", Info, "/nodes/0/inputs/0/config", "null", r#"{"field_type":"text"}"#),
    ("widget_changed", Info, "/nodes/0/inputs/0/config", r#"{"label":"a"}"#, r#"{"label":"b"}"#),
    ("default_changed", Warning, "/nodes/0/inputs/0/config", r#"{"default":1}"#, r#"{"default":2}"#),
    ("uri_changed", Breaking, "/resources/0/uri", r#""r://x""#, r#""r://y""#),
    ("media_type_changed", Breaking, "/resources/0/mime", r#""text/plain""#, r#""text/html""#),
    ("completion_changed", Info, "/prompts/0/arguments/0/completion", "null", r#""known""#),
    ("field_required", Breaking, "/prompts/0/arguments/0/optional", "true", "false"),
    ("field_optional", Compatible, "/prompts/0/arguments/0/optional", "false", "true"),
    ("node_added", Compatible, "/nodes", "[]", r#"[{"name":"b","full_name":"n__b"}]"#),
    ("node_removed", Breaking, "/nodes", r#"[{"name":"b","full_name":"n__b"}]"#, "[]"),
    ("node_renamed", Breaking, "/nodes", r#"[{"name":"observe"}]"#, r#"[{"name":"observe_all"}]"#),
    ("order_changed", Info, "/nodes", r#"[{"name":"a"},{"name":"b"}]"#, r#"[{"name":"b"},{"name":"a"}]"#),
    ("offer_added", Compatible, "/prompts", "[]", r#"[{"name":"b"}]"#),
    ("offer_removed", Breaking, "/prompts", r#"[{"name":"b"}]"#, "[]"),
    ("offer_renamed", Breaking, "/prompts", r#"[{"name":"greet"}]"#, r#"[{"name":"greeting"}]"#),
    ("container_added", Compatible, "/nodeset/containers", "[]", r#"[{"id":"c"}]"#),
    ("container_removed", Breaking, "/nodeset/containers", r#"[{"id":"c"}]"#, "[]"),
    (
        "state_added",
        Compatible,
        "/nodeset/containers",
        r#"[{"id":"c","states":[]}]"#,
        r#"[{"id":"c","states":[{"name":"s"}]}]"#,
    ),
    (
        "state_removed",
        Breaking,
        "/nodeset/containers",
        r#"[{"id":"c","states":[{"name":"s"}]}]"#,
        r#"[{"id":"c","states":[]}]"#,
    ),
    (
        "reducer_changed",
        Breaking,
        "/nodeset/containers",
        r#"[{"id":"c","states":[{"name":"s","reducer":"counter"}]}]"#,
        r#"[{"id":"c","states":[{"name":"s","reducer":"lastWrite"}]}]"#,
    ),
    (
        "memory_changed",
        Warning,
        "/nodeset/containers",
        r#"[{"id":"c","states":[{"name":"s","lifetime":"run"}]}]"#,
        r#"[{"id":"c","states":[{"name":"s","lifetime":"forever"}]}]"#,
    ),
    ("panel_added", Compatible, "/nodeset/panel", "null", "{}"),
    ("panel_removed", Breaking, "/nodeset/panel", "{}", "null"),
    ("panel_changed", Warning, "/nodeset/panel", "{}", r#"{"fields":[]}"#),
    ("unknown_fact", Warning, "/nodes/0/telepathy", "null", "true"),
    // These two take more than one fact; they are shown below.
    ("removed_as_announced", Compatible, "", "", ""),
    ("published_otherwise", Info, "", "", ""),
];

#[test]
fn each_fact_alone_gives_its_verdict() {
    for (rule, verdict, place, was, is) in PAIRS.iter().filter(|pair| !pair.2.is_empty()) {
        let set = |value: &str| {
            let value: Json = serde_json::from_str(value).unwrap();
            let (object, key) = place.rsplit_once('/').unwrap();
            move |document: &mut Json| at(document, object)[key] = value
        };
        let set_at = |value: &str, document: &mut Json| match document.pointer_mut(&format!("/contract{place}")) {
            Some(there) => *there = serde_json::from_str(value).unwrap(),
            None => set(value)(document),
        };
        let found = rows(&changes(|document| set_at(was, document), |document| set_at(is, document)));
        assert_eq!(found, [(*rule, *verdict)], "{place}: {was} → {is}");
    }
}

#[test]
fn a_node_marked_unstable_breaks_no_promise_and_is_shown() {
    let unstable = |document: &mut Json| at(document, "/nodes/0")["unstable"] = json!(true);
    let gone = changes(unstable, |document| *at(document, "/nodes") = json!([]));
    assert_eq!(rows(&gone), [("node_removed", Exempt)]);
    // That it becomes so does not undo what it breaks at the same time.
    let both = changes(
        |_| (),
        |document| {
            unstable(document);
            at(document, "/nodes/0")["result"] = json!("content");
        },
    );
    assert_eq!(rows(&both), [("result_changed", Breaking), ("unstable_gained", Warning)]);
}

#[test]
fn what_was_deprecated_long_enough_may_go_if_the_crate_says_so() {
    let deprecated = |since: &'static str| {
        move |document: &mut Json| {
            at(document, "/nodes/0")["deprecated"] = json!({"since": since, "note": ""});
        }
    };
    let judged = |since: &'static str, promises: Promises| {
        let new = document(|document| *at(document, "/nodes") = json!([]));
        rows(&diff(&document(deprecated(since)), &new, promises))
    };
    let promises = Promises { removes_deprecated: true };
    assert_eq!(judged("1.2.0", promises), [("removed_as_announced", Compatible)]);
    assert_eq!(judged("1.2", Promises::default()), [("node_removed", Breaking)]);
    // Not a minor version ago, or nobody knows when.
    assert_eq!(judged("1.3", promises), [("node_removed", Breaking)]);
    assert_eq!(judged("", promises), [("node_removed", Breaking)]);

    let old = document(|document| {
        at(document, "/nodes/0/inputs/0")["deprecated"] = json!({"since": "1.1.0", "note": ""});
    });
    let new = document(|document| {
        *at(document, "/nodes/0/inputs") = json!([]);
        at(document, "/nodes/0/input_schema")["properties"] = json!({});
        at(document, "/nodes/0/input_schema")["required"] = json!([]);
    });
    assert_eq!(rows(&diff(&old, &new, promises)), [("removed_as_announced", Compatible)]);
    assert_eq!(rows(&diff(&old, &new, Promises::default())), [("field_removed", Breaking)]);
}

/// Resources, prompts and their arguments are deprecated as nodes are.
#[test]
fn an_offer_that_was_deprecated_long_enough_may_go() {
    let promises = Promises { removes_deprecated: true };
    for (place, list) in
        [("/resources/0", "/resources"), ("/prompts/0", "/prompts"), ("/prompts/0/arguments/0", "/prompts/0/arguments")]
    {
        let old = document(|document| at(document, place)["deprecated"] = json!({"since": "1.2", "note": ""}));
        let new = document(|document| *at(document, list) = json!([]));
        assert_eq!(rows(&diff(&old, &new, promises)), [("removed_as_announced", Compatible)], "{place}");
        assert_eq!(diff(&old, &new, Promises::default())[0].verdict, Breaking, "{place}");
    }
}

/// A removal that may be is no rename because something like it came with it.
#[test]
fn what_may_go_may_go_when_its_like_comes() {
    let named = |name: &'static str, since: Json| {
        move |document: &mut Json| {
            for list in ["/nodes/0", "/prompts/0"] {
                at(document, list)["name"] = json!(name);
                at(document, list)["deprecated"] = since.clone();
            }
        }
    };
    let old = document(named("observe", json!({"since": "1.2", "note": ""})));
    let new = document(named("observe_all", Json::Null));
    let found = rows(&diff(&old, &new, Promises { removes_deprecated: true }));
    let expected = [
        ("removed_as_announced", Compatible),
        ("node_added", Compatible),
        ("removed_as_announced", Compatible),
        ("offer_added", Compatible),
    ];
    assert_eq!(found, expected);
    assert_eq!(diff(&old, &new, Promises::default())[0].rule.id, "node_renamed");
}

#[test]
fn two_changes_of_one_kind_are_two_rows() {
    let hints = json!({"destructive": false, "open_world": false});
    let found = changes(|_| (), |document| at(document, "/nodes/0")["hints"] = hints);
    assert_eq!(rows(&found), [("hint_changed", Warning), ("hint_changed", Warning)]);
    let both = |document: &mut Json| {
        at(document, "/nodes/0")["waits"] = json!(true);
        at(document, "/nodes/0")["fallback"] = json!(true);
        at(document, "/nodeset")["gated"] = json!(["mcp", "call"]);
    };
    let expected =
        [("gate_added", Breaking), ("gate_added", Breaking), ("routing_changed", Info), ("routing_changed", Info)];
    assert_eq!(rows(&changes(|_| (), both)), expected);
}

/// Where the newer era is rejected, the older one is all that there is.
#[test]
fn a_session_is_required_whatever_era_is_served() {
    let sessions = |rule: &'static str| {
        move |document: &mut Json| {
            at(document, "/nodeset")["modern"] = json!("rejected");
            at(document, "/nodeset")["sessions"] = json!(rule);
        }
    };
    assert_eq!(rows(&changes(sessions("kept"), sessions("required"))), [("session_required", Breaking)]);
}

#[test]
fn a_profile_that_says_the_same_in_other_words_is_no_change_of_the_contract() {
    let other = |document: &mut Json| document["projections"]["inline"]["hash"] = json!("i");
    assert_eq!(rows(&changes(|_| (), other)), [("published_otherwise", Info)]);
}

#[test]
fn a_renamed_node_is_compared_with_what_it_was() {
    let renamed = changes(
        |document| at(document, "/nodes/0")["name"] = json!("observe"),
        |document| {
            at(document, "/nodes/0")["name"] = json!("observe_all");
            at(document, "/nodes/0")["doc"] = json!("B.");
        },
    );
    assert_eq!(rows(&renamed), [("node_renamed", Breaking), ("doc_changed", Words)]);
}

/// What is written is read by others, so another type of a state breaks one side or both.
#[test]
fn a_state_is_an_input_and_an_output() {
    let of = |ty: &'static str| {
        move |document: &mut Json| {
            let state = json!({"name": "s", "schema": {"type": ty}});
            at(document, "/nodeset")["containers"] = json!([{"id": "c", "states": [state]}]);
        }
    };
    let wider = changes(of("integer"), of("number"));
    assert_eq!(rows(&wider), [("type_changed", Breaking), ("type_changed", Compatible)]);
    assert_eq!(wider[0].pointer, "/containers/c/s");
    assert_eq!(wider[0].side, Some(super::super::Side::Output));
}
