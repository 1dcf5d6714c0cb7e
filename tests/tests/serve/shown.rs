//! What reaches a client of what is too much for it (fault B41 to B43, W7), and where the rest is.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nodecast::Image;
use nodecast_tests::{Host, call, initialize, request};
use serde_json::{Value as Json, json};

use crate::HOST;

async fn shown(arguments: &[&str]) -> Host {
    Host::start(HOST, &[&["--nodeset", "shown"], arguments].concat()).await
}

async fn result(host: &Host, tool: &str, arguments: Json) -> Json {
    host.mcp("/mcp", &[], &call(1, &format!("shown__{tool}"), &arguments)).await.json()["result"].clone()
}

async fn read(host: &Host, address: &str) -> Json {
    host.mcp("/mcp", &[], &request(2, "resources/read", &json!({ "uri": address }))).await.json()
}

fn size(block: &Json) -> (u32, u32) {
    assert_eq!((&block["type"], &block["mimeType"]), (&json!("image"), &json!("image/png")), "{block}");
    let image = Image::decode(&STANDARD.decode(block["data"].as_str().unwrap()).unwrap()).unwrap();
    (image.width(), image.height())
}

fn text(block: &Json) -> &str {
    block["text"].as_str().unwrap()
}

#[tokio::test]
async fn b41_large_pictures_are_scaled_and_say_so() {
    let host = shown(&[]).await;
    let result_of = result(&host, "wide", json!({ "width": 8000, "height": 2 })).await;
    let blocks = result_of["content"].as_array().unwrap();
    assert_eq!((size(&blocks[0]), blocks.len()), ((8000, 2), 2));

    let result_of = result(&host, "wide", json!({ "width": 9000, "height": 10 })).await;
    let blocks = result_of["content"].as_array().unwrap();
    assert_eq!((size(&blocks[0]), text(&blocks[1])), ((8000, 8), "{\"note\":\"wide\"}"));
    let note = "`view` is shown at 8000×8 pixels, scaled down from 9000×10: clients take no larger ones";
    assert_eq!((text(&blocks[2]), blocks.len()), (note, 3));
    // On `/call` it is what it is.
    let body = json!({ "width": 9000, "height": 10 });
    let outputs = host.post("/call/shown__wide", &body).await.json()["outputs"].clone();
    let whole = Image::from_base64(outputs["view"].as_str().unwrap()).unwrap();
    assert_eq!((whole.width(), whole.height()), (9000, 10));

    let many = result(&host, "many", json!({ "count": 21, "width": 2500 })).await;
    let blocks = many["content"].as_array().unwrap();
    assert!(blocks[..21].iter().all(|block| size(block) == (2000, 1)));
    assert!(text(&blocks[21]).starts_with("`result/0` is shown at 2000×1"), "{}", blocks[21]);
    let few = result(&host, "many", json!({ "count": 20, "width": 2500 })).await;
    let blocks = few["content"].as_array().unwrap();
    assert!(blocks.len() == 20 && blocks.iter().all(|block| size(block) == (2500, 1)));
}

/// W7: what is said of many pictures is a text as well.
#[tokio::test]
async fn w7_the_note_on_many_pictures_is_bounded() {
    let host = shown(&[]).await;
    let many = result(&host, "many", json!({ "count": 700, "width": 2001 })).await;
    let blocks = many["content"].as_array().unwrap();
    let note = text(&blocks[700]);
    assert!(note.encode_utf16().count() <= 40_000, "{}", note.len());
    assert!(note.starts_with("`result/0` is shown at") && note.ends_with("clients take no larger ones"), "{note}");
    assert!(note.contains("nodecast://results/"), "{note}");
}

#[tokio::test]
async fn b41_a_port_may_forbid_it() {
    let host = shown(&[]).await;
    let fits = result(&host, "exact", json!({ "width": 8000, "height": 2 })).await;
    assert_eq!(size(&fits["content"][0]), (8000, 2));
    let refused = result(&host, "exact", json!({ "width": 9000, "height": 2 })).await;
    let error: Json = serde_json::from_str(text(&refused["content"][0])).unwrap();
    assert_eq!((&refused["isError"], &error["type"]), (&json!(true), &json!("image_too_large")));
    assert_eq!((&error["stage"], &error["pointer"]), (&json!("adapter_execution"), &json!("/outputs/mask")));
    let sentence = error["error"].as_str().unwrap();
    assert!(sentence.contains("9000×2") && sentence.contains("8,000 pixels a side"), "{sentence}");
}

/// An empty list has no blocks, and a result without blocks says nothing at all.
#[tokio::test]
async fn w7_no_pictures_are_an_answer_too() {
    let host = shown(&[]).await;
    let none = result(&host, "many", json!({ "count": 0, "width": 1 })).await;
    assert_eq!(none["content"], json!([{ "type": "text", "text": "{\"result\":[]}" }]));
    assert_eq!(none.get("structuredContent"), None);
}

#[tokio::test]
async fn w7_long_text_keeps_head_and_tail_and_says_where_the_rest_is() {
    let host = shown(&[]).await;
    let long = result(&host, "long", json!({ "count": 10_000 })).await;
    let cut = text(&long["content"][0]);
    assert!(cut.encode_utf16().count() <= 40_000);
    assert!(cut.starts_with("{\"result\":\"line 0\\nline 1\\n") && cut.ends_with("line 9999\\n\"}"), "{cut}");
    assert!(cut.contains("structuredContent has all") && cut.contains("for 10 minutes"), "{cut}");
    let whole = long["structuredContent"].to_string();
    assert!(whole.len() > 100_000);
    let at = cut.find("nodecast://results/").unwrap();
    let answer = read(&host, &cut[at..at + "nodecast://results/".len() + 32]).await;
    let contents = &answer["result"]["contents"][0];
    assert_eq!((&contents["mimeType"], contents["text"].as_str()), (&json!("application/json"), Some(&*whole)));
}

#[tokio::test]
async fn w7_arrays_are_stubs_whose_data_can_be_read() {
    let host = shown(&[]).await;
    let marker = json!({ "__ndarray__": "AACAPwAAAEA=", "dtype": "float32", "shape": [2] });
    let value = json!({ "value": { "deep": [marker] } });
    let reply = result(&host, "anything", value).await;
    let stub = &reply["structuredContent"]["any"]["deep"][0];
    assert_eq!(
        (&stub["__ndarray__"], &stub["dtype"], &stub["shape"]),
        (&json!("<omitted>"), &json!("float32"), &json!([2]))
    );
    let told: Json = serde_json::from_str(text(&reply["content"][0])).unwrap();
    assert_eq!(told, reply["structuredContent"]);
    let answer = read(&host, stub["resource"].as_str().unwrap()).await;
    let contents = &answer["result"]["contents"][0];
    assert_eq!(serde_json::from_str::<Json>(contents["text"].as_str().unwrap()).unwrap(), marker);
    assert_eq!((&contents["mimeType"], &contents["uri"]), (&json!("application/json"), &stub["resource"]));
    // A picture that no schema announced stands in structured content, so it is a stub as well.
    let reply = result(&host, "anything", json!({})).await;
    let stub = &reply["structuredContent"]["any"];
    assert_eq!((&stub["__image__"], &stub["width"], &stub["height"]), (&json!("<omitted>"), &json!(3), &json!(2)));
    let contents = read(&host, stub["resource"].as_str().unwrap()).await["result"]["contents"][0].clone();
    let image = Image::from_base64(contents["blob"].as_str().unwrap()).unwrap();
    assert_eq!((&contents["mimeType"], image.width(), image.height()), (&json!("image/png"), 3, 2));
}

#[tokio::test]
async fn w7_content_is_changed_where_no_client_would_take_it() {
    let host = shown(&[]).await;
    let pages = result(&host, "pages", json!({ "count": 50_000 })).await;
    let blocks = pages["content"].as_array().unwrap();
    let kinds: Vec<_> = blocks.iter().map(|block| block["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["image", "text", "image", "text", "text"]);
    assert_eq!((size(&blocks[0]), size(&blocks[2])), ((2, 2), (8000, 1)));
    let cut = text(&blocks[1]);
    let at = cut.find("nodecast://results/").unwrap();
    let answer = read(&host, &cut[at..at + "nodecast://results/".len() + 32]).await;
    let contents = &answer["result"]["contents"][0];
    assert_eq!((&contents["mimeType"], contents["text"].as_str().map(str::len)), (&json!("text/plain"), Some(50_000)));
    assert_eq!(text(&blocks[3]), "the end");
    assert!(text(&blocks[4]).contains("scaled down from 9000×2"), "{}", blocks[4]);
}

#[tokio::test]
async fn w7_what_is_kept_is_its_callers() {
    let host = shown(&[]).await;
    let info = host.mcp("/mcp", &[], &initialize(1, "test")).await.json();
    assert_eq!(info["result"]["capabilities"]["resources"], json!({}));
    let list = host.mcp("/mcp", &[], &request(1, "resources/list", &json!({}))).await.json();
    assert_eq!(list["result"]["resources"], json!([]));
    for address in ["nodecast://results/0", "nodecast://results/../../etc/passwd", "file:///etc/passwd", ""] {
        let answer = read(&host, address).await;
        let code = answer["error"]["code"].as_i64().unwrap();
        assert!([-32002, -32602].contains(&code), "{answer}");
        assert_eq!(answer["error"]["data"]["uri"], address);
        let again = answer["error"]["message"].as_str().unwrap().contains("call the tool again");
        assert_eq!(again, address.starts_with("nodecast://results/"), "{answer}");
    }
    // An address of one host is nothing to another one.
    let long = result(&host, "long", json!({ "count": 10_000 })).await;
    let cut = text(&long["content"][0]);
    let at = cut.find("nodecast://results/").unwrap();
    let address = &cut[at..at + "nodecast://results/".len() + 32];
    assert!(read(&host, address).await["result"].is_object());
    assert!(read(&shown(&[]).await, address).await["error"].is_object());
    let again = result(&host, "long", json!({ "count": 10_000 })).await;
    assert!(!text(&again["content"][0]).contains(address), "each result has an address of its own");
}

/// Fault B31, the lenient part: text is taken for what it spells where no text is taken, and nowhere else.
#[tokio::test]
async fn b31_coercion_is_opted_in_and_only_where_no_text_is_taken() {
    let host = Host::start(HOST, &["--nodeset", "lenient", "--nodeset", "shown"]).await;
    let none = json!({ "n": null, "share": null });
    let spelt = json!({
        "n": "5", "share": "0.5", "flag": "true", "items": "[1,2]", "place": "{\"x\":1,\"y\":2}", "text": "[1]",
        "any": "[1]", "level": "3",
    });
    let taken = "Some(5) Some(0.5) Some(true) Some([1, 2]) Some((1, 2)) Some(\"[1]\") None Some(\"[1]\") 3";
    let cases = [
        (none, Ok("None None None None None None None None 4")),
        (spelt, Ok(taken)),
        (json!({ "n": "5.0" }), Ok("Some(5) None None None None None None None 4")),
        (json!({ "text": "5", "any": "5" }), Ok("None None None None None Some(\"5\") None Some(\"5\") 4")),
        // Text is a value of it, so what is wrong with the text is told.
        (json!({ "either": "123" }), Err("/either")),
        (json!({ "n": "" }), Err("/n")),
        (json!({ "n": "null" }), Err("/n")),
        (json!({ "n": "five" }), Err("/n")),
        (json!({ "n": "\"5\"" }), Err("/n")),
        (json!({ "n": "1e400" }), Err("/n")),
        (json!({ "n": "-1" }), Err("/n")),
        (json!({ "n": true }), Err("/n")),
        (json!({ "flag": "True" }), Err("/flag")),
        (json!({ "flag": "1" }), Err("/flag")),
        (json!({ "items": "[1" }), Err("/items")),
        (json!({ "items": "[1,\"2\"]" }), Err("/items/1")),
        (json!({ "items": ["1"] }), Err("/items/0")),
        (json!({ "place": "{\"x\":1,\"x\":2,\"y\":2}" }), Err("/place")),
        (json!({ "level": "9" }), Err("/level")),
    ];
    for (arguments, right) in &cases {
        let in_json = host.post("/call/lenient__loose", arguments).await.json();
        let packed = rmp_serde::to_vec_named(arguments).unwrap();
        let headers = [("content-type", "application/msgpack")];
        let packed = host.send(reqwest::Method::POST, "/call/lenient__loose", &headers, packed).await;
        let packed: Json = rmp_serde::from_slice(&packed.body).unwrap();
        let over_mcp = host.mcp("/mcp", &[], &call(1, "lenient__loose", arguments)).await.json()["result"].clone();
        match right {
            Ok(said) => {
                assert_eq!((&in_json["outputs"]["result"], &packed["outputs"]["result"]), (&json!(said), &json!(said)));
                assert_eq!(over_mcp["structuredContent"]["result"], *said, "{arguments}");
            }
            Err(pointer) => {
                let error: Json = serde_json::from_str(text(&over_mcp["content"][0])).unwrap();
                for error in [&in_json, &packed, &error] {
                    assert_eq!(
                        (&error["pointer"], &error["stage"]),
                        (&json!(pointer), &json!("schema_validation")),
                        "{error}"
                    );
                }
            }
        }
    }
    // Nobody else asked for it.
    for arguments in [json!({ "n": "5" }), json!({ "flag": "true" }), json!({ "items": "[1,2]" })] {
        let answer = host.post("/call/shown__loose", &arguments).await;
        assert_eq!((answer.status, &answer.json()["type"]), (422, &json!("wrong_type")), "{arguments}");
    }
}
