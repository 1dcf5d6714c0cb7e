//! The faults of the reference (`wire.md` 11) that no other test is named after. W1, W2 and W7 stand in `serve`, W3 and W5 in
//! `call` and `serve`, W9 in `lifecycle`, `executor`, `serve` and `batch`.

use nodecast_tests::call;
use reqwest::Method;
use serde_json::{Value as Json, json};

use crate::{HOST, host, packed, unpacked};

const MSGPACK: [(&str, &str); 1] = [("content-type", "application/msgpack")];

/// Fault W4: defaults satisfy their own schemas, every position of a slider is taken, and no port is without a type.
#[tokio::test]
async fn w4_schemas_are_there_and_hold() {
    let robot = host("robot", &[]).await;
    for position in 0..=20 {
        // The nearest double of 0.05, 0.10, 0.15 …, which a product with 0.05 is not.
        let gain = f64::from(position) / 20.0;
        let answer = robot.post("/call/robot__numbers", &json!({ "inputs": {}, "config": { "gain": gain } })).await;
        assert_eq!((answer.status, &answer.json()["outputs"]["gain"]), (200, &json!(gain)), "{}", answer.json());
    }
    let manifest = robot.get("/manifest").await.json();
    for function in manifest["functions"].as_array().unwrap() {
        let schema = &function["nodecast"]["input_schema"];
        for (name, property) in schema["properties"].as_object().unwrap() {
            let typed =
                ["type", "anyOf", "oneOf", "enum", "$ref"].iter().any(|keyword| property.get(*keyword).is_some());
            assert!(typed, "{} {name}: {property}", function["name"]);
        }
        let defaults: Json = function["ui_config"]["config_fields"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|field| !field["default"].is_null())
            .map(|field| (field["name"].as_str().unwrap().to_owned(), field["default"].clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        if function["name"] == "robot__numbers" {
            let sent = json!({ "inputs": {}, "config": defaults });
            assert_eq!(robot.post("/call/robot__numbers", &sent).await.status, 200, "{defaults}");
        }
    }
}

/// Fault W6: failure looks like failure on every face, at the same stage, in the request's regime.
#[tokio::test]
async fn w6_failures_on_every_face() {
    let robot = host("robot", &[]).await;
    for (how, status, stage) in
        [("", 500, "adapter_execution"), ("service", 502, "external_service"), ("panic", 500, "internal_runtime")]
    {
        let sent = json!({ "how": how });
        let in_json = robot.post("/call/robot__fail", &sent).await;
        let in_msgpack = packed(&robot, "/call/robot__fail", &sent).await;
        let over_mcp = robot.mcp("/mcp", &[], &call(1, "robot__fail", &sent)).await.json();
        assert_eq!((in_json.status, in_msgpack.status, &over_mcp["result"]["isError"]), (status, status, &json!(true)));
        let text = over_mcp["result"]["content"][0]["text"].as_str().unwrap();
        let said = [in_json.json(), unpacked(&in_msgpack), serde_json::from_str(text).unwrap()];
        assert!(said.iter().all(|said| said["stage"] == stage), "{how}: {said:?}");
    }
    // A graph engine alone can fire; to a model it is an error that says so.
    let fired = robot.mcp("/mcp", &[], &call(2, "robot__fires", &json!({}))).await.json();
    assert_eq!(fired["result"]["isError"], true, "{fired}");
    for (media, body) in [("application/json", b"{".to_vec()), ("application/msgpack", b"\xc1".to_vec())] {
        let refused = robot.send(Method::POST, "/call/robot__fail", &[("content-type", media)], body).await;
        assert_eq!((refused.status, refused.header("content-type")), (400, media));
    }
}

/// An ext 1 of this description and these raw bytes.
fn blob(tag: u8, meta: &[u8], raw: &[u8]) -> Vec<u8> {
    let length = u8::try_from(5 + meta.len() + raw.len()).unwrap();
    let meta_length = u32::try_from(meta.len()).unwrap().to_be_bytes();
    [&[0xc7, length, 1, tag][..], &meta_length, meta, raw].concat()
}

fn meta(dtype: &[u8], shape: &[u8]) -> Vec<u8> {
    [b"\x82\xa5dtype", dtype, b"\xa5shape", shape].concat()
}

/// Fault W8: bodies that lie about themselves are refused, and the process lives.
#[tokio::test]
async fn w8_codec_hazards() {
    let echo = host("echo", &[]).await;
    let deep = |open: &[u8], inside: &[u8]| [open.repeat(100_000).as_slice(), inside].concat();
    let huge = b"\x92\xcf\x00\x00\x00\x01\x00\x00\x00\x00\xcf\x00\x00\x00\x01\x00\x00\x00\x00";
    let many_dimensions = [b"\xdc\x00\x21".as_slice(), &[1; 33]].concat();
    let values: [(&str, Vec<u8>); 9] = [
        ("dtype O", blob(0, &meta(b"\xa1O", b"\x91\x01"), &[0; 8])),
        ("object", blob(0, &meta(b"\xa6object", b"\x91\x01"), &[0; 8])),
        ("structured", blob(0, &meta(b"\x91\x92\xa1a\xa2<f4", b"\x91\x01"), &[0; 4])),
        ("2^32 by 2^32", blob(0, &meta(b"\xa5uint8", huge), &[0; 4])),
        ("33 dimensions", blob(0, &meta(b"\xa5uint8", &many_dimensions), &[0; 1])),
        ("too few bytes", blob(0, &meta(b"\xa7float64", b"\x91\x02"), &[0; 8])),
        ("an unknown tag", blob(7, &meta(b"\xa5uint8", b"\x91\x01"), &[0; 1])),
        ("a list of 2^32 - 1", b"\xdd\xff\xff\xff\xff\x01".to_vec()),
        ("100,000 lists", deep(b"\x91", b"\xc0")),
    ];
    // No byte of it is there, and a node that sums it over its first dimension would allocate 8 TiB.
    let shape = b"\x92\x00\xcf\x00\x00\x01\x00\x00\x00\x00\x00";
    let empty = [b"\x81\xa5table".as_slice(), &blob(0, &meta(b"\xa7float64", shape), &[])].concat();
    let refused = echo.send(Method::POST, "/call/echo__id", &MSGPACK, empty).await;
    assert_eq!((refused.status, &unpacked(&refused)["type"]), (422, &json!("bad_array")));
    for (what, value) in values {
        let body = [b"\x81\xa6inputs\x81\xa1x".as_slice(), &value].concat();
        let refused = echo.send(Method::POST, "/call/echo__id", &MSGPACK, body).await;
        assert!((400..500).contains(&refused.status), "{what}: {}", refused.status);
        unpacked(&refused);
    }
    let array = |dtype: &str, shape: &str, data: &str| {
        format!(r#"{{"__ndarray__": "{data}", "dtype": {dtype}, "shape": {shape}}}"#)
    };
    let ones = format!("[{}]", ["1"; 33].join(","));
    let values = [
        array(r#""O""#, "[1]", "AAAAAAAAAAA="),
        array(r#"[["a", "<f4"]]"#, "[1]", "AAAAAA=="),
        array(r#""uint8""#, "[4294967296, 4294967296]", "AAAA"),
        array(r#""uint8""#, &ones, "AA=="),
        array(r#""float64""#, "[2]", "AAAAAAAAAAA="),
        array(r#""uint8""#, "[-1]", "AA=="),
        array(r#""float64""#, "[0, 8589934592]", ""),
        "[".repeat(100_000),
    ];
    for value in values {
        let body = format!(r#"{{"inputs": {{"x": {value}}}}}"#).into_bytes();
        let refused = echo.send(Method::POST, "/call/echo__id", &[], body).await;
        assert!((400..500).contains(&refused.status), "{}", &value[..value.len().min(60)]);
        refused.json();
    }
    for shape in [json!([0, 4]), json!([3, 0, 5])] {
        let empty = json!({ "__ndarray__": "", "dtype": "float64", "shape": shape });
        let back = echo.post("/call/echo__id", &json!({ "inputs": { "x": empty } })).await;
        assert_eq!(back.json(), json!({ "outputs": { "y": empty } }));
    }
    let alive = echo.post("/call/echo__id", &json!({ "inputs": { "x": 1 } })).await;
    assert_eq!(alive.json(), json!({ "outputs": { "y": 1 } }));
    // What JSON has no word for is refused on the way out, with its place.
    for (value, kind) in [
        (b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00".as_slice(), "non_finite"),
        (b"\xd6\xff\x00\x00\x00\x00", "ext_not_json"),
        (b"\x82\x01\xc0\xa11\xc0", "map_key"),
    ] {
        let owner = host("owner", &[]).await;
        let body = [b"\x82\xa4name\xa6voxels\xa4data".as_slice(), value].concat();
        assert_eq!(owner.send(Method::POST, "/containers/c1/write", &MSGPACK, body).await.status, 200, "{kind}");
        let refused = owner.post("/containers/c1/read", &json!({ "name": "voxels" })).await;
        assert_eq!((refused.status, &refused.json()["type"]), (500, &json!(kind)));
    }
}

/// Fault W10: nothing is open that nobody opened.
#[tokio::test]
async fn w10_doors_are_shut() {
    let robot = host("robot", &[]).await;
    assert!(robot.authority().starts_with("127.0.0.1:"));
    let routes = [
        ("GET", "/health"),
        ("GET", "/manifest"),
        ("GET", "/contract"),
        ("POST", "/call/robot__slow"),
        ("POST", "/containers/memory/read"),
        ("POST", "/containers/memory/write"),
        ("POST", "/containers/memory/evict"),
        ("POST", "/containers/evict"),
        ("POST", "/containers/signal"),
        ("GET", "/env-panel/info"),
        ("GET", "/env-panel/state"),
        ("GET", "/env-panel/options/scene"),
        ("POST", "/env-panel/field/scene"),
        ("POST", "/env-panel/action/start"),
        ("POST", "/mcp"),
    ];
    for (method, path) in routes {
        let ask = |headers: &str| {
            robot.raw(
                format!("{method} {path} HTTP/1.1\r\n{headers}Content-Length: 0\r\nConnection: close\r\n\r\n")
                    .as_bytes(),
            )
        };
        let evil = ask("Host: evil.test\r\n");
        assert!(evil.starts_with("HTTP/1.1 403 "), "{path}: {evil}");
        let foreign = ask(&format!("Host: {}\r\nOrigin: http://evil.test\r\n", robot.authority()));
        assert!(foreign.starts_with("HTTP/1.1 403 "), "{path}: {foreign}");
        assert!(!foreign.to_lowercase().contains("access-control-allow-origin"), "{foreign}");
    }
    // One that serves is ended after a while, and is a failure then.
    let refused = std::process::Command::new("timeout")
        .args(["20", HOST, "--nodeset", "robot", "--host", "0.0.0.0", "--port", "0"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("--token-file") && said.contains("--unsafe-no-auth"), "{said}");
    let without = host("robot", &["--no-mcp"]).await;
    assert_eq!(without.get("/health").await.json()["nodecast"]["mcp"]["state"], "off");
    assert_eq!(without.get("/manifest").await.body, robot.get("/manifest").await.body);
}
