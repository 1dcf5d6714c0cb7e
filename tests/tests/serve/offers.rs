//! Resources, prompts and completion over MCP, in both eras.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nodecast_tests::{Host, modern, request};
use serde_json::{Value as Json, json};

use crate::mcp::{LEGACY, ask_modern};
use crate::{HOST, asking, conformance, tiny};

pub(crate) async fn shelf(arguments: &[&str]) -> Host {
    Host::start(HOST, &[&["--nodeset", "shelf"], arguments].concat()).await
}

/// A request of the older era: its result, or its error.
pub(crate) async fn ask(host: &Host, method: &str, params: Json) -> Json {
    let answer = host.mcp("/mcp", &LEGACY, &request(1, method, &params)).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"), "{method} {params}");
    let answer = answer.json();
    answer.get("result").or(answer.get("error")).cloned().unwrap()
}

pub(crate) async fn read(host: &Host, uri: &str) -> Json {
    ask(host, "resources/read", json!({ "uri": uri })).await
}

pub(crate) async fn prompt(host: &Host, name: &str, arguments: Json) -> Json {
    ask(host, "prompts/get", json!({ "name": name, "arguments": arguments })).await
}

/// All pages of a list, by their cursors.
pub(crate) async fn pages(host: &Host, method: &str, member: &str) -> Vec<Vec<Json>> {
    let (mut pages, mut params) = (Vec::new(), json!({}));
    loop {
        let page = ask(host, method, params).await;
        pages.push(page[member].as_array().unwrap().clone());
        match page.get("nextCursor") {
            Some(cursor) => params = json!({ "cursor": cursor }),
            None => return pages,
        }
    }
}

#[tokio::test]
async fn what_is_offered_is_listed_as_declared() {
    let host = shelf(&[]).await;
    let resources = pages(&host, "resources/list", "resources").await;
    assert_eq!(resources.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 1]);
    assert_eq!(
        resources[0][0],
        json!({ "uri": "shelf://index", "name": "shelf__index", "title": "Index",
            "description": "What stands on the shelf.", "mimeType": "text/markdown" })
    );
    let templates = pages(&host, "resources/templates/list", "resourceTemplates").await;
    assert_eq!(
        templates,
        [[
            json!({ "uriTemplate": "shelf://books/{title}/{edition}", "name": "shelf__book", "description": "One book." }),
            json!({ "uriTemplate": "shelf://index/{page}", "name": "shelf__page",
                "description": "One page of the index." }),
        ]]
    );
    let prompts = pages(&host, "prompts/list", "prompts").await;
    assert_eq!(
        prompts[0][0],
        json!({
            "name": "shelf__review",
            "title": "Review a book",
            "description": "Reviews a book.",
            "arguments": [
                { "name": "title", "description": "Which book.", "required": true },
                { "name": "words", "title": "Length", "description": "How many words.", "required": false },
                { "name": "kind", "description": "Whether to be kind.", "required": false },
                { "name": "without", "description": "Which letters to avoid.", "required": false },
            ],
            "icons": [{ "src": "https://example.com/pen.svg" }],
            "_meta": { "com.example/level": "hard" },
        })
    );
    assert_eq!(prompts[1][0], json!({ "name": "shelf__show" }));
    let tools = ask(&host, "tools/list", json!({})).await;
    assert_eq!(tools["tools"][0]["icons"], json!([{ "src": "https://example.com/find.svg" }]));
    assert_eq!(
        tools["tools"][0]["_meta"],
        json!({ "com.example/level": 1.5, "nodecast/waits": true, "nodecast/fallback": true })
    );
}

#[tokio::test]
async fn capabilities_are_what_there_is() {
    let host = shelf(&[]).await;
    let hello = host.mcp("/mcp", &[], &nodecast_tests::initialize(1, "test")).await.json();
    let tasks = json!({ "io.modelcontextprotocol/tasks": {} });
    let all = json!({
        "extensions": tasks, "tools": {}, "resources": {}, "prompts": {}, "completions": {}, "logging": {},
    });
    assert_eq!(hello["result"]["capabilities"], all);
    let icon = json!({ "src": "data:image/png;base64,iVBORw0KGgo=", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark" });
    assert_eq!(hello["result"]["serverInfo"]["icons"], json!([{ "src": "https://example.com/shelf.svg" }, icon]));
    assert_eq!(hello["result"]["_meta"]["com.example/floor"], 2);
    let (_, found) = ask_modern(&host, "server/discover", None, json!({})).await;
    let found = &found["result"];
    assert_eq!((&found["capabilities"], &found["_meta"]["com.example/open"]), (&all, &json!(true)));
    let health = host.get("/health").await.json();
    assert_eq!(found["_meta"]["nodecast/contract"], health["nodecast"]["contract"]);
    let hello = tiny(&[]).await.mcp("/mcp", &[], &nodecast_tests::initialize(1, "test")).await.json();
    // Results may leave something out, which is a resource then.
    assert_eq!(hello["result"]["capabilities"], json!({ "tools": {}, "resources": {}, "logging": {} }));
}

#[tokio::test]
async fn resources_are_read() {
    let host = shelf(&[]).await;
    assert_eq!(
        read(&host, "shelf://index").await,
        json!({ "contents": [
            { "uri": "shelf://index", "mimeType": "text/markdown", "text": "# Index" },
            { "uri": "shelf://index/plain", "mimeType": "text/plain", "text": "plain" },
        ], "ttlMs": 0, "cacheScope": "private" })
    );
    let cover = read(&host, "shelf://cover").await;
    let blob = STANDARD.decode(cover["contents"][0]["blob"].as_str().unwrap()).unwrap();
    assert!(blob.starts_with(b"\x89PNG\r\n\x1a\n"));
    assert_eq!((&cover["contents"][0]["mimeType"], &cover["ttlMs"]), (&json!("image/png"), &json!(60_000)));
    for (uri, text) in [
        ("shelf://books/Emma/3", "Emma (3)"),
        // RFC 6570, 3.2.2: a value is written with percent signs; what is not ASCII may stand for itself.
        ("shelf://books/Gr%C3%BCne%20H%C3%BCgel%2F2/255", "Grüne Hügel/2 (255)"),
        ("shelf://books/Grüne/1", "Grüne (1)"),
        ("shelf://index/beta", "Beta"),
    ] {
        let result = read(&host, uri).await;
        assert_eq!((&result["contents"][0]["text"], &result["contents"][0]["uri"]), (&json!(text), &json!(uri)));
        assert_eq!(result["contents"][0].get("mimeType"), None);
    }
}

#[tokio::test]
async fn what_is_not_there_is_an_error_with_its_uri() {
    let host = shelf(&[]).await;
    for uri in ["shelf://nothing", "shelf://books/Emma", "shelf://books/Emma/", "shelf://books/Emma/1/2", "", "x y"] {
        let error = read(&host, uri).await;
        assert_eq!((&error["code"], &error["data"]["uri"]), (&json!(-32002), &json!(uri)), "{error}");
        let (_, error) = ask_modern(&host, "resources/read", Some(uri), json!({ "uri": uri })).await;
        assert_eq!((&error["error"]["code"], &error["error"]["data"]["uri"]), (&json!(-32602), &json!(uri)), "{error}");
    }
    // There is a template for it, and it leads nowhere.
    let error = read(&host, "shelf://books/Emma/0").await;
    assert_eq!((&error["code"], &error["message"]), (&json!(-32002), &json!("`Emma` has no edition 0")));
    assert_eq!((&error["data"]["type"], &error["data"]["stage"]), (&json!("not_found"), &json!("schema_validation")));
    for (uri, kind) in [
        ("shelf://books/Emma/256", "out_of_range"),
        ("shelf://books/Emma/one", "wrong_type"),
        ("shelf://books/Emma/%201", "wrong_type"),
        ("shelf://index/gamma", "not_an_option"),
    ] {
        let error = read(&host, uri).await;
        assert_eq!((&error["code"], &error["data"]["type"]), (&json!(-32602), &json!(kind)), "{error}");
        assert_eq!((&error["data"]["uri"], &error["data"]["stage"]), (&json!(uri), &json!("schema_validation")));
    }
}

/// T04: what a client invents is shown in short.
#[tokio::test]
async fn t04_what_is_not_there_is_said_in_short() {
    let host = shelf(&[]).await;
    let long = "x".repeat(50_000);
    let argument = json!({ "name": long, "value": "" });
    for reference in [json!({ "type": "ref/prompt", "name": long }), json!({ "type": "ref/resource", "uri": long })] {
        let error = ask(&host, "completion/complete", json!({ "ref": reference, "argument": argument })).await;
        assert_eq!(error["code"], -32602, "{error}");
        assert!(error["message"].as_str().unwrap().len() < 1000, "{error}");
    }
    let error = read(&host, &format!("nodecast://results/{long}")).await;
    assert!(error["message"].as_str().unwrap().len() < 1000, "{error}");
}

#[tokio::test]
async fn failures_have_their_stage() {
    let host = shelf(&["--call-timeout", "0.3"]).await;
    let error = read(&host, "shelf://locked").await;
    assert_eq!((&error["code"], &error["message"]), (&json!(-32603), &json!("the shelf is locked")));
    assert_eq!(
        error["data"],
        json!({ "type": "no_key", "stage": "adapter_execution", "retryable": true, "uri": "shelf://locked" })
    );
    for error in [read(&host, "shelf://torn").await, prompt(&host, "shelf__burn", json!({})).await] {
        assert_eq!((&error["code"], &error["data"]["stage"]), (&json!(-32603), &json!("internal_runtime")));
        assert!(!error.to_string().contains("secret"), "{error}");
    }
    let error = read(&host, "shelf://lost").await;
    assert_eq!((&error["code"], &error["data"]["stage"]), (&json!(504), &json!("timeout")), "{error}");
    let panicked = json!({ "ref": { "type": "ref/prompt", "name": "shelf__review" },
        "argument": { "name": "title", "value": "panic" } });
    let error = ask(&host, "completion/complete", panicked).await;
    assert_eq!((&error["code"], &error["data"]["stage"]), (&json!(-32603), &json!("internal_runtime")));
    // It answers all the same.
    assert_eq!(read(&host, "shelf://index").await["contents"][0]["text"], "# Index");
}

#[tokio::test]
async fn prompts_read_their_arguments_from_text() {
    let host = shelf(&[]).await;
    let text = |result: &Json| result["messages"][0]["content"]["text"].as_str().unwrap_or_default().to_owned();
    let whole = json!({ "title": "Emma", "words": "4294967295", "kind": "false", "without": "[\"x\"]" });
    let made = prompt(&host, "shelf__review", whole).await;
    assert_eq!(made["description"], "Reviews a book.");
    assert_eq!(
        made["messages"],
        json!([
            { "role": "user", "content": { "type": "text", "text": "Emma: 4294967295 words, kind: false, without: \"x\"" } },
            { "role": "assistant", "content": { "type": "text", "text": "Which edition?" } },
        ])
    );
    // Text is itself where text is wanted, and nothing is no number.
    let made = prompt(&host, "shelf__review", json!({ "title": "5", "words": "" })).await;
    assert_eq!(text(&made), "5: 100 words, kind: true, without: \"\"");
    let made = prompt(&host, "shelf__compare", json!({ "one": "", "other": "null" })).await;
    assert_eq!((text(&made), &made["description"]), (" or null?".to_owned(), &json!("Two books")));
    let cases = [
        (json!({}), "missing_field", "/title"),
        (json!({ "title": "a", "length": "1" }), "unknown_field", "/length"),
        (json!({ "title": "a", "words": "-1" }), "out_of_range", "/words"),
        (json!({ "title": "a", "words": "many" }), "wrong_type", "/words"),
        (json!({ "title": "a", "kind": "yes" }), "wrong_type", "/kind"),
        (json!({ "title": 5 }), "wrong_type", "/title"),
        (json!({ "title": null }), "missing_field", "/title"),
    ];
    for (arguments, kind, pointer) in cases {
        let error = prompt(&host, "shelf__review", arguments).await;
        assert_eq!((&error["code"], &error["data"]["stage"]), (&json!(-32602), &json!("schema_validation")), "{error}");
        assert_eq!((&error["data"]["type"], &error["data"]["pointer"]), (&json!(kind), &json!(pointer)), "{error}");
    }
    let error = prompt(&host, "shelf__reveiw", json!({})).await;
    assert_eq!((&error["code"], &error["data"]["nearest"]), (&json!(-32602), &json!("shelf__review")));
}

#[tokio::test]
async fn prompts_show_pictures_recordings_and_documents() {
    let host = shelf(&[]).await;
    let made = prompt(&host, "shelf__show", json!({})).await;
    let blocks: Vec<&Json> = made["messages"].as_array().unwrap().iter().map(|one| &one["content"]).collect();
    assert_eq!(made.get("description"), None);
    assert_eq!((&blocks[0]["type"], &blocks[0]["mimeType"]), (&json!("image"), &json!("image/png")));
    assert!(STANDARD.decode(blocks[0]["data"].as_str().unwrap()).unwrap().starts_with(b"\x89PNG"));
    assert_eq!(*blocks[1], json!({ "type": "audio", "data": "UklGRg==", "mimeType": "audio/wav" }));
    let document = json!({ "uri": "shelf://index", "mimeType": "text/markdown", "text": "# Index" });
    assert_eq!(*blocks[2], json!({ "type": "resource", "resource": document }));
    assert_eq!(*blocks[3], json!({ "type": "resource_link", "uri": "shelf://cover", "name": "cover" }));
}

#[tokio::test]
async fn arguments_are_completed() {
    let host = shelf(&[]).await;
    let complete = async |reference: Json, name: &str, value: &str, context: Json| {
        let argument = json!({ "name": name, "value": value });
        let params = json!({ "ref": reference, "argument": argument, "context": { "arguments": context } });
        ask(&host, "completion/complete", params).await
    };
    let template = |uri: &str| json!({ "type": "ref/resource", "uri": uri });
    let of = |name: &str| json!({ "type": "ref/prompt", "name": name });
    let book = template("shelf://books/{title}/{edition}");
    let found = complete(book.clone(), "title", "book 14", json!({})).await;
    let ten: Vec<String> = std::iter::once(14).chain(140..150).map(|number| format!("Book {number}")).collect();
    assert_eq!(found["completion"], json!({ "values": ten, "total": 11, "hasMore": false }));
    let found = complete(of("shelf__review"), "title", "", json!({})).await;
    let completion = &found["completion"];
    assert_eq!(completion["values"].as_array().unwrap().len(), 100);
    assert_eq!((&completion["total"], &completion["hasMore"]), (&json!(150), &json!(true)));
    let found = complete(of("shelf__compare"), "other", "", json!({ "one": "Book 7" })).await;
    assert_eq!(found["completion"]["values"], json!(["Book 8"]));
    let found = complete(of("shelf__review"), "kind", "t", json!({})).await;
    assert_eq!(found["completion"]["values"], json!(["true"]));
    let found = complete(template("shelf://index/{page}"), "page", "", json!({})).await;
    assert_eq!(found["completion"]["values"], json!(["alpha", "beta"]));
    // Not completed, and so without values.
    let found = complete(book, "edition", "1", json!({})).await;
    assert_eq!(found["completion"], json!({ "values": [], "total": 0, "hasMore": false }));
    for (reference, name) in [
        (of("shelf__nothing"), "title"),
        (of("shelf__review"), "length"),
        (template("shelf://index"), "page"),
        (template("shelf://books/Emma/1"), "title"),
        (json!({ "type": "ref/other" }), "title"),
    ] {
        let error = complete(reference, name, "", json!({})).await;
        assert_eq!(error["code"], -32602, "{error}");
    }
}

#[tokio::test]
async fn every_cacheable_result_says_how_long_it_may_be_kept() {
    const CACHEABLE: [&str; 5] =
        ["server/discover", "tools/list", "resources/list", "resources/templates/list", "prompts/list"];
    let token = std::env::temp_dir().join(format!("nodecast-offers-{}", std::process::id()));
    std::fs::write(&token, "letmein").unwrap();
    let declared = shelf(&[]).await;
    let plain = tiny(&[]).await;
    for method in CACHEABLE {
        for (host, ttl_ms) in [(&declared, 60_000), (&plain, 300_000)] {
            let (_, answer) = ask_modern(host, method, None, json!({})).await;
            let result = &answer["result"];
            assert_eq!((&result["ttlMs"], &result["cacheScope"]), (&json!(ttl_ms), &json!("public")), "{answer}");
        }
    }
    let (_, answer) =
        ask_modern(&declared, "resources/read", Some("shelf://cover"), json!({ "uri": "shelf://cover" })).await;
    assert_eq!((&answer["result"]["ttlMs"], &answer["result"]["cacheScope"]), (&json!(60_000), &json!("public")));
    let guarded = shelf(&["--token-file", token.to_str().unwrap()]).await;
    for method in CACHEABLE {
        let asked = modern(7, method, None, json!({})).with("authorization", "Bearer letmein");
        let answer = guarded.ask(&asked).await.json();
        assert_eq!(answer["result"]["cacheScope"], "private", "{answer}");
    }
    std::fs::remove_file(token).unwrap();
}

#[tokio::test]
async fn b58_a_read_that_nobody_waits_for_is_cancelled() {
    let host = shelf(&[]).await;
    let asked = modern(9, "resources/read", Some("shelf://lost"), json!({ "uri": "shelf://lost" }));
    let brief = Duration::from_millis(300);
    assert!(tokio::time::timeout(brief, host.ask(&asked)).await.is_err());
    let deadline = tokio::time::Instant::now() + Duration::from_secs(5);
    while host.get("/health").await.json()["nodecast"]["in_flight"] != 0 {
        assert!(tokio::time::Instant::now() < deadline, "the read goes on");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// SEP-2575: each result should name its server, since no handshake did. The older era has said it with `initialize`.
#[tokio::test]
async fn every_result_of_the_newer_era_names_its_server() {
    const SERVER: &str = "io.modelcontextprotocol/serverInfo";
    let host = conformance(&[]).await;
    let prompt = json!({ "type": "ref/prompt", "name": "test_prompt_with_arguments" });
    let requests = [
        ("server/discover", None, json!({})),
        ("tools/list", None, json!({})),
        ("resources/list", None, json!({})),
        ("resources/templates/list", None, json!({})),
        ("prompts/list", None, json!({})),
        ("resources/read", Some("test://static-text"), json!({ "uri": "test://static-text" })),
        ("prompts/get", Some("test_simple_prompt"), json!({ "name": "test_simple_prompt" })),
        ("completion/complete", None, json!({ "ref": prompt, "argument": { "name": "arg1", "value": "" } })),
        // By the lane: one that ends, and one that fails.
        ("tools/call", Some("test_simple_text"), json!({ "name": "test_simple_text" })),
        ("tools/call", Some("test_error_handling"), json!({ "name": "test_error_handling" })),
    ];
    for (method, name, params) in requests {
        let answer = ask_modern(&host, method, name, params.clone()).await.1;
        let server = &answer["result"]["_meta"][SERVER];
        assert_eq!(server["name"], "conformance", "{method}: {answer}");
        assert!(server["version"].is_string(), "{method}: {answer}");
        if method != "server/discover" {
            let older = ask(&host, method, params).await;
            assert_eq!(older.pointer("/_meta").and_then(|meta| meta.get(SERVER)), None, "{method}: {older}");
        }
    }
    let question = asking::ask(&host, asking::GREET, json!({}), json!({})).await.1;
    assert_eq!(question["result"]["_meta"][SERVER]["name"], "conformance", "{question}");
}
