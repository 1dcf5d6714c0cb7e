//! Settings of a nodeset: read from file, variables and flags, checked before anything starts, and shown.

use std::process::{Command, Output};

use serde_json::{Value as Json, json};

use crate::{HOST, desk};

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let Output { status, stderr, .. } =
        Command::new(HOST).args(["--port", "0"]).args(arguments).envs(variables.iter().copied()).output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

#[test]
fn what_is_wrong_with_settings_is_said_before_the_start() {
    let desk = |set: &str| run(&["--nodeset", "desk", "--set", set], &[]);
    for (set, sentences) in [
        (
            "totl=5",
            vec!["`/totl` is not known", "did you mean `total`?", "known are `total`, `broken`, `pin`, `material`"],
        ),
        ("total=many", vec!["`/total` must be an integer"]),
        ("total=1e30", vec!["`/total` must be an integer"]),
        ("broken=1", vec!["`/broken` must be true or false"]),
        ("material=stele", vec!["`/material` must be one of \"oak\", \"steel\"", "did you mean `steel`?"]),
        ("total.deep=1", vec!["`/total` must be an integer"]),
    ] {
        let (code, said) = desk(set);
        assert_eq!(code, Some(2), "{set}: {said}");
        assert_eq!(said.lines().count(), 1, "one line, and nothing has started: {said}");
        for sentence in sentences {
            assert!(said.contains(sentence), "{set}: {said}");
        }
    }
    let (code, said) = run(&["--nodeset", "desk", "--set", "totl=5", "--set", "broken=2"], &[]);
    assert_eq!(code, Some(2));
    assert!(said.contains("/totl") && said.contains("/broken"), "all that is wrong: {said}");
    let (code, said) = run(&["--nodeset", "desk"], &[("DESK__TOTL", "5")]);
    assert!(code == Some(2) && said.contains("`/totl`"), "{said}");
}

#[test]
fn a_nodeset_without_settings_takes_none() {
    let file = std::env::temp_dir().join(format!("nodecast-settings-{}.json", std::process::id()));
    std::fs::write(&file, "{\"device\":\"cpu\"}").unwrap();
    let path = file.to_str().unwrap();
    for arguments in [["--set", "device=cpu"], ["--settings", path]] {
        let (code, said) = run(&[&["--nodeset", "tiny"], &arguments[..]].concat(), &[]);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("`tiny` takes no settings"), "{said}");
    }
    std::fs::remove_file(&file).unwrap();
    let (code, said) = run(&["--nodeset", "tiny", "--settings", "/no/such/file.json"], &[]);
    assert!(code == Some(2) && said.contains("/no/such/file.json"), "{said}");
}

/// What a misspelt name or a key that stands twice sets would be lost without a word.
#[test]
fn what_a_file_sets_for_nobody_is_refused() {
    let file = std::env::temp_dir().join(format!("nodecast-names-{}.json", std::process::id()));
    let path = file.to_str().unwrap();
    let (both, one) = (["--nodeset", "desk, tiny", "--settings", path], ["--nodeset", "desk", "--settings", path]);
    for (arguments, text, says) in [
        (both, r#"{"dseck": {"total": 1}}"#, "there is no nodeset `dseck`; did you mean `desk`?"),
        (both, r#"{"desk": {}, "desk": {}}"#, "stands twice"),
        (one, r#"{"total": 1, "total": 2}"#, "stands twice"),
        // What is for a nodeset that another host serves is passed over.
        (both, r#"{"shown": {}, "desk": {"totl": 1}}"#, "`/totl` is not known"),
    ] {
        std::fs::write(&file, text).unwrap();
        let (code, said) = run(&arguments, &[]);
        assert_eq!(code, Some(2), "{text}: {said}");
        assert!(said.contains(says), "{text}: {said}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// Fault T25: a secret is in no message and no log, right or wrong.
#[tokio::test]
async fn t25_a_secret_setting_is_never_shown() {
    let file = std::env::temp_dir().join(format!("nodecast-secret-{}.json", std::process::id()));
    std::fs::write(&file, "{\"pin\":[\"hunter2\"]}").unwrap();
    let path = file.to_str().unwrap();
    for (arguments, variables) in [
        (vec!["--settings", path], vec![]),
        (vec!["--set", "total=hunter2"], vec![]),
        (vec!["--set", "broken=true"], vec![("DESK__PIN", "hunter2")]),
        (vec!["--nodeset", "tiny", "--set", "pin=hunter2"], vec![]),
    ] {
        let (code, said) = run(&[&["--nodeset", "desk"], &arguments[..]].concat(), &variables);
        assert!(matches!(code, Some(2 | 3)), "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
    std::fs::remove_file(&file).unwrap();
    // Digits are a pin too.
    let host = desk(&["--set", "pin=0123", "--set", "total=7", "--set", "material=oak"]).await;
    assert_eq!(host.post("/call/desk__add", &json!({ "by": 1 })).await.json()["outputs"]["result"], 8);
    let log = host.stop().await;
    assert!(log.contains("has_pin") && log.contains("true") && !log.contains("0123"), "{log}");
}

#[test]
fn settings_are_printed_with_their_variables() {
    let print = |nodeset: &str| {
        let variables = [("NODECAST_PRINT", "settings"), ("NODECAST_NODESET", nodeset)];
        let output = Command::new(HOST).envs(variables).output().unwrap();
        serde_json::from_slice::<Json>(&output.stdout).unwrap()
    };
    let desk = print("desk");
    assert_eq!((&desk["nodeset"], &desk["variables"]), (&json!("desk"), &json!("DESK__")));
    let properties = &desk["schema"]["properties"];
    assert_eq!(properties["total"]["description"], "What stands on it at first.");
    assert_eq!(properties["total"]["default"], 0);
    assert_eq!((&properties["pin"]["writeOnly"], properties["pin"].get("default")), (&json!(true), None));
    assert_eq!(desk["schema"]["additionalProperties"], false);
    assert_eq!(print("tiny")["schema"], Json::Null);
}
