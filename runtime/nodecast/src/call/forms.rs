//! How the values of one field are checked, and read where JSON carries its numbers in another form (`wire.md` 4).
//!
//! A value that has passed the check is read by the schema that it passed: decimal text becomes the integer and null
//! the number that is not finite, so that a node's types never see the form. So do a float without a fraction and the
//! text of a key where integers are declared: serde buffers what is flattened, untagged or tagged inside, and there it
//! would not only miss them but take another variant, or none. On the way out the value alone says what is an integer.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value as Json};

use super::validator::key_name;
use super::{Finding, Validator};
use crate::decl::JsonForm;
use crate::wire::{Integer, Regime, Value, X_INTEGER, X_NOT_FINITE, writes_less};

/// The check of one field in both regimes.
#[derive(Clone, Debug)]
pub struct FieldCheck {
    native: Arc<Reading>,
    json: Option<Arc<Reading>>,
}

/// The checks of many fields, of which those of one schema share what is compiled of it: most arguments are plain text.
#[derive(Debug, Default)]
pub struct FieldChecks(HashMap<String, Arc<Reading>>);

impl FieldChecks {
    /// As [`FieldCheck::new`].
    pub fn of(&mut self, native: &Json, json: Option<&Json>) -> Result<FieldCheck, String> {
        Ok(FieldCheck { native: self.reading(native)?, json: json.map(|json| self.reading(json)).transpose()? })
    }

    fn reading(&mut self, schema: &Json) -> Result<Arc<Reading>, String> {
        Ok(match self.0.entry(schema.to_string()) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(new) => new.insert(Arc::new(Reading::new(schema)?)).clone(),
        })
    }
}

impl FieldCheck {
    /// Checks against the schema `native`; in JSON against the schema `json`, where that one is another.
    ///
    /// The error says what is wrong with a schema.
    pub fn new(native: &Json, json: Option<&Json>) -> Result<Self, String> {
        FieldChecks::default().of(native, json)
    }

    /// What is wrong with a value as it was sent in this regime.
    pub fn findings(&self, value: &Value, regime: Regime) -> Vec<Finding> {
        self.of(regime).validator.findings(value)
    }

    /// Reads a value in which nothing is wrong.
    pub fn read(&self, value: &mut Value, regime: Regime) {
        let reading = self.of(regime);
        if (reading.has_forms || writes_less(value))
            && let Some(plan) = reading.plan()
        {
            plan.part.read(value, &plan.definitions);
        }
    }

    fn of(&self, regime: Regime) -> &Reading {
        match (regime, &self.json) {
            (Regime::Json, Some(json)) => json,
            _ => &self.native,
        }
    }
}

/// Puts a value into the form in which JSON carries its numbers; every face writes what comes out of here.
pub(super) fn write(value: &mut Value, form: JsonForm) {
    if form == JsonForm::PLAIN {
        return;
    }
    match value {
        Value::Int(number) if form.integers_as_text => *value = Value::Text(number.to_string()),
        Value::Float(number) if form.non_finite_as_null && !number.is_finite() => *value = Value::Null,
        Value::List(items) => items.iter_mut().for_each(|item| write(item, form)),
        Value::Map(map) => map.iter_mut().for_each(|(_, value)| write(value, form)),
        _ => {}
    }
}

#[derive(Debug)]
struct Reading {
    validator: Validator,
    /// Whether JSON carries numbers in another form somewhere in it.
    has_forms: bool,
    /// Made when it is first needed: most schemas never meet a value that stands for another.
    plan: OnceLock<Option<Plan>>,
}

/// A schema as it is read by.
#[derive(Debug)]
struct Plan {
    part: Part,
    definitions: Vec<(String, Part)>,
}

impl Reading {
    fn new(schema: &Json) -> Result<Self, String> {
        let validator = Validator::new(schema)?;
        let text = schema.to_string();
        let has_forms = text.contains(X_INTEGER) || text.contains(X_NOT_FINITE);
        let plan = if has_forms { OnceLock::from(Some(Plan::new(schema)?)) } else { OnceLock::new() };
        Ok(Self { validator, has_forms, plan })
    }

    fn plan(&self) -> Option<&Plan> {
        // The whole has compiled, so its parts do.
        self.plan.get_or_init(|| Plan::new(self.validator.schema()).ok().filter(Plan::changes)).as_ref()
    }
}

impl Plan {
    fn new(schema: &Json) -> Result<Self, String> {
        let shared = schema.get("$defs").and_then(Json::as_object).cloned().unwrap_or_default();
        let mut definitions = Vec::new();
        for (name, definition) in &shared {
            definitions.push((name.clone(), Part::of(definition, &shared)?));
        }
        Ok(Self { part: Part::of(schema, &shared)?, definitions })
    }

    /// Whether there is a value that stands for another.
    fn changes(&self) -> bool {
        self.part.changes() || self.definitions.iter().any(|(_, part)| part.changes())
    }
}

/// What a schema says of the forms in a value and its parts; keyword for keyword.
#[derive(Debug, Default)]
struct Part {
    leaf: Option<Leaf>,
    /// The name of a definition.
    reference: Option<String>,
    members: Vec<(String, Part)>,
    patterns: Vec<(Validator, Part)>,
    /// Whether the keys of other members write integers.
    integer_keys: bool,
    other_members: Option<Box<Part>>,
    first_items: Vec<Part>,
    items: Option<Box<Part>>,
    all: Vec<Part>,
    /// Of which the first that the value fits is meant, as serde tries them.
    any: Vec<(Validator, Part)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leaf {
    /// Decimal text stands for an integer, and so does a float without a fraction.
    Integer,
    /// A float, and null stands for one that is not finite.
    NotFinite,
    /// A float without a fraction stands for an integer.
    Whole,
    /// A float is one.
    Float,
}

/// The patterns of keys that are integers, as schemas of ours write them.
const INTEGER_KEYS: [&str; 2] = [r"^(0|[1-9]\d*)$", r"^(0|-?[1-9]\d*)$"];

impl Part {
    fn of(schema: &Json, shared: &Map<String, Json>) -> Result<Self, String> {
        let mut part = Self::default();
        let Json::Object(keywords) = schema else { return Ok(part) };
        let parts = |schemas: &Json| match schemas {
            Json::Array(schemas) => schemas.iter().map(|schema| Self::of(schema, shared)).collect::<Result<_, _>>(),
            _ => Ok(Vec::new()),
        };
        let one = |schema: &Json| Self::of(schema, shared).map(|part| (!part.is_empty()).then(|| Box::new(part)));
        let declares = |ty: &str| match keywords.get("type") {
            Some(Json::Array(types)) => types.iter().any(|known| known == ty),
            single => single.is_some_and(|known| known == ty),
        };
        part.leaf = match (declares("number"), declares("integer")) {
            (true, _) => Some(Leaf::Float),
            (false, true) => Some(Leaf::Whole),
            (false, false) => None,
        };
        for (keyword, schema) in keywords {
            match (keyword.as_str(), schema) {
                (X_INTEGER, _) => part.leaf = Some(Leaf::Integer),
                (X_NOT_FINITE, _) => part.leaf = Some(Leaf::NotFinite),
                ("$ref", Json::String(reference)) => {
                    part.reference = reference.strip_prefix("#/$defs/").map(str::to_owned);
                }
                ("properties", Json::Object(members)) => {
                    for (name, schema) in members {
                        part.members.push((name.clone(), Self::of(schema, shared)?));
                    }
                }
                ("patternProperties", Json::Object(patterns)) => {
                    for (pattern, schema) in patterns {
                        part.integer_keys |= INTEGER_KEYS.contains(&pattern.as_str());
                        let names = Validator::new(&serde_json::json!({"type": "string", "pattern": pattern}))?;
                        part.patterns.push((names, Self::of(schema, shared)?));
                    }
                }
                ("propertyNames", names) => part.integer_keys |= of_integers(names),
                ("additionalProperties", schema) => part.other_members = one(schema)?,
                ("prefixItems", schemas) => part.first_items = parts(schemas)?,
                ("items", schema) => part.items = one(schema)?,
                ("allOf", schemas) => part.all = parts(schemas)?,
                ("anyOf" | "oneOf", Json::Array(schemas)) => {
                    for schema in schemas {
                        part.any.push((branch(schema, shared)?, Self::of(schema, shared)?));
                    }
                }
                _ => {}
            }
        }
        if part.any.iter().all(|(_, part)| part.is_empty()) {
            part.any.clear();
        }
        Ok(part)
    }

    /// Whether a value that this part is about, or one inside it, may stand for another; references are not followed.
    fn changes(&self) -> bool {
        let unions = self.any.iter().chain(&self.patterns).map(|(_, part)| part);
        let inside = self.members.iter().map(|(_, part)| part).chain(&self.first_items).chain(&self.all).chain(unions);
        let others = self.other_members.iter().chain(&self.items).map(|part| &**part);
        self.integer_keys
            || self.leaf.is_some_and(|leaf| leaf != Leaf::Float)
            || inside.chain(others).any(Self::changes)
    }

    fn is_empty(&self) -> bool {
        self.leaf.is_none()
            && self.reference.is_none()
            && !self.integer_keys
            && self.other_members.is_none()
            && self.items.is_none()
            && self.any.is_empty()
            && self.members.iter().all(|(_, part)| part.is_empty())
            && self.patterns.iter().all(|(_, part)| part.is_empty())
            && self.first_items.iter().all(Self::is_empty)
            && self.all.iter().all(Self::is_empty)
    }

    fn read(&self, value: &mut Value, definitions: &[(String, Self)]) {
        // Which branches are meant is seen in the value as it was sent.
        let mut parts = Vec::new();
        self.gather(value, definitions, &mut parts);
        for part in parts {
            part.read_own(value, definitions);
        }
    }

    /// This part and all that say something of the same value.
    fn gather<'p>(&'p self, value: &Value, definitions: &'p [(String, Self)], parts: &mut Vec<&'p Self>) {
        parts.push(self);
        let definition = |name: &String| definitions.iter().find(|(known, _)| known == name).map(|(_, part)| part);
        for part in self.reference.as_ref().and_then(definition).into_iter().chain(&self.all) {
            part.gather(value, definitions, parts);
        }
        let fits: Vec<&Self> =
            self.any.iter().filter(|(branch, _)| branch.accepts(value)).map(|(_, part)| part).collect();
        // The null of an option is nothing; only where there is no such thing it is a number. A float is one before it
        // is an integer.
        let itself = fits.iter().find(|part| match value {
            Value::Null => part.is_empty(),
            Value::Float(_) => matches!(part.leaf, Some(Leaf::Float | Leaf::NotFinite)),
            _ => false,
        });
        if let Some(part) = itself.or(fits.first()) {
            part.gather(value, definitions, parts);
        }
    }

    fn read_own(&self, value: &mut Value, definitions: &[(String, Self)]) {
        match (self.leaf, value) {
            (Some(Leaf::Integer), value @ Value::Text(_)) => {
                // What is wider stays text, which the integers of 128 bits decode from.
                let number = value.as_text().and_then(|text| text.parse::<i128>().ok());
                if let Some(number) = number.and_then(|number| Integer::try_from(number).ok()) {
                    *value = Value::Int(number);
                }
            }
            (Some(Leaf::Integer | Leaf::Whole), value @ Value::Float(_)) => {
                if let Some(number) = value.as_f64().and_then(Integer::from_integral) {
                    *value = Value::Int(number);
                }
            }
            (Some(Leaf::NotFinite), value @ Value::Null) => *value = Value::Float(f64::NAN),
            (_, Value::List(items)) => {
                for (at, item) in items.iter_mut().enumerate() {
                    if let Some(part) = self.first_items.get(at).or(self.items.as_deref()) {
                        part.read(item, definitions);
                    }
                }
            }
            (_, Value::Map(map)) => {
                for (key, value) in map.iter_mut() {
                    if let Some(part) = self.member(key) {
                        part.read(value, definitions);
                    }
                }
                if self.integer_keys {
                    *map = std::mem::take(map).into_iter().map(|(key, value)| (self.key(key), value)).collect();
                }
            }
            _ => {}
        }
    }

    fn key(&self, key: Value) -> Value {
        let is_declared = self.members.iter().any(|(name, _)| key.as_text() == Some(name));
        let number = key.as_text().filter(|_| !is_declared).and_then(Integer::written);
        number.map_or(key, Value::Int)
    }

    fn member(&self, key: &Value) -> Option<&Self> {
        let named = || self.members.iter().find(|(name, _)| key.as_text() == Some(name));
        let matching = || self.patterns.iter().find(|(names, _)| names.accepts(&Value::from(&*key_name(key))));
        let known = named().map(|(_, part)| part).or_else(|| matching().map(|(_, part)| part));
        known.or(self.other_members.as_deref())
    }
}

/// Whether names are those of integers, or these beside some that are listed.
fn of_integers(names: &Json) -> bool {
    let others = names.get("anyOf").and_then(Json::as_array);
    names.get(X_INTEGER).is_some() || others.is_some_and(|others| others.iter().any(of_integers))
}

/// The validator of one branch of a union, which may refer to what the whole defines.
fn branch(schema: &Json, shared: &Map<String, Json>) -> Result<Validator, String> {
    let mut alone = schema.clone();
    if let (Json::Object(members), false) = (&mut alone, shared.is_empty()) {
        members.insert("$defs".to_owned(), Json::Object(shared.clone()));
    }
    Validator::new(&alone)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn one_schema_is_compiled_once_for_all_its_fields() {
        let mut checks = FieldChecks::default();
        let (text, number) = (json!({ "type": "string" }), json!({ "type": "number" }));
        let [one, two, other] = [(&text, None), (&text, Some(&number)), (&number, None)]
            .map(|(native, json)| checks.of(native, json).unwrap());
        assert!(Arc::ptr_eq(&one.native, &two.native) && !Arc::ptr_eq(&one.native, &other.native));
        assert!(Arc::ptr_eq(two.json.as_ref().unwrap(), &other.native));
        assert_eq!(one.findings(&Value::from("x"), Regime::Json), []);
        assert_eq!(two.findings(&Value::from("x"), Regime::Json).len(), 1);
        assert!(checks.of(&json!({ "type": 7 }), None).is_err());
    }
}
