//! A catalog that is made at run time, with 120 of everything: paging, and that it lacks nothing; by hand and with rmcp's
//! client.

use std::collections::{BTreeSet, HashMap};

use nodecast_tests::{Host, request};
use rmcp::ServiceExt;
use rmcp::model::{GetPromptRequestParams, ReadResourceRequestParams, Reference};
use rmcp::transport::StreamableHttpClientTransport;
use serde_json::json;

use crate::HOST;
use crate::mcp::{Client, LEGACY, ask_modern};
use crate::offers::{ask, pages, prompt, read};

async fn crowd() -> Host {
    Host::start(HOST, &["--nodeset", "crowd"]).await
}

#[tokio::test]
async fn b75_pages_of_a_hundred_and_their_cursors() {
    let host = crowd().await;
    for (method, member, many) in [
        ("tools/list", "tools", 120),
        ("resources/list", "resources", 120),
        ("resources/templates/list", "resourceTemplates", 120),
        ("prompts/list", "prompts", 120),
    ] {
        let pages = pages(&host, method, member).await;
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [100, 20], "{method}");
        let names: BTreeSet<String> = pages.iter().flatten().map(ToString::to_string).collect();
        assert_eq!(names.len(), many, "{method}");
        for junk in ["", "junk", "from-50", "from-200"] {
            let error = ask(&host, method, json!({ "cursor": junk })).await;
            assert_eq!(error["code"], -32602, "{method} {junk}");
        }
        for junk in [json!(5), json!(["from-100"]), json!({}), json!(true)] {
            let message = request(3, method, &json!({ "cursor": junk }));
            let answer = host.mcp("/mcp", &LEGACY, &message).await;
            let error = answer.json();
            assert_eq!((&error["error"]["code"], &error["id"]), (&json!(-32602), &json!(3)), "{method} {junk}");
            assert_eq!(answer.status, 400);
        }
        let (_, page) = ask_modern(&host, method, None, json!({ "cursor": "from-100" })).await;
        assert_eq!(page["result"][member].as_array().unwrap(), &pages[1], "{method}");
    }
}

#[tokio::test]
async fn a_catalog_made_at_run_time_lacks_nothing() {
    let host = crowd().await;
    assert_eq!(read(&host, "crowd://index/119").await["contents"][0]["text"], "resource 238 ");
    let book = read(&host, "crowd://books/7/Emma/3").await;
    assert_eq!(book["contents"][0]["text"], "resource 15 Emma 3");
    let made = prompt(&host, "crowd__compare_3", json!({ "one": "a", "other": "b" })).await;
    assert_eq!(made["messages"][0]["content"]["text"], "prompt 3 a b");
    let reference = json!({ "type": "ref/prompt", "name": "crowd__compare_3" });
    let argument = json!({ "name": "other", "value": "x" });
    let found = ask(&host, "completion/complete", json!({ "ref": reference, "argument": argument })).await;
    assert_eq!(found["completion"]["values"], json!(["Prompt(3) 1 x"]));
}

#[tokio::test]
async fn the_official_client_reads_and_gets_in_both_eras() {
    let host = crowd().await;
    for older in [true, false] {
        let transport = StreamableHttpClientTransport::from_uri(format!("{}/mcp", host.url));
        let client = Client { older, ..Client::default() }.serve(transport).await.unwrap();
        assert_eq!(client.list_all_tools().await.unwrap().len(), 120);
        assert_eq!(client.list_all_resources().await.unwrap().len(), 120);
        assert_eq!(client.list_all_resource_templates().await.unwrap().len(), 120);
        assert_eq!(client.list_all_prompts().await.unwrap().len(), 120);
        let read = client.read_resource(ReadResourceRequestParams::new("crowd://books/0/Emma/1")).await.unwrap();
        assert_eq!(serde_json::to_value(&read.contents).unwrap()[0]["text"], "resource 1 Emma 1", "older: {older}");
        let arguments = json!({ "one": "a", "other": "b" }).as_object().cloned().unwrap();
        let params = GetPromptRequestParams::new("crowd__compare_0").with_arguments(arguments);
        let made = client.get_prompt(params).await.unwrap();
        assert_eq!(serde_json::to_value(&made.messages).unwrap()[0]["content"]["text"], "prompt 0 a b");
        let mut params = rmcp::model::CompleteRequestParams::new(
            Reference::for_prompt("crowd__compare_0"),
            rmcp::model::ArgumentInfo::new("one", "E"),
        );
        params.context = Some(rmcp::model::CompletionContext::with_arguments(HashMap::new()));
        let found = client.complete(params).await.unwrap();
        assert_eq!(found.completion.values, ["Prompt(0) 0 E"]);
        client.cancel().await.unwrap();
    }
}
