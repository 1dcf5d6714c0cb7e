//! Thousands of changed schemas, and values that a validator judges before
//! and after (`contract.md` 4). A verdict that says compatible is refuted by one value; one that says breaking should
//! have one, or it cried wolf.

use nodecast::contract::{Change, Promises, Verdict, diff};
use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng as _;
use serde_json::{Map, Value as Json, json};

/// A throw of dice that is the same on every machine.
pub(super) struct Dice(Pcg32);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Pcg32::new(seed, 5))
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.0.next_u32()).unwrap() % count.max(1)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        if all.is_empty() { None } else { all.get(self.below(all.len())) }
    }
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];
const TEXTS: [&str; 7] = ["", "a", "ab", "abc", "b1", "12", "abcdef"];

/// A schema of the kind that types make, closed as inputs are or open as outputs are.
fn schema(dice: &mut Dice, depth: usize, open: bool) -> Json {
    match dice.below(if depth == 0 { 5 } else { 10 }) {
        0 => json!({"type": "boolean"}),
        1 => json!({"type": "string"}),
        2 => {
            let count = 1 + dice.below(3);
            json!({"type": "string", "enum": &TEXTS[1..=count]})
        }
        3 => json!({"type": "integer", "minimum": dice.below(3), "maximum": 3 + dice.below(4)}),
        4 => json!({"type": "number", "minimum": dice.below(2)}),
        5 => json!({"type": "array", "items": schema(dice, depth - 1, open), "maxItems": 1 + dice.below(3)}),
        6 => {
            let other = schema(dice, depth - 1, open);
            json!({"anyOf": [other, {"type": "null"}]})
        }
        7 => {
            let tags = 1 + dice.below(3);
            let variants = (0..tags).map(|tag| {
                let mut variant = object(dice, depth - 1, open);
                variant["properties"]["kind"] = json!({"type": "string", "const": TEXTS[tag + 1]});
                variant["required"].as_array_mut().unwrap().push("kind".into());
                variant
            });
            json!({"oneOf": variants.collect::<Vec<_>>()})
        }
        8 => json!({"type": "object", "additionalProperties": schema(dice, depth - 1, open)}),
        _ => object(dice, depth, open),
    }
}

fn object(dice: &mut Dice, depth: usize, open: bool) -> Json {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for name in NAMES.iter().take(1 + dice.below(3)) {
        properties.insert((*name).to_owned(), schema(dice, depth.saturating_sub(1), open));
        if dice.one_in(2) {
            required.push(Json::from(*name));
        }
    }
    let mut object = json!({"type": "object", "properties": properties, "required": required});
    if !open {
        object["additionalProperties"] = json!(false);
    }
    object
}

/// Every schema inside a schema, by pointer.
fn places(schema: &Json, at: String, found: &mut Vec<String>) {
    for key in ["items", "additionalProperties"] {
        if schema.get(key).is_some_and(Json::is_object) {
            places(&schema[key], format!("{at}/{key}"), found);
        }
    }
    for (name, part) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
        places(part, format!("{at}/properties/{name}"), found);
    }
    for key in ["anyOf", "oneOf"] {
        for (index, part) in schema.get(key).and_then(Json::as_array).into_iter().flatten().enumerate() {
            places(part, format!("{at}/{key}/{index}"), found);
        }
    }
    found.push(at);
}

/// The schema with one edit, as a developer makes them.
fn edited(dice: &mut Dice, old: &Json, open: bool) -> Json {
    let mut new = old.clone();
    let mut all = Vec::new();
    places(old, String::new(), &mut all);
    let place = dice.pick(&all).unwrap();
    let there = new.pointer_mut(place).unwrap();
    let kind = there.get("type").and_then(Json::as_str).unwrap_or_default().to_owned();
    match (kind.as_str(), dice.below(6)) {
        (_, 0) => there["description"] = json!("other words"),
        ("integer" | "number", 1) => there["minimum"] = json!(dice.below(4)),
        ("integer" | "number", 2) => there["maximum"] = json!(3 + dice.below(5)),
        ("integer", 3) => there["type"] = json!("number"),
        ("number", 3) => there["type"] = json!("integer"),
        ("string", 1) if there.get("enum").is_some() => {
            let count = 1 + dice.below(4);
            there["enum"] = json!(&TEXTS[1..=count]);
        }
        ("string", 2) => there["minLength"] = json!(dice.below(3)),
        ("string", 3) => there["pattern"] = json!("^a"),
        ("array", 1) => there["maxItems"] = json!(1 + dice.below(4)),
        ("array", 2) => there["uniqueItems"] = json!(true),
        ("object", 1 | 2) if there.get("properties").is_some() => {
            let name = *dice.pick(&NAMES).unwrap();
            if there["properties"].get(name).is_some() && dice.one_in(2) {
                there["properties"].as_object_mut().unwrap().shift_remove(name);
                there["required"].as_array_mut().unwrap().retain(|required| required != name);
            } else if there["properties"].get(name).is_none() {
                there["properties"][name] = schema(dice, 1, open);
            }
        }
        ("object", 3) if there.get("properties").is_some() => {
            let name = *dice.pick(&NAMES).unwrap();
            let is_declared = there["properties"].get(name).is_some();
            let required = there["required"].as_array_mut().unwrap();
            if required.iter().any(|required| required == name) {
                required.retain(|required| required != name);
            } else if is_declared {
                required.push(name.into());
            }
        }
        ("", 1) => {
            for key in ["anyOf", "oneOf"] {
                if let Some(branches) = there.get_mut(key).and_then(Json::as_array_mut).filter(|all| all.len() > 1) {
                    let gone = dice.below(branches.len());
                    branches.remove(gone);
                }
            }
        }
        ("", 2) => {
            if let Some(branches) = there.get_mut("anyOf").and_then(Json::as_array_mut) {
                branches.push(schema(dice, 1, open));
            }
        }
        (_, 4) => *there = json!({"anyOf": [there.clone(), {"type": "null"}]}),
        _ => *there = schema(dice, 1, open),
    }
    new
}

/// A value that a schema asks for, or nearly so: bounds are met, missed by one, and now and then ignored.
pub(super) fn value(dice: &mut Dice, schema: &Json, depth: usize) -> Json {
    if dice.one_in(12) || depth == 0 {
        let others = [json!(null), json!(true), json!(0), json!(1.5), json!(""), json!("ab"), json!([]), json!({})];
        return dice.pick(&others).unwrap().clone();
    }
    for key in ["anyOf", "oneOf"] {
        if let Some(branch) = schema.get(key).and_then(Json::as_array).and_then(|branches| dice.pick(branches).cloned())
        {
            return value(dice, &branch, depth);
        }
    }
    if let Some(constant) = schema.get("const") {
        return constant.clone();
    }
    if let Some(one) = schema.get("enum").and_then(Json::as_array).and_then(|all| dice.pick(all).cloned()) {
        return one;
    }
    match schema.get("type").and_then(Json::as_str).unwrap_or_default() {
        "null" => Json::Null,
        "boolean" => dice.one_in(2).into(),
        "string" => (*dice.pick(&TEXTS).unwrap()).into(),
        "integer" | "number" => {
            let bounds: Vec<i64> = ["minimum", "maximum"].iter().filter_map(|key| schema.get(*key)?.as_i64()).collect();
            let base = dice.pick(&bounds).copied().unwrap_or_default();
            let step = i64::try_from(dice.below(3)).unwrap() - 1;
            if dice.one_in(4) { json!(base as f64 + 0.5) } else { json!(base + step) }
        }
        "array" if schema.get("prefixItems").is_some() => {
            let first = schema["prefixItems"].as_array().unwrap();
            let count = first.len() + usize::from(dice.one_in(6)) - usize::from(dice.one_in(6));
            (0..count).map(|index| value(dice, first.get(index).unwrap_or(&json!({})), depth - 1)).collect()
        }
        "array" => {
            let most = schema.get("maxItems").and_then(Json::as_u64).unwrap_or(3);
            let count = dice.below(usize::try_from(most).unwrap() + 1);
            let item = schema.get("items").cloned().unwrap_or(json!({}));
            let mut items: Vec<Json> = (0..count).map(|_| value(dice, &item, depth - 1)).collect();
            if items.len() > 1 && dice.one_in(3) {
                items[1] = items[0].clone();
            }
            items.into()
        }
        "object" => {
            let mut members = Map::new();
            for (name, part) in schema.get("properties").and_then(Json::as_object).into_iter().flatten() {
                let is_required = schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
                if is_required || dice.one_in(2) {
                    members.insert(name.clone(), value(dice, part, depth - 1));
                }
            }
            let rest = schema.get("additionalProperties").cloned().unwrap_or(json!(true));
            if rest != json!(false) && dice.one_in(2) {
                let name = *dice.pick(&NAMES).unwrap();
                members.entry(name).or_insert_with(|| value(dice, &rest, depth - 1));
            }
            members.into()
        }
        _ => json!(1),
    }
}

/// A contract of one node with this schema on one side.
pub(super) fn document(side: &str, schema: &Json) -> Json {
    let mut document = json!({"contract": {"nodeset": {"name": "n"}, "nodes": [{"name": "a", "full_name": "n__a"}]}});
    document["contract"]["nodes"][0][side] = schema.clone();
    document
}

pub(super) fn is_breaking(changes: &[Change]) -> bool {
    changes.iter().any(|change| change.verdict == Verdict::Breaking)
}

#[test]
fn a_verdict_is_what_a_validator_finds() {
    let mut dice = Dice::new(20_261_130);
    let (mut compatible, mut breaking, mut wolves) = (0, 0, Vec::new());
    for round in 0..6_000 {
        let open = round % 2 == 1;
        let side = if open { "output_schema" } else { "input_schema" };
        let old = schema(&mut dice, 3, open);
        let new = edited(&mut dice, &old, open);
        let changes = diff(&document(side, &old), &document(side, &new), Promises::default());
        // What was valid stays so; what comes is what was expected.
        let (before, after) = if open { (&new, &old) } else { (&old, &new) };
        let accepts = |schema| jsonschema::draft202012::new(schema).unwrap();
        let (before_accepts, after_accepts) = (accepts(before), accepts(after));
        let mut values = (0..400).map(|number| {
            let like = if number % 3 == 0 { after } else { before };
            value(&mut dice, like, 5)
        });
        let counterexample = values.find(|value| before_accepts.is_valid(value) && !after_accepts.is_valid(value));
        match (is_breaking(&changes), counterexample) {
            (false, None) => compatible += 1,
            (true, Some(_)) => breaking += 1,
            (false, Some(value)) => {
                panic!(
                    "round {round}: {side}\n{old}\n→ {new}\nis called {changes:?}\nbut {value} was valid, and is not"
                )
            }
            (true, None) => wolves.push(format!("{side}\n{old}\n→ {new}\n{:?}", changes[0])),
        }
    }
    assert!(compatible > 1_000 && breaking > 1_000, "{compatible} compatible, {breaking} breaking");
    println!("{compatible} compatible, {breaking} breaking, {} breaking that no value shows", wolves.len());
    // Values are drawn, so that a rare one may be missed; more than this would be a rule that cries wolf.
    let most = 60;
    assert!(
        wolves.len() <= most,
        "{}\n\n{}",
        wolves.len(),
        wolves.iter().take(5).cloned().collect::<Vec<_>>().join("\n\n")
    );
}
