//! What the keys of maps are, said as `propertyNames` (`wire.md` 4).
//!
//! schemars says little of it, so each map of a type is asked: `probe` makes a value in which it has one key that only
//! text is, and the decoder tells who refuses it (`wire::key_type`). Nothing is guessed: where the answer is not clear,
//! as where several forms of a union hold a map in one place, the schema stays as it was.

use std::cell::OnceCell;

use serde_json::{Map, Value as Json, json};

use super::inline::target;
use super::probe::{Link, Probe, Step, is_one_of_many, may_be_dropped};
use super::{digits, walk};
use crate::call::Validator;
use crate::decl::{KeyAnswer, KeyType};
use crate::wire::{ASKING_KEY, X_INTEGER};

/// The keys of integer maps as schemars writes them.
const INTEGERS: [&str; 2] = [r"^\d+$", r"^-?\d+$"];

/// Where a schema stands: the definition that it is in, and its pointer from there.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    definition: Option<String>,
    pointer: String,
}

/// Says of the maps that `schema` reaches what their keys are, as `ask` finds out; of those in a definition the first
/// field alone is asked that reaches it, and `known` holds these definitions.
pub(super) fn state(
    schema: &mut Json,
    definitions: &mut Map<String, Json>,
    known: &mut Vec<String>,
    ask: fn(Json) -> Option<KeyAnswer>,
) {
    let mut search =
        Search { probe: Probe { definitions }, root: schema, known, ask, judge: OnceCell::new(), found: Vec::new() };
    search.visit(&Place { definition: None, pointer: String::new() }, schema, Step::Same, &mut Vec::new());
    // The innermost first: what is said of a map moves what its values are.
    for (place, names) in search.found.into_iter().rev() {
        let document = match &place.definition {
            Some(name) => definitions.get_mut(name),
            None => Some(&mut *schema),
        };
        if let Some(Json::Object(map)) = document.and_then(|document| document.pointer_mut(&place.pointer)) {
            say(map, names);
        }
    }
}

struct Search<'s> {
    probe: Probe<'s>,
    root: &'s Json,
    known: &'s mut Vec<String>,
    ask: fn(Json) -> Option<KeyAnswer>,
    /// The schema as it is before anything is said of keys.
    judge: OnceCell<Option<Validator>>,
    /// Maps, and the schemas of their keys.
    found: Vec<(Place, Json)>,
}

impl<'s> Search<'s> {
    fn visit(&mut self, place: &Place, schema: &'s Json, step: Step, chain: &mut Vec<Link<'s>>) {
        let Json::Object(members) = schema else { return };
        chain.push(Link { step, schema: members });
        let (key, names) = match values(members).filter(|_| !self.probe.is_composed(chain)) {
            Some(values) => match self.keys(chain, values) {
                Some(keys) => (sample(&keys), Some(names(&keys))),
                None => unclear(members),
            },
            // A map that is composed with others has no names of its own to speak of.
            None => unclear(&Map::new()),
        };
        if let Some(names) = names {
            self.found.push((place.clone(), names));
        }
        let first_items = members.get("prefixItems").and_then(Json::as_array).map_or(0, Vec::len);
        walk::parts(schema, &mut |at, part| {
            let Some(step) = step_to(at, first_items, &key) else { return };
            let inner = Place { pointer: format!("{}{at}", place.pointer), ..place.clone() };
            self.visit(&inner, part, step, chain);
        });
        if let Some(name) = target(schema).filter(|name| !self.known.iter().any(|known| known == name))
            && let Some(definition) = self.probe.definitions.get(name)
        {
            self.known.push(name.to_owned());
            let inner = Place { definition: Some(name.to_owned()), pointer: String::new() };
            self.visit(&inner, definition, Step::Same, chain);
        }
        chain.pop();
    }

    /// What the keys of the map at the end of the chain are.
    fn keys(&mut self, chain: &[Link<'s>], values: &'s Json) -> Option<KeyType> {
        let value = self.probe.value(chain, ASKING_KEY, values);
        let KeyAnswer { keys, taken } = (self.ask)(value.clone())?;
        // Among several forms another one may have answered, or taken the value, unless it is one of the form that is
        // meant. Where there is but one, a value that is taken all the same was dropped.
        let is_of_this = || self.accepts(&value) && (!taken || may_be_dropped(chain));
        (!is_one_of_many(chain) || is_of_this()).then_some(keys)
    }

    fn accepts(&self, value: &Json) -> bool {
        let judge = self.judge.get_or_init(|| {
            let mut alone = self.root.clone();
            alone.as_object_mut()?.insert("$defs".to_owned(), Json::Object(self.probe.definitions.clone()));
            Validator::new(&alone).ok()
        });
        // Keys of integers have a pattern already, which the key that asks does not match.
        let number =
            |value: &Json| serde_json::from_str(&value.to_string().replace(ASKING_KEY, "1")).unwrap_or_default();
        let accepts = |judge: &Validator, value: Json| judge.accepts(&value.into());
        judge.as_ref().is_some_and(|judge| accepts(judge, value.clone()) || accepts(judge, number(value)))
    }
}

/// How a part of a schema at this pointer is reached in a value; none for what is about names, or about nothing.
fn step_to(at: &str, first_items: usize, key: &str) -> Option<Step> {
    let (keyword, rest) = at.strip_prefix('/')?.split_once('/').unwrap_or((at.strip_prefix('/')?, ""));
    Some(match keyword {
        "properties" => Step::Member(rest.replace("~1", "/").replace("~0", "~")),
        "patternProperties" | "additionalProperties" | "unevaluatedProperties" => Step::Member(key.to_owned()),
        "prefixItems" => Step::Item(rest.parse().ok()?),
        "items" => Step::Item(first_items),
        "allOf" | "anyOf" | "oneOf" => Step::Same,
        _ => return None,
    })
}

/// What the values of a map are, where a schema is one of a map: of names that it does not list.
fn values(members: &Map<String, Json>) -> Option<&Json> {
    let patterns = members.get("patternProperties").and_then(Json::as_object);
    let numbered = patterns.and_then(|patterns| INTEGERS.iter().find_map(|pattern| patterns.get(*pattern)));
    let others = || ["additionalProperties", "unevaluatedProperties"].iter().find_map(|keyword| members.get(*keyword));
    numbered.or_else(|| others().filter(|values| **values != Json::Bool(false)))
}

/// A key of that type.
fn sample(keys: &KeyType) -> String {
    let sample = match keys {
        KeyType::Integer { .. } => "1",
        KeyType::Boolean => "true",
        KeyType::Character => "a",
        KeyType::OneOf(names) => names.first().copied().unwrap_or_default(),
    };
    sample.to_owned()
}

/// The schema of keys of that type.
fn names(keys: &KeyType) -> Json {
    match keys {
        KeyType::Integer { min, max, zero } => {
            let pattern = if *zero { digits::pattern } else { digits::pattern_without_zero };
            json!({"type": "string", "pattern": pattern(min, max), X_INTEGER: [min, max]})
        }
        KeyType::Boolean => json!({"type": "string", "enum": ["true", "false"]}),
        KeyType::Character => json!({"type": "string", "minLength": 1, "maxLength": 1}),
        KeyType::OneOf(names) => json!({"type": "string", "enum": names}),
    }
}

/// A key and the schema of all keys as far as schemars tells: integers in their one canonical form, or any text.
fn unclear(map: &Map<String, Json>) -> (String, Option<Json>) {
    let patterns = map.get("patternProperties").and_then(Json::as_object);
    let signed = patterns.and_then(|patterns| INTEGERS.iter().position(|pattern| patterns.contains_key(*pattern)));
    let names = |pattern: &str| json!({"type": "string", "pattern": pattern, X_INTEGER: true});
    match signed {
        Some(0) => ("1".to_owned(), Some(names(r"^(0|[1-9]\d*)$"))),
        Some(_) => ("1".to_owned(), Some(names(r"^(0|-?[1-9]\d*)$"))),
        None => ("key".to_owned(), None),
    }
}

/// Says of a map what its keys are, beside the members that it lists.
fn say(map: &mut Map<String, Json>, names: Json) {
    if let Some(Json::Object(patterns)) = map.get_mut("patternProperties")
        && let Some(values) = INTEGERS.iter().find_map(|pattern| patterns.shift_remove(*pattern))
    {
        if patterns.is_empty() {
            map.shift_remove("patternProperties");
        }
        map.insert("additionalProperties".to_owned(), values);
    }
    let own: Vec<Json> = map
        .get("properties")
        .and_then(Json::as_object)
        .into_iter()
        .flatten()
        .map(|(name, _)| name.as_str().into())
        .collect();
    let names = if own.is_empty() { names } else { json!({"anyOf": [{"type": "string", "enum": own}, names]}) };
    map.insert("propertyNames".to_owned(), names);
}
