//! Questions of a node to its client in both eras: by hand, and with rmcp's client, which answers them by itself.

use nodecast_tests::{Host, call, modern, request};
use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ContentBlock, CreateMessageRequestParams,
    CreateMessageResult, ElicitRequestParams, ElicitResult, ElicitationAction, ErrorData, Implementation,
    ListRootsResult, ProtocolVersion, Role, Root, SamplingMessage, SamplingMessageContentBlock,
};
use rmcp::service::{ClientLifecycleMode, ClientServiceExt as _, RequestContext};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{RoleClient, ServiceExt};
use serde_json::{Value as Json, json};

use crate::{HOST, conformance};

/// A call of the newer era by a client that can be asked everything, with answers and a state.
pub(crate) async fn ask(host: &Host, tool: &str, arguments: Json, more: Json) -> (u16, Json) {
    ask_of(host, json!({ "elicitation": {}, "sampling": {}, "roots": {} }), tool, arguments, more).await
}

async fn ask_of(host: &Host, capabilities: Json, tool: &str, arguments: Json, more: Json) -> (u16, Json) {
    let mut params = json!({ "name": tool, "arguments": arguments });
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let answer = host.ask(&modern(1, "tools/call", Some(tool), params).declaring(capabilities)).await;
    (answer.status, answer.json())
}

pub(crate) fn accepted(content: Json) -> Json {
    json!({ "action": "accept", "content": content })
}

pub(crate) const GREET: &str = "test_input_required_result_elicitation";

#[tokio::test]
async fn a_round_asks_and_the_next_one_finds_the_answer() {
    let host = conformance(&[]).await;
    let (status, first) = ask(&host, GREET, json!({}), json!({})).await;
    // As SEP-2322 has it, member by member.
    let schema = json!({ "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] });
    let params = json!({ "mode": "form", "message": "What is your name?", "requestedSchema": schema });
    let requests = json!({ "user_name": { "method": "elicitation/create", "params": params } });
    assert_eq!(
        (status, &first["result"]["resultType"], &first["result"]["inputRequests"]),
        (200, &json!("input_required"), &requests)
    );
    let more = json!({
        "requestState": first["result"]["requestState"],
        "inputResponses": { "user_name": accepted(json!({ "name": "Ada" })), "other": accepted(json!({})) },
    });
    let (_, second) = ask(&host, GREET, json!({}), more).await;
    assert_eq!(
        (&second["result"]["resultType"], &second["result"]["content"][0]["text"]),
        (&json!("complete"), &json!("Hello, Ada!"))
    );
}

#[tokio::test]
async fn what_does_not_answer_is_asked_again() {
    let host = conformance(&[]).await;
    let state = |answer: &Json| answer["result"]["requestState"].clone();
    let (_, mut last) = ask(&host, GREET, json!({}), json!({})).await;
    for answers in [
        json!({}),
        json!(null),
        json!({ "wrong_key": accepted(json!({ "name": "Ada" })) }),
        json!({ "user_name": 12345 }),
        json!({ "user_name": accepted(json!({ "name": 5 })) }),
        json!({ "user_name": accepted(json!({})) }),
        json!({ "user_name": { "action": "perhaps" } }),
    ] {
        let more = json!({ "requestState": state(&last), "inputResponses": answers });
        let (_, next) = ask(&host, GREET, json!({}), more).await;
        assert_eq!(next["result"]["resultType"], "input_required", "{answers}: {next}");
        assert_ne!(state(&next), state(&last));
        last = next;
    }
    let message = &last["result"]["inputRequests"]["user_name"]["params"]["message"];
    assert!(
        message.as_str().unwrap().starts_with("What is your name?\n(The answer before was not taken: "),
        "{message}"
    );
    let more = json!({ "requestState": state(&last), "inputResponses": { "user_name": { "action": "decline" } } });
    let (_, declined) = ask(&host, GREET, json!({}), more).await;
    assert_eq!(
        (&declined["result"]["isError"], &declined["result"]["_meta"]["nodecast/stage"]),
        (&json!(true), &json!("adapter_execution"))
    );
    assert!(declined["result"]["content"][0]["text"].as_str().unwrap().contains("\"type\":\"declined\""));
}

#[tokio::test]
async fn a_state_is_for_its_request_and_for_once() {
    let host = conformance(&[]).await;
    let (tool, said) = ("test_elicitation", json!({ "message": "Who?" }));
    let (_, first) = ask(&host, tool, said.clone(), json!({})).await;
    let state = first["result"]["requestState"].as_str().unwrap();
    let answers = json!({ "user": accepted(json!({ "username": "ada", "email": "ada@example.com" })) });
    let with = |state: &str| json!({ "requestState": state, "inputResponses": answers });
    let middle = state.len() / 2;
    let turned = if state.as_bytes()[middle] == b'A' { "B" } else { "A" };
    let changed = format!("{}{turned}{}", &state[..middle], &state[middle + 1..]);
    for (tool, arguments, state) in [
        (tool, said.clone(), changed.as_str()),
        (tool, said.clone(), &format!("{state}-TAMPERED")),
        (tool, said.clone(), ""),
        (tool, json!({ "message": "Who else?" }), state),
        ("test_streaming_elicitation", json!({}), state),
    ] {
        let (_, refused) = ask(&host, tool, arguments, with(state)).await;
        assert_eq!(refused["error"]["code"], -32602, "{state}: {refused}");
    }
    let (_, done) = ask(&host, tool, said.clone(), with(state)).await;
    let text = r#"User response: action=accept, content={"username":"ada","email":"ada@example.com"}"#;
    assert_eq!(done["result"]["content"][0]["text"], text);
    let (_, again) = ask(&host, tool, said, with(state)).await;
    assert_eq!(again["error"]["code"], -32602, "{again}");
    assert!(again["error"]["message"].as_str().unwrap().contains("used before"), "{again}");
}

#[tokio::test]
async fn answers_of_earlier_rounds_come_back_with_the_state() {
    let host = conformance(&[]).await;
    let tool = "test_input_required_result_multi_round";
    let (_, one) = ask(&host, tool, json!({}), json!({})).await;
    let more = |round: &Json, answers: Json| json!({ "requestState": round["result"]["requestState"], "inputResponses": answers });
    let (_, two) =
        ask(&host, tool, json!({}), more(&one, json!({ "step1": accepted(json!({ "name": "Ada" })) }))).await;
    let keys: Vec<_> = two["result"]["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["step2"]);
    let (_, three) =
        ask(&host, tool, json!({}), more(&two, json!({ "step2": accepted(json!({ "color": "blue" })) }))).await;
    assert_eq!(three["result"]["content"][0]["text"], "Ada likes blue");
}

#[tokio::test]
async fn a_client_is_asked_what_it_declared() {
    let host = conformance(&[]).await;
    let (status, refused) = ask_of(&host, json!({}), "test_missing_capability", json!({}), json!({})).await;
    assert_eq!(
        (status, &refused["error"]["code"], &refused["error"]["data"]["requiredCapabilities"]),
        (400, &json!(-32021), &json!({ "sampling": {} }))
    );
    // Forms are what a client means that names no mode, and a client of pages alone has none.
    for (elicitation, status) in [(json!({}), 200), (json!({ "form": {} }), 200), (json!({ "url": {} }), 400)] {
        let capabilities = json!({ "elicitation": elicitation });
        assert_eq!(ask_of(&host, capabilities.clone(), GREET, json!({}), json!({})).await.0, status, "{capabilities}");
    }
    let tool = "test_input_required_result_capabilities";
    let (_, asked) = ask_of(&host, json!({ "sampling": {} }), tool, json!({}), json!({})).await;
    let requests: Vec<_> = asked["result"]["inputRequests"].as_object().unwrap().keys().collect();
    assert_eq!(requests, ["greeting"]);
    // A node that has nobody to ask goes on without.
    let (_, done) = ask_of(&host, json!({}), tool, json!({}), json!({})).await;
    assert_eq!(done["result"]["resultType"], "complete");
}

#[tokio::test]
async fn faces_that_cannot_ask_say_so() {
    let host = conformance(&[]).await;
    let answer = host.post(&format!("/call/{GREET}"), &json!({})).await;
    let error = answer.json();
    assert_eq!((&error["type"], &error["stage"]), (&json!("cannot_ask"), &json!("adapter_execution")), "{error}");
    assert!(error.to_string().contains("call it over MCP"), "{error}");
    // The older era without a session has no way for a question.
    let older =
        host.mcp("/mcp", &[("mcp-protocol-version", "2025-11-25")], &call(1, GREET, &json!({}))).await.message();
    assert!(older["result"]["content"][0]["text"].as_str().unwrap().contains("this client has no session"), "{older}");
}

#[tokio::test]
async fn only_calls_are_asked_about() {
    let host = conformance(&[]).await;
    let asked = modern(1, "tools/list", None, json!({ "inputResponses": {}, "requestState": "junk" }));
    let list = host.ask(&asked).await.json();
    assert_eq!(list["result"]["resultType"], "complete");
    let plain = host.mcp("/mcp", &[], &request(1, "tools/list", &json!({}))).await.message();
    assert_eq!(plain["result"]["tools"], list["result"]["tools"]);
}

/// rmcp's client with a user, a model and a folder.
#[derive(Clone)]
struct Client {
    older: bool,
}

impl rmcp::ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let mut info = ClientConfig::default();
        info.client_info = Implementation::new("test", "1.0");
        info.capabilities = ClientCapabilities::builder().enable_elicitation().enable_sampling().enable_roots().build();
        if self.older {
            info.protocol_version = ProtocolVersion::V_2025_11_25;
        }
        info
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { requested_schema, .. } = request else {
            unreachable!("no form")
        };
        let content = match requested_schema.properties.keys().map(String::as_str).collect::<Vec<_>>()[..] {
            ["name"] => json!({ "name": "Ada" }),
            ["color"] => json!({ "color": "blue" }),
            ["age", "name", "score", "status", "verified"] => json!({ "status": "inactive" }),
            ref other => unreachable!("{other:?}"),
        };
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }

    async fn create_message(
        &self,
        _: CreateMessageRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        let text = SamplingMessageContentBlock::text("Hello there!");
        Ok(CreateMessageResult::new(SamplingMessage::new(Role::Assistant, text), "test-model".to_owned()))
    }

    async fn list_roots(&self, _: RequestContext<RoleClient>) -> Result<ListRootsResult, ErrorData> {
        Ok(ListRootsResult::new(vec![Root::new("file:///work").with_name("work")]))
    }
}

async fn said(client: &rmcp::service::RunningService<RoleClient, Client>, tool: &'static str) -> String {
    let result = client.call_tool(CallToolRequestParams::new(tool)).await.unwrap();
    match &result.content[0] {
        ContentBlock::Text(text) => text.text.clone(),
        other => unreachable!("{other:?}"),
    }
}

#[tokio::test]
async fn the_official_client_answers_in_both_eras() {
    let host = conformance(&[]).await;
    for older in [true, false] {
        let client = if older {
            let mut command = tokio::process::Command::new(HOST);
            command.args(["--stdio", "--nodeset", "conformance"]);
            Client { older }.serve(TokioChildProcess::new(command).unwrap()).await.unwrap()
        } else {
            let transport = StreamableHttpClientTransport::from_uri(format!("{}/mcp", host.url));
            let modern = ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] };
            Client { older }.serve_with_lifecycle(transport, modern).await.unwrap()
        };
        for (tool, expected) in [
            (GREET, "Hello, Ada!"),
            ("test_input_required_result_sampling", "Hello there!"),
            ("test_input_required_result_list_roots", "Roots: file:///work"),
            ("test_input_required_result_multiple_inputs", "Hello there! Ada, you work on 1 folders"),
            ("test_input_required_result_multi_round", "Ada likes blue"),
            (
                "test_elicitation_sep1034_defaults",
                "Elicitation completed: action=accept, content={\"name\":\"John Doe\",\"age\":30,\"score\":95.5,\
                 \"status\":\"inactive\",\"verified\":true}",
            ),
        ] {
            assert_eq!(said(&client, tool).await, expected, "older: {older}");
        }
        client.cancel().await.unwrap();
    }
}
