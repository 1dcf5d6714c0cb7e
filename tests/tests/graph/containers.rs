//! `/containers/…`, what nodes see of them, and what an editor is shown (`wire.md` 5).

use nodecast::prelude::*;
use reqwest::Method;
use serde_json::json;

use crate::{host, packed, unpacked};

/// What two nodesets call alike.
#[derive(Container)]
#[allow(dead_code, reason = "no node looks at it")]
struct Shelf {
    /// What was put there last.
    book: LastWrite<String>,
}

/// Has a shelf.
#[nodeset(name = "left", containers(Shelf))]
#[derive(Default)]
struct Left;

/// Has another one.
#[nodeset(name = "right", containers(Shelf))]
#[derive(Default)]
struct Right;

/// `wire.md` 2: of two containers of one id nobody could say which is meant, so nothing is served.
#[tokio::test]
async fn two_containers_of_one_id_do_not_start() {
    let both = nodecast::Host::new().nodeset::<Left>(()).nodeset::<Right>(()).into_router().await.unwrap_err();
    let way_out = "serve one with --nodeset, or rename one of the two";
    assert_eq!(both.to_string(), format!("both `left` and `right` have a container `shelf`; {way_out}"));
    assert_eq!(both.exit_code(), 2);
}

#[tokio::test]
async fn what_is_written_is_read_in_either_regime() {
    let robot = host("robot", &[]).await;
    let written = robot.post("/containers/memory/write", &json!({ "name": "things", "data": "a cup" })).await;
    assert_eq!((written.status, written.json()), (200, json!({ "ok": true })));
    let read = packed(&robot, "/containers/memory/read", &json!({ "name": "things", "execution_id": "e" })).await;
    assert_eq!(unpacked(&read), json!({ "value": ["a cup"] }));
    // The bytes of the specification; and without a content type it is msgpack.
    let body = rmp_serde::to_vec_named(&json!({ "name": "seen", "data": 2 })).unwrap();
    let written = robot.send(Method::POST, "/containers/memory/write", &[], body).await;
    assert_eq!((written.status, written.body.as_slice()), (200, b"\x81\xa2ok\xc3".as_slice()));
    let read = robot.post("/containers/memory/read/", &json!({ "name": "seen" })).await;
    assert_eq!(read.json(), json!({ "value": 2 }));
}

#[tokio::test]
async fn nodes_and_clients_see_the_same() {
    let robot = host("robot", &[]).await;
    robot.post("/containers/memory/write", &json!({ "name": "seen", "data": 40 })).await;
    for (thing, seen) in [("a", 41), ("b", 42), ("c", 43), ("d", 44)] {
        let answer = robot.post("/call/robot__remember", &json!({ "thing": thing })).await.json();
        assert_eq!(answer["outputs"]["result"], seen);
    }
    let things = robot.post("/containers/memory/read", &json!({ "name": "things" })).await.json();
    assert_eq!(things, json!({ "value": ["b", "c", "d"] }), "the oldest goes beyond max_size");
    // By its id, also from inside a node.
    let borrowed = json!({ "container": "notes", "state": "mood", "data": "glad", "key": "k" });
    let answer = robot.post("/call/robot__borrow", &borrowed).await.json();
    assert_eq!(answer["outputs"]["result"], "glad");
    let plain = robot.post("/containers/notes/read", &json!({ "name": "mood" })).await.json();
    assert_eq!(plain, json!({ "value": "calm" }), "another key is another value");
}

#[tokio::test]
async fn keys_are_evicted_in_one_container_or_in_all() {
    let robot = host("robot", &["--max-keys", "2"]).await;
    for key in ["a", "b"] {
        robot.post("/containers/memory/write", &json!({ "name": "things", "data": key, "key": key })).await;
        robot.post("/containers/notes/write", &json!({ "name": "mood", "data": key, "key": key })).await;
    }
    let third = json!({ "name": "mood", "data": "c", "key": "c" });
    let refused = robot.post("/containers/notes/write", &third).await;
    assert_eq!((refused.status, &refused.json()["type"]), (422, &json!("too_many_keys")));
    let evicted = robot.post("/containers/memory/evict", &json!({ "key": "a" })).await;
    assert_eq!((evicted.status, evicted.json()), (200, json!({ "ok": true })));
    let everywhere = robot.post("/containers/evict", &json!({ "key": "a" })).await;
    assert_eq!((everywhere.status, everywhere.json()), (200, json!({ "evicted": 1, "key": "a" })));
    for path in ["/containers/memory/evict", "/containers/evict"] {
        let refused = robot.post(path, &json!({})).await;
        assert_eq!((refused.status, &refused.json()["pointer"]), (400, &json!("/key")), "{path}");
    }
    assert_eq!(robot.post("/containers/notes/write", &third).await.status, 200);
}

#[tokio::test]
async fn what_does_not_fit_is_refused_with_its_place() {
    let robot = host("robot", &[]).await;
    let write = |state: &str, data: serde_json::Value| json!({ "name": state, "data": data });
    let cases = [
        ("memory", write("seen", json!("two")), 422, "wrong_type", "/data"),
        ("memory", write("things", json!(5)), 422, "wrong_type", "/data"),
        (
            "memory",
            write("place", json!({ "position": "here", "orientation": [0, 0, 0, 1] })),
            422,
            "wrong_type",
            "/data/position",
        ),
        ("memory", json!({ "name": "seen" }), 422, "missing_field", "/data"),
        ("memory", json!({ "data": 1 }), 422, "missing_field", "/name"),
        ("memory", json!({ "name": 5, "data": 1 }), 422, "wrong_type", "/name"),
        ("memory", json!([]), 400, "not_a_map", ""),
        ("memory", write("sen", json!(1)), 404, "not_found", ""),
        ("memor", write("seen", json!(1)), 404, "not_found", ""),
    ];
    for (container, body, status, kind, pointer) in cases {
        let path = format!("/containers/{container}/write");
        let refused = robot.post(&path, &body).await;
        let said = refused.json();
        assert_eq!((refused.status, said["type"].as_str()), (status, Some(kind)), "{path} {body}: {said}");
        assert!(said["pointer"].as_str().unwrap_or_default().starts_with(pointer), "{path} {body}: {said}");
        // In the regime of the request, as everywhere.
        let refused = packed(&robot, &path, &body).await;
        assert_eq!((refused.status, unpacked(&refused)["type"].as_str()), (status, Some(kind)), "{path} {body}");
    }
    // A counter that cannot hold a number says so once, with its range.
    let refused = robot.post("/containers/memory/write", &write("seen", json!(1e300))).await.json();
    assert_eq!((&refused["type"], &refused["errors"]), (&json!("out_of_range"), &json!(null)), "{refused}");
    let refused = unpacked(&packed(&robot, "/containers/memory/write", &write("seen", json!(u64::MAX))).await);
    let range = "an integer from -9223372036854775808 to 9223372036854775807";
    assert_eq!((&refused["type"], &refused["expected"]), (&json!("out_of_range"), &json!(range)), "{refused}");
    // Text may be a picture in JSON alone.
    let picture = write("picture", json!("no picture"));
    let refused = robot.post("/containers/memory/write", &picture).await;
    assert_eq!((refused.status, &refused.json()["type"]), (422, &json!("bad_image")));
    let refused = packed(&robot, "/containers/memory/write", &picture).await;
    assert_eq!((refused.status, &unpacked(&refused)["type"]), (422, &json!("wrong_type")));
    let nearest = robot.post("/containers/memor/read", &json!({ "name": "seen" })).await.json();
    assert_eq!((&nearest["nearest"], &nearest["known"]), (&json!("memory"), &json!(["memory", "notes"])));
    assert_eq!(robot.get("/containers/memory/read").await.status, 405);
}

/// Nothing of it stands in what the caller sent, so no pointer leads there.
#[tokio::test]
async fn what_a_node_writes_wrongly_is_its_failure() {
    let robot = host("robot", &[]).await;
    let sent = json!({ "container": "memory", "state": "seen", "data": "q" });
    let failed = robot.post("/call/robot__borrow", &sent).await;
    let said = failed.json();
    assert_eq!((failed.status, &said["stage"]), (500, &json!("adapter_execution")), "{said}");
    assert_eq!((&said["type"], &said["pointer"]), (&json!("wrong_type"), &json!(null)), "{said}");
    let detail = said["detail"].as_str().unwrap();
    assert!(detail.contains("the state `seen` of the container `memory`") && !detail.contains("/data"), "{detail}");
    // Through the type of the state too.
    let most = json!({ "name": "seen", "data": i64::MAX });
    assert_eq!(packed(&robot, "/containers/memory/write", &most).await.status, 200);
    let failed = robot.post("/call/robot__remember", &json!({ "thing": "a cup" })).await;
    let said = failed.json();
    assert_eq!((failed.status, &said["type"]), (500, &json!("out_of_range")), "{said}");
    assert_eq!((&said["stage"], &said["pointer"]), (&json!("adapter_execution"), &json!(null)), "{said}");
}

/// What is done to one container is msgpack unless the content type says JSON.
#[tokio::test]
async fn a_body_that_is_read_as_msgpack_says_so() {
    let robot = host("robot", &[]).await;
    let body = br#"{"name": "seen"}"#;
    for media in ["application/x-www-form-urlencoded", "text/plain", "application/json; charset=latin1"] {
        let headers = [("content-type", media)];
        let refused = robot.send(Method::POST, "/containers/memory/read", &headers, body.to_vec()).await;
        let said = unpacked(&refused);
        assert_eq!((refused.status, &said["type"]), (400, &json!("trailing_bytes")), "{media}: {said}");
        let why = format!("read as msgpack, since `Content-Type` is `{media}`; send `application/json`");
        assert!(said["detail"].as_str().unwrap().contains(&why), "{said}");
    }
    let refused = robot.send(Method::POST, "/containers/memory/read", &[], body.to_vec()).await;
    assert!(unpacked(&refused)["detail"].as_str().unwrap().contains("there is no `Content-Type`"));
    let msgpack = [("content-type", "application/msgpack")];
    let refused = robot.send(Method::POST, "/containers/memory/read", &msgpack, body.to_vec()).await;
    assert!(!unpacked(&refused)["detail"].as_str().unwrap().contains("Content-Type"));
}

#[tokio::test]
async fn a_misspelt_name_resets_nothing() {
    let robot = host("robot", &[]).await;
    robot.post("/containers/memory/write", &json!({ "name": "things", "data": "a", "key": "a" })).await;
    for (path, body, known) in [
        ("/containers/signal", json!({ "signal": "episode", "kye": "a" }), json!(["signal", "key"])),
        ("/containers/evict", json!({ "key": "a", "kye": "a" }), json!(["key"])),
    ] {
        let refused = robot.post(path, &body).await;
        let said = refused.json();
        assert_eq!((refused.status, &said["type"], &said["pointer"]), (422, &json!("unknown_field"), &json!("/kye")));
        assert_eq!((&said["nearest"], &said["known"]), (&json!("key"), &known), "{said}");
    }
    let kept = robot.post("/containers/memory/read", &json!({ "name": "things", "key": "a" })).await.json();
    assert_eq!(kept, json!({ "value": ["a"] }));
    let sent = json!({ "signal": "episode", "execution_id": "e" });
    assert_eq!(robot.post("/containers/signal", &sent).await.status, 200);
}

#[tokio::test]
async fn states_end_with_their_signals() {
    let robot = host("robot", &[]).await;
    let read = async |container: &str, state: &str| {
        let path = format!("/containers/{container}/read");
        robot.post(&path, &json!({ "name": state })).await.json()["value"].clone()
    };
    let place = json!({ "position": [1.0, 2.0, 3.0], "orientation": [0.0, 0.0, 0.0, 1.0] });
    let fill = async || {
        robot.post("/containers/memory/write", &json!({ "name": "things", "data": "a" })).await;
        robot.post("/containers/memory/write", &json!({ "name": "place", "data": place })).await;
        robot.post("/containers/notes/write", &json!({ "name": "mood", "data": "glad" })).await;
    };
    fill().await;
    // By a node.
    let answer = robot.post("/call/robot__signal", &json!({ "signal": "episode" })).await.json();
    assert_eq!(answer["outputs"]["result"], 1);
    assert_eq!((read("memory", "things").await, read("memory", "place").await), (json!([]), place.clone()));
    // By a client; a state begins again with what it began with.
    let reset = robot.post("/containers/signal", &json!({ "signal": "sunset" })).await;
    assert_eq!(
        (reset.status, reset.json()["ok"].clone(), read("notes", "mood").await),
        (200, json!(true), json!("calm"))
    );
    robot.post("/containers/signal", &json!({ "signal": "moved" })).await;
    assert_eq!(read("memory", "place").await, json!(null));
    // By the panel.
    fill().await;
    robot.post("/env-panel/action/reset", &json!({})).await;
    assert_eq!((read("memory", "things").await, read("memory", "place").await), (json!([]), place.clone()));
    // By another execution of a graph.
    let part_of = |id: &str| json!({ "inputs": { "ms": 0 }, "_exec": { "execution_id": id } });
    robot.post("/call/robot__slow", &part_of("first")).await;
    fill().await;
    robot.post("/call/robot__slow", &part_of("first")).await;
    assert_eq!(read("memory", "place").await, place);
    robot.post("/call/robot__slow", &part_of("second")).await;
    assert_eq!((read("memory", "place").await, read("memory", "things").await), (json!(null), json!(["a"])));
    assert_eq!(robot.post("/containers/signal", &json!({})).await.status, 422);
    // A call that is refused is no part of one.
    fill().await;
    for (node, inputs) in [("slow", json!({ "sm": 0 })), ("square", json!({ "x": "two" })), ("square", json!({}))] {
        let sent = json!({ "inputs": inputs, "_exec": { "execution_id": "third" } });
        assert_eq!(robot.post(&format!("/call/robot__{node}"), &sent).await.status, 422);
        assert_eq!(read("memory", "place").await, place, "{sent}");
    }
    let batched = json!({ "inputs": { "x": 2 }, "_exec": { "execution_id": "third" } });
    assert_eq!(robot.post("/call/robot__square", &batched).await.status, 200);
    assert_eq!(read("memory", "place").await, json!(null));
}

#[tokio::test]
async fn replies_show_what_is_remembered() {
    let robot = host("robot", &[]).await;
    robot.post("/call/robot__remember", &json!({ "thing": "a cup" })).await;
    let reply = robot.post("/call/robot__remember", &json!({ "thing": "a cat", "room": "hall" })).await.json();
    let memory = &reply["containers"]["memory"];
    assert_eq!(memory["label"], "Memory");
    assert_eq!(memory["states"]["seen"], json!({ "type": "counter", "value_type": "ANY", "value": 2 }));
    assert_eq!(memory["states"]["place"], json!({ "type": "lastWrite", "value_type": "POSE", "preview": "null" }));
    assert_eq!(
        memory["states"]["things"],
        json!({ "type": "accumulator", "value_type": "TEXT", "keys": 1, "size": 1, "preview": r#"[hall] ["a cat"]"# })
    );
    assert_eq!(reply["containers"]["notes"]["label"], "What people tell it.");
    // A fire list is the whole reply.
    let fired = robot.post("/call/robot__fires", &json!({})).await.json();
    assert_eq!(fired.as_object().unwrap().keys().collect::<Vec<_>>(), ["__firelist__"]);
    // A nodeset that remembers nothing shows nothing.
    let dummy = host("dummy", &[]).await;
    let reply = dummy.post("/call/dummy__echo", &json!({ "text": "hi" })).await.json();
    assert_eq!(reply, json!({ "outputs": { "echo": "hi" } }));
}

/// A picture is itself in msgpack, and base64 in JSON, wherever it is kept.
#[tokio::test]
async fn pictures_keep_their_form() {
    let robot = host("robot", &[]).await;
    let marker = json!({ "__ndarray__": "AQID", "dtype": "uint8", "shape": [1, 1, 3] });
    let written = robot.post("/containers/memory/write", &json!({ "name": "picture", "data": marker })).await;
    assert_eq!(written.status, 200, "{}", written.json());
    let png = robot.post("/containers/memory/read", &json!({ "name": "picture" })).await.json();
    assert!(png["value"].as_str().unwrap().starts_with("iVBORw0KGgo"), "{png}");
    let body = rmp_serde::to_vec_named(&json!({ "name": "picture" })).unwrap();
    let read = robot.send(Method::POST, "/containers/memory/read", &[], body).await;
    // map, "value", ext 1 with the three bytes at its end.
    assert_eq!((&read.body[..7], &read.body[read.body.len() - 3..]), (b"\x81\xa5value".as_slice(), &[1, 2, 3][..]));
    let reply = robot.post("/call/robot__slow", &json!({ "ms": 0 })).await.json();
    let shown = &reply["containers"]["memory"]["states"]["picture"]["preview"];
    assert_eq!(shown, r#"{"dtype":"uint8","shape":[1,1,3]}"#);
}

#[tokio::test]
async fn the_manifest_says_what_is_remembered() {
    let robot = host("robot", &[]).await;
    let manifest = robot.get("/manifest").await.json();
    assert_eq!(
        manifest["containers"][0],
        json!({
            "id": "memory",
            "label": "Memory",
            "position": { "x": 0.0, "y": 0.0 },
            "states": {
                "seen": { "type": "counter", "value_type": "ANY" },
                "things": { "type": "accumulator", "value_type": "TEXT", "config": { "max_size": 3 }, "lifetime": "episode" },
                "place": { "type": "lastWrite", "value_type": "POSE", "lifetime": "run", "reset_on": ["moved"] },
                "picture": { "type": "lastWrite", "value_type": "IMAGE" },
            },
        })
    );
    assert_eq!(
        manifest["containers"][1]["states"]["mood"],
        json!({
            "type": "lastWrite",
            "value_type": "EPISODE_CONTEXT",
            "config": { "initial_value": "calm" },
            "lifetime": "custom",
            "reset_on": ["sunset"],
        })
    );
    assert_eq!(manifest["nodecast"]["env_panel"], true);
}
