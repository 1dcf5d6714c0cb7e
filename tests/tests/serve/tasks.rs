//! Calls that outlive their request: the Tasks extension, by hand as SEP-2663 words it.

use std::time::Duration;

use nodecast_tests::{Host, modern};
use serde_json::{Value as Json, json};

use crate::conformance;

const TASKS: &str = "io.modelcontextprotocol/tasks";

async fn ask(host: &Host, capabilities: Json, method: &str, name: &str, params: Json) -> (u16, Json) {
    let answer = host.ask(&modern(1, method, Some(name), params).declaring(capabilities)).await;
    (answer.status, answer.json())
}

fn knows() -> Json {
    json!({ "elicitation": {}, "extensions": { TASKS: {} } })
}

async fn start(host: &Host, tool: &str, arguments: Json) -> Json {
    let params = json!({ "name": tool, "arguments": arguments });
    ask(host, knows(), "tools/call", tool, params).await.1["result"].clone()
}

async fn on(host: &Host, method: &str, task: &str, more: Json) -> Json {
    let mut params = json!({ "taskId": task });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    ask(host, knows(), method, task, params).await.1
}

/// The state of a task when it is no longer `working`.
async fn settled(host: &Host, task: &str) -> Json {
    for _ in 0..200 {
        let state = on(host, "tasks/get", task, json!({})).await["result"].clone();
        if state["status"] != "working" {
            return state;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    unreachable!("the task does not settle")
}

#[tokio::test]
async fn a_call_becomes_a_task_for_clients_that_know_tasks() {
    let host = conformance(&[]).await;
    let started = start(&host, "slow_compute", json!({ "seconds": 2 })).await;
    assert_eq!((&started["resultType"], &started["status"]), (&json!("task"), &json!("working")));
    assert!(started["ttlMs"].is_u64() && started["pollIntervalMs"].is_u64() && started.get("requestState").is_none());
    let task = started["taskId"].as_str().unwrap();
    let names_server = |result: &Json| result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "conformance";
    assert!(names_server(&started) && names_server(&on(&host, "tasks/get", task, json!({})).await["result"]));
    // Said before it was a task, and said of it.
    let state = on(&host, "tasks/get", task, json!({})).await["result"].clone();
    assert_eq!(state["statusMessage"], "computing (0 of 2)");
    tokio::time::sleep(Duration::from_millis(1300)).await;
    let state = on(&host, "tasks/get", task, json!({})).await["result"].clone();
    assert_eq!((&state["status"], &state["statusMessage"]), (&json!("working"), &json!("computing (1 of 2)")));
    let done = settled(&host, task).await;
    assert_eq!(done["result"]["content"][0]["text"], "Computed it for 2 seconds.");
    // What is done at once needs no task, and who knows none gets none.
    let quick = start(&host, "slow_compute", json!({ "seconds": 0 })).await;
    assert_eq!((&quick["resultType"], quick.get("taskId")), (&json!("complete"), None));
    let params = json!({ "name": "slow_compute", "arguments": { "seconds": 0 } });
    let (_, plain) = ask(&host, json!({}), "tools/call", "slow_compute", params).await;
    assert_eq!(plain["result"]["resultType"], "complete");
}

#[tokio::test]
async fn who_knows_no_tasks_is_refused_what_needs_one() {
    let host = conformance(&[]).await;
    let required = json!({ "extensions": { TASKS: {} } });
    let failing = ("tools/call", "failing_job", json!({ "name": "failing_job" }));
    let get = ("tasks/get", "x", json!({ "taskId": "x" }));
    for (method, name, params) in [failing, get] {
        let (status, refused) = ask(&host, json!({}), method, name, params).await;
        assert_eq!((status, &refused["error"]["code"]), (400, &json!(-32021)), "{refused}");
        assert_eq!(refused["error"]["data"]["requiredCapabilities"], required);
    }
    let unknown = on(&host, "tasks/get", "no-such-task", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32602);
}

#[tokio::test]
async fn a_failed_call_completes_and_a_broken_one_fails() {
    let host = conformance(&[]).await;
    let failing = start(&host, "failing_job", json!({})).await;
    let broken = start(&host, "protocol_error_job", json!({})).await;
    let failed = settled(&host, failing["taskId"].as_str().unwrap()).await;
    assert_eq!((&failed["status"], &failed["result"]["isError"]), (&json!("completed"), &json!(true)));
    let broken = settled(&host, broken["taskId"].as_str().unwrap()).await;
    assert_eq!((&broken["status"], &broken["error"]["code"]), (&json!("failed"), &json!(-32603)), "{broken}");
    assert_eq!(broken.get("result"), None);
}

#[tokio::test]
async fn a_task_is_cancelled_by_its_id() {
    let host = conformance(&[]).await;
    let started = start(&host, "slow_compute", json!({ "seconds": 60 })).await;
    let task = started["taskId"].as_str().unwrap();
    for _ in 0..2 {
        let cancelled = on(&host, "tasks/cancel", task, json!({})).await;
        assert_eq!(cancelled["result"], json!({ "resultType": "complete" }));
        assert_eq!(settled(&host, task).await["status"], "cancelled");
    }
}

#[tokio::test]
async fn a_task_asks_when_its_client_looks() {
    let host = conformance(&[]).await;
    let started = start(&host, "multi_input", json!({})).await;
    let task = started["taskId"].as_str().unwrap();
    let keys = |state: &Json| state["inputRequests"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let state = settled(&host, task).await;
    assert_eq!(
        (&state["status"], keys(&state)),
        (&json!("input_required"), vec!["confirm".to_owned(), "name".to_owned()])
    );
    let answer =
        |key: &str, content: Json| json!({ "inputResponses": { key: { "action": "accept", "content": content } } });
    on(&host, "tasks/update", task, answer("name", json!({ "name": "Ada" }))).await;
    assert_eq!(keys(&settled(&host, task).await), ["confirm"]);
    // What does not fit is asked for again, under a name of its own: keys are never used twice.
    on(&host, "tasks/update", task, answer("confirm", json!({ "confirm": "perhaps" }))).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert_eq!(keys(&settled(&host, task).await), ["confirm-2"]);
    on(&host, "tasks/update", task, answer("confirm-2", json!({ "confirm": true }))).await;
    assert_eq!(settled(&host, task).await["result"]["content"][0]["text"], "Ada: true");
}

#[tokio::test]
async fn what_is_asked_before_any_work_is_asked_before_the_task() {
    let host = conformance(&[]).await;
    let first = start(&host, "test_tool_with_task", json!({})).await;
    assert_eq!((&first["resultType"], first.get("taskId")), (&json!("input_required"), None));
    let more = json!({
        "name": "test_tool_with_task",
        "arguments": {},
        "requestState": first["requestState"],
        "inputResponses": { "user_name": { "action": "accept", "content": { "name": "Ada" } } },
    });
    let (_, second) = ask(&host, knows(), "tools/call", "test_tool_with_task", more).await;
    assert_eq!((&second["result"]["resultType"], second["result"].get("requestState")), (&json!("task"), None));
    let done = settled(&host, second["result"]["taskId"].as_str().unwrap()).await;
    assert_eq!(done["result"]["content"][0]["text"], "Hello, Ada!");
}
