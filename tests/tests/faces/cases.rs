//! One call of each node at least, and what comes back where that can be said in advance.

use serde_json::{Value as Json, json};

use crate::spelled::as_json;

/// One call.
pub(crate) struct Case {
    /// Full name of the node.
    pub(crate) node: &'static str,
    /// Its arguments, ports and config fields together.
    pub(crate) arguments: Json,
    /// What comes back; left out, the faces have to agree and no more.
    pub(crate) outputs: Option<Json>,
    /// The kind of error that comes back instead.
    pub(crate) refused: Option<&'static str>,
}

fn gives(node: &'static str, arguments: Json, outputs: Json) -> Case {
    Case { node, arguments, outputs: Some(outputs), refused: None }
}

fn fails(node: &'static str, arguments: Json, kind: &'static str) -> Case {
    Case { node, arguments, outputs: None, refused: Some(kind) }
}

fn agrees(node: &'static str, arguments: Json) -> Case {
    Case { node, arguments, outputs: None, refused: None }
}

pub(crate) fn all() -> Vec<Case> {
    [widgets(), fields(), words(), nodes(), types(), tagged(), pictures(), pantry(), vision()]
        .into_iter()
        .flatten()
        .collect()
}

/// The cases as clients that are not ours make them, for `scripts/clients/run` and `scripts/generated/run`.
#[test]
#[ignore = "writes the file that NODECAST_CASES names"]
fn cases_for_other_clients() {
    let cases = [all(), shapes(), gridworld()].into_iter().flatten().enumerate();
    let cases = cases.map(|(nth, Case { node, arguments, outputs, refused })| {
        // Pictures are blocks, and arrays are reduced: what is left is plain.
        let plain = |outputs: &Json| !["__ndarray__", "\"@", "\"0x"].iter().any(|it| outputs.to_string().contains(it));
        let structured = outputs.clone().filter(|outputs| refused.is_none() && plain(outputs));
        let structured = structured.filter(|_| node != "kitchen__image_list");
        // For clients that are made of the contract: as it is spelled here, and as `/call` has it.
        let spelled = json!({ "arguments": arguments, "outputs": outputs });
        json!({
            "nth": nth, "tool": node, "arguments": as_json(&arguments), "refused": refused, "structured": structured,
            "outputs": outputs.as_ref().map(as_json), "spelled": spelled,
        })
    });
    let file = std::env::var("NODECAST_CASES").unwrap();
    std::fs::write(file, Json::Array(cases.collect()).to_string()).unwrap();
}

/// The nodes whose results are no ports.
fn shapes() -> Vec<Case> {
    vec![
        agrees("kitchen__content", json!({ "page": 2 })),
        fails("kitchen__fire_list", json!({ "guests": 2 }), "fire_list"),
    ]
}

fn gridworld() -> Vec<Case> {
    vec![
        agrees("gridworld__reset", json!({ "seed": 7, "rooms": 3 })),
        agrees("gridworld__observe", json!({ "cell_size": 8 })),
        fails("gridworld__step", json!({ "action": "fly" }), "not_an_option"),
        agrees("gridworld__step", json!({ "action": "right" })),
    ]
}

fn widgets() -> Vec<Case> {
    vec![
        gives("kitchen__select_enum", json!({ "yolk": "hard" }), json!({ "result": 600 })),
        gives("kitchen__select_enum", json!({}), json!({ "result": 360 })),
        fails("kitchen__select_enum", json!({ "yolk": "raw" }), "not_an_option"),
        gives("kitchen__select_labels", json!({ "heat": "high" }), json!({ "result": 250 })),
        fails("kitchen__select_labels", json!({ "heat": "High" }), "not_an_option"),
        gives("kitchen__slider_int", json!({ "grams": 1000 }), json!({ "result": 40 })),
        fails("kitchen__slider_int", json!({ "grams": 2250 }), "out_of_range"),
        gives("kitchen__slider_float", json!({ "amount": 3, "batches": 1.5 }), json!({ "result": 4.5 })),
        gives("kitchen__toggle", json!({ "light": false }), json!({ "result": "off" })),
        gives("kitchen__number", json!({ "celsius": -40, "digits": 0 }), json!({ "result": -40.0 })),
        fails("kitchen__number", json!({ "celsius": -274 }), "out_of_range"),
        gives("kitchen__text", json!({ "content": "jam" }), json!({ "result": "jam" })),
        gives("kitchen__textarea", json!({ "steps": "a\nb" }), json!({ "result": ["1. a", "2. b"] })),
        gives("kitchen__label", json!({ "grams": 500 }), json!({ "result": 3 })),
        fails("kitchen__label", json!({ "salt": 1 }), "unknown_field"),
        gives("kitchen__card", json!({ "table": null }), json!({ "result": "any table for guest" })),
        gives("kitchen__card", json!({ "name": "Ada", "table": 4 }), json!({ "result": "table 4 for Ada" })),
        gives("kitchen__widget_implied", json!({ "count": 2, "urgent": true }), json!({ "result": "2 × flour!" })),
        gives(
            "kitchen__sections",
            json!({ "topic": "rice" }),
            json!({ "result": "small: how do I cook rice? → screen" }),
        ),
    ]
}

fn fields() -> Vec<Case> {
    vec![
        gives("kitchen__optional", json!({ "guests": null }), json!({ "plates": 2, "cloth": null })),
        gives("kitchen__optional", json!({ "guests": 4, "cloth": "red" }), json!({ "plates": 4, "cloth": "red" })),
        gives("kitchen__renamed", json!({ "gross": 350, "tare": 100 }), json!({ "net": 250 })),
        fails("kitchen__renamed", json!({ "gross_grams": 350 }), "unknown_field"),
        gives("kitchen__raw_identifier", json!({ "type": "soup" }), json!({ "match": "first" })),
        gives("kitchen__renamed_crate", json!({ "who": "Ada" }), json!({ "words": "welcome, Ada" })),
        gives("kitchen__wire_override", json!({ "plate": 3 }), json!({ "on": [3] })),
    ]
}

/// What a declaration says beyond names.
fn words() -> Vec<Case> {
    vec![
        gives(
            "kitchen__as_string",
            json!({ "last": "18446744073709551615", "by": "1" }),
            json!({ "next": "18446744073709551616" }),
        ),
        fails("kitchen__as_string", json!({ "last": "18446744073709551616" }), "wrong_type"),
        gives("kitchen__nan", json!({ "grams": [300, 0], "guests": 4 }), json!({ "each": [75.0, 0.0] })),
        gives("kitchen__header", json!({ "room": "garden", "table": 3 }), json!({ "result": "garden, table 3" })),
        gives("kitchen__unstable", json!({ "taste": "flat" }), json!({ "result": "salt" })),
        gives("kitchen__task", json!({ "grams": 500 }), json!({ "result": 1000.0 })),
        gives("kitchen__waits", json!({ "order": 7 }), json!({ "result": "order 7 is ready" })),
        gives("kitchen__fallback", json!({ "order": "stir" }), json!({ "result": "stir, at once" })),
        gives("kitchen__icons", json!({}), json!({ "result": "ding" })),
        gives("kitchen__deprecated", json!({ "grams": 28.349_523_125 }), json!({ "result": 1.0 })),
        gives("kitchen__raw_schema", json!({ "pickup": true }), json!({ "result": 0 })),
        fails("kitchen__raw_schema", json!({ "pickup": false }), "missing_field"),
        gives("kitchen__raw_schema", json!({ "pickup": false, "address": "Main Street 1" }), json!({ "result": 250 })),
        gives("kitchen__cfg", json!({ "flame": 9 }), json!({ "result": "gas, flame 9" })),
        agrees("kitchen__display", json!({ "degrees": [20, 60.5, 100] })),
        fails("kitchen__display", json!({ "degrees": [] }), "nothing_to_watch"),
    ]
}

fn nodes() -> Vec<Case> {
    vec![
        // None of these faces has anybody to ask; the older era without a session is one of them.
        gives("kitchen__ask", json!({ "dish": "soup" }), json!({ "result": "1 × soup, mild" })),
        gives("kitchen__unit", json!({}), json!({})),
        fails("kitchen__unit", json!({ "loudly": true }), "unknown_field"),
        gives("kitchen__hints", json!({}), json!({ "result": true })),
        gives("kitchen__outputs", json!({ "cents": 1000, "guests": 3 }), json!({ "each": 333, "rest": 1 })),
        gives("kitchen__one", json!({}), json!({ "result": { "name": "cayenne", "scoville": 40000 } })),
        gives("kitchen__blocking", json!({ "folds": 10 }), json!({ "result": 1024 })),
        gives(
            "kitchen__batch",
            json!({ "shape": "star", "celsius": 200 }),
            json!({ "cookie": "star at 200 °C", "tray": 1 }),
        ),
        gives("kitchen__shared_node", json!({}), json!({ "result": "in the kitchen" })),
        gives("kitchen__errors", json!({ "dish": "pie", "minutes": 45 }), json!({ "result": "a golden pie" })),
        fails("kitchen__errors", json!({ "dish": "pie", "minutes": 10 }), "not_done"),
        fails("kitchen__errors", json!({ "dish": "pie", "minutes": 100 }), "burnt"),
        gives("kitchen__errors_at_run_time", json!({ "amount": "250 g" }), json!({ "result": 250 })),
        fails("kitchen__errors_at_run_time", json!({ "amount": "250" }), "no_unit"),
        fails("kitchen__errors_at_run_time", json!({ "amount": "some g" }), "node_failed"),
        fails("kitchen__errors_at_run_time", json!({ "amount": "2 l" }), "shop_closed"),
    ]
}

fn types() -> Vec<Case> {
    // 1.0 and 2.0 as float32, and doubled.
    let array = json!({ "__ndarray__": "AACAPwAAAEA=", "dtype": "float32", "shape": [2, 1] });
    let doubled = json!({ "__ndarray__": "AAAAQAAAgEA=", "dtype": "float32", "shape": [2, 1] });
    // Rows 1 2 and 3 4 as float64, and the sums of the columns, 4 and 6.
    let table = json!({
        "__ndarray__": "AAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhAAAAAAAAAEEA=", "dtype": "float64", "shape": [2, 2],
    });
    let sums = json!({ "__ndarray__": "AAAAAAAAEEAAAAAAAAAYQA==", "dtype": "float64", "shape": [2] });
    // 0.5, 2.0 and 0.0 metres; 2.0 is beyond reach.
    let depth = json!({ "__ndarray__": "AAAAPwAAAEAAAAAA", "dtype": "float32", "shape": [1, 3] });
    let reach = json!({ "__ndarray__": "AAAAPwAAAAAAAAAA", "dtype": "float32", "shape": [1, 3] });
    let hand = json!({ "position": [1, 2, 3], "orientation": [0, 0, 0, 1] });
    let anything = json!({ "a": [1, 2.5, "x", null, true], "b": {} });
    vec![
        gives("kitchen__tensor", json!({ "array": array }), json!({ "result": doubled })),
        gives("kitchen__array", json!({ "table": table }), json!({ "result": sums })),
        fails("kitchen__array", json!({ "table": array }), "bad_array"),
        gives("kitchen__depth", json!({ "depth": depth }), json!({ "metres": 0.5, "reach": reach })),
        gives(
            "kitchen__robot",
            json!({ "hand": hand, "action": 0 }),
            json!({
                "control": { "pos": [1.0, 2.0, 3.25], "rot": [0.0, 0.0, 0.0], "gripper": 1.0 },
                "metrics": { "distance": 0.25 },
            }),
        ),
        gives("kitchen__bytes", json!({ "data": "0x0001fe" }), json!({ "data": "0xfe0100", "count": 3 })),
        gives("kitchen__value", json!({ "anything": anything }), json!({ "result": anything })),
        gives(
            "kitchen__maps",
            json!({ "prices": { "flour": 1.5, "eggs": 2 }, "shelves": { "7": 3, "10": 0 } }),
            json!({ "total": 3.5, "full": { "7": 3 } }),
        ),
        fails("kitchen__maps", json!({ "prices": {}, "shelves": { "256": 1 } }), "map_key"),
        gives("kitchen__sets", json!({ "needed": ["egg", "oil"], "there": ["oil"] }), json!({ "missing": ["egg"] })),
        fails("kitchen__sets", json!({ "needed": ["egg", "egg"], "there": [] }), "wrong_type"),
        gives(
            "kitchen__tuples",
            json!({ "color": [255, 128, 2], "added": ["cocoa", 3] }),
            json!({ "color": [252, 125, 0], "label": [3, "cocoa"] }),
        ),
        gives("kitchen__integers", json!({ "small": 255, "large": -1 }), json!({ "small": 255, "large": 0 })),
        gives(
            "kitchen__recursive",
            json!({ "recipe": {
                "name": "pie",
                "ingredients": ["apples"],
                "parts": [{ "name": "dough", "ingredients": ["flour", "butter"] }],
            } }),
            json!({ "result": 3 }),
        ),
    ]
}

fn tagged() -> Vec<Case> {
    let mut cases = Vec::new();
    for (node, field, values) in [
        (
            "kitchen__enum_external",
            "step",
            vec![json!("rest"), json!({ "heat": 180 }), json!({ "mix": { "with": "flour", "minutes": 2 } })],
        ),
        ("kitchen__enum_internal", "piece", vec![json!({ "kind": "pot", "litres": 5 }), json!({ "kind": "board" })]),
        ("kitchen__enum_adjacent", "order", vec![json!({ "dish": "soup", "detail": 2 }), json!({ "dish": "bread" })]),
        ("kitchen__enum_untagged", "amount", vec![json!(3), json!("a pinch")]),
    ] {
        cases.extend(values.into_iter().map(|value| gives(node, json!({ field: value }), json!({ "result": value }))));
    }
    cases
}

fn pictures() -> Vec<Case> {
    vec![
        agrees("kitchen__image_port", json!({ "image": "@coins.png" })),
        agrees("kitchen__image_list", json!({ "pile": ["@coins.png", "@cat.jpg"] })),
        gives("kitchen__image_list", json!({ "pile": [] }), json!({ "result": [] })),
        gives(
            "kitchen__deep_picture",
            json!({ "pages": [{ "picture": "@coins.png" }, { "title": "Coins", "picture": "@coins.png" }] }),
            json!({ "pages": [
                { "title": "page 1", "picture": "@coins.png" },
                { "title": "Coins", "picture": "@coins.png" },
            ] }),
        ),
        agrees("kitchen__full_size", json!({ "image": "@coins.png" })),
        fails("kitchen__image_port", json!({}), "missing_field"),
    ]
}

fn pantry() -> Vec<Case> {
    vec![
        gives("store__shared_node", json!({}), json!({ "result": "in the pantry, among 0 things" })),
        gives("store__settings", json!({}), json!({ "shelves": 5, "orders": true })),
        fails("store__node_mut", json!({ "thing": "rice", "count": 0 }), "out_of_range"),
        fails("store__node_mut", json!({ "thing": "rice", "count": "0" }), "out_of_range"),
        fails("store__node_mut", json!({ "thing": "rice", "count": "two" }), "wrong_type"),
        fails("store__show_errors", json!({ "things": "1 yeti" }), "not_there"),
        fails("store__show_errors", json!({ "things": "some rice" }), "node_failed"),
    ]
}

fn vision() -> Vec<Case> {
    let coin = json!({ "box": { "x": 315, "y": 156, "width": 66, "height": 62 }, "label": "coin" });
    vec![
        agrees("vision__describe", json!({ "image": "@coffee.jpg" })),
        agrees("vision__palette", json!({ "image": "@cat.jpg", "colors": 4 })),
        agrees("vision__edges", json!({ "image": "@coins.png" })),
        fails("vision__edges", json!({ "image": "@coins.png", "low": 300 }), "thresholds_crossed"),
        agrees("vision__segment", json!({ "image": "@coins.png" })),
        agrees("vision__compare", json!({ "before": "@cat.jpg", "after": "@cat.jpg" })),
        fails("vision__compare", json!({ "before": "@cat.jpg", "after": "@coins.png" }), "sizes_differ"),
        agrees("vision__resize", json!({ "image": "@galaxies.jpg", "width": 64, "height": 64 })),
        agrees("vision__annotate", json!({ "image": "@coins.png", "boxes": [coin] })),
        agrees("vision__contact_sheet", json!({ "images": ["@cat.jpg", "@coffee.jpg"], "cell": 64 })),
        fails("vision__contact_sheet", json!({ "images": [] }), "nothing_to_show"),
    ]
}
