//! The nodesets of `wire.md` 12, to the byte where the specification gives bytes.

use reqwest::Method;
use serde_json::json;

use crate::{host, packed, unpacked};

#[tokio::test]
async fn dummy_echo_to_the_byte() {
    for nodeset in ["dummy", "dummy_env", "dummy_optout"] {
        let dummy = host(nodeset, &[]).await;
        let body = b"\x82\xa6inputs\x82\xa4text\xa2hi\xa5count\x02\xa6config\x81\xa3sep\xa1+";
        let msgpack = [("content-type", "application/msgpack")];
        let answer = dummy.send(Method::POST, "/call/dummy__echo", &msgpack, body.to_vec()).await;
        assert_eq!(answer.body, b"\x81\xa7outputs\x81\xa4echo\xa5hi+hi", "{nodeset}");
        let answer = dummy.post("/call/dummy__echo", &json!({ "text": "a", "count": 3 })).await;
        assert_eq!(answer.json(), json!({ "outputs": { "echo": "a-a-a" } }));
    }
}

#[tokio::test]
async fn dummy_frame_in_both_regimes() {
    let dummy = host("dummy", &[]).await;
    let shown = dummy.post("/call/dummy__frame", &json!({})).await.json()["outputs"].clone();
    assert_eq!(shown["note"], "ok");
    assert!(shown["rgb"].as_str().unwrap().starts_with("iVBORw0KGgo"));
    let packed = packed(&dummy, "/call/dummy__frame", &json!({ "inputs": { "trigger": true } })).await;
    let picture = b"\xc7\x28\x01\x00\x00\x00\x00\x17\x82\xa5dtype\xa5uint8\xa5shape\x93\x02\x02\x03";
    let at = packed.body.windows(picture.len()).position(|window| window == picture).expect("ext 1, uint8, 2×2×3");
    assert_eq!(&packed.body[at + picture.len()..][..12], &[0; 12]);
}

#[tokio::test]
async fn the_manifest_of_dummy() {
    let dummy = host("dummy", &["--reference"]).await;
    let manifest = dummy.get("/manifest").await;
    let port = |name: &str, wire: &str, description: &str, optional: bool| json!({ "name": name, "wire_type": wire, "description": description, "optional": optional });
    let echo = &manifest.json()["functions"][0];
    assert_eq!(
        echo["input_ports"],
        json!([
            port("text", "TEXT", "What to repeat.", false),
            port("count", "ACTION", "How often; once where not said.", true),
        ])
    );
    assert_eq!(echo["output_ports"], json!([port("echo", "TEXT", "The text, as often as it was to be said.", false)]));
    assert_eq!(
        manifest.json()["functions"][1]["ui_config"]["display_fields"],
        json!([{ "name": "rgb", "display_type": "image_viewer", "label": "", "data_key": "rgb", "max_visible": 10,
                 "accumulate": false }])
    );
    // The same bytes on every start.
    assert_eq!(manifest.body, host("dummy", &["--reference"]).await.get("/manifest").await.body);
}

#[tokio::test]
async fn only_dummy_env_is_exclusive() {
    for (nodeset, exclusive) in [("dummy", false), ("dummy_env", true), ("dummy_optout", false), ("echo", false)] {
        let served = host(nodeset, &[]).await;
        assert_eq!(served.get("/health").await.json()["nodecast"]["exclusive"], exclusive, "{nodeset}");
    }
}

#[tokio::test]
async fn echo_gives_back_any_value() {
    let echo = host("echo", &[]).await;
    let marker = json!({ "__ndarray__": "AAABAAIA", "dtype": "int16", "shape": [3] });
    for value in [json!(null), json!([1, "a", { "b": [true] }]), json!(1.5), json!({}), marker] {
        let answer = echo.post("/call/echo__id", &json!({ "inputs": { "x": value } })).await.json();
        assert_eq!(answer, json!({ "outputs": { "y": value } }));
    }
    // Whole envelope in msgpack, with what JSON cannot say: bytes, an int key, the largest integer, an array.
    let array =
        b"\xc7\x23\x01\x00\x00\x00\x00\x16\x82\xa5dtype\xa7float64\xa5shape\x90\x00\x00\x00\x00\x00\x00\x0c\x40";
    for value in [b"\xc4\x01\x07".as_slice(), b"\x81\x05\xc0", b"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", array] {
        let body = [b"\x81\xa6inputs\x81\xa1x".as_slice(), value].concat();
        let answer = echo.send(Method::POST, "/call/echo__id", &[("content-type", "application/msgpack")], body).await;
        assert_eq!(answer.body, [b"\x81\xa7outputs\x81\xa1y".as_slice(), value].concat());
    }
}

#[tokio::test]
async fn owner_has_no_nodes_and_remembers() {
    let owner = host("owner", &[]).await;
    let manifest = owner.get("/manifest").await.json();
    assert_eq!(manifest["functions"], json!([]));
    let states = json!({ "voxels": { "type": "lastWrite", "value_type": "ANY" } });
    assert_eq!((&manifest["containers"][0]["id"], &manifest["containers"][0]["states"]), (&json!("c1"), &states));
    let voxels = json!([[0, 1], { "a": null }]);
    let written = packed(&owner, "/containers/c1/write", &json!({ "name": "voxels", "data": voxels })).await;
    assert_eq!(unpacked(&written), json!({ "ok": true }));
    let read = owner.post("/containers/c1/read", &json!({ "name": "voxels" })).await.json();
    assert_eq!(read, json!({ "value": voxels }));
}
