//! Instances of a schema: values that it accepts, with a note of what each place of them may be.
//!
//! The keywords are those that types and declarations make. What the generator does not know it leaves to the judge:
//! an instance that is no instance after all is one more value to agree on.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};

use super::dice::Dice;
use super::form::{Document, Form};
use super::{number, text};
use crate::wire::DType;

/// A value and its places, outer before inner.
pub(super) struct Instance<'s> {
    pub(super) value: Json,
    pub(super) places: Vec<Place<'s>>,
}

/// A place of an instance.
pub(super) struct Place<'s> {
    /// JSON pointer.
    pub(super) pointer: String,
    /// What may be there.
    pub(super) form: Form<'s>,
    /// The innermost place around this one, or this one itself, that has several forms: which one was meant is
    /// anybody's guess once something in it is wrong.
    pub(super) scope: Option<usize>,
}

/// Values are small: this many levels, then as few as the schema allows.
const LEVELS: usize = 5;

/// An instance of a document.
pub(super) fn instance<'s>(document: Document<'s>, dice: &mut Dice) -> Instance<'s> {
    let mut generator = Generator { document, dice, places: Vec::new(), left: 120 };
    let value = generator.value(&[document.root], String::new(), None, 0);
    Instance { value, places: generator.places }
}

struct Generator<'s, 'd> {
    document: Document<'s>,
    dice: &'d mut Dice,
    places: Vec<Place<'s>>,
    /// How many places more there may be before all is kept small.
    left: usize,
}

impl<'s> Generator<'s, '_> {
    fn value(&mut self, schemas: &[&'s Json], pointer: String, scope: Option<usize>, level: usize) -> Json {
        self.left = self.left.saturating_sub(1);
        let small = level >= LEVELS || self.left == 0;
        let form = self.document.form(schemas, self.dice, small);
        let scope = if form.is_union { Some(self.places.len()) } else { scope };
        self.places.push(Place { pointer: pointer.clone(), form: form.clone(), scope });
        if let Some(options) = form.options() {
            return self.dice.pick(&options).map_or(Json::Null, |option| (*option).clone());
        }
        if form.is_any() {
            return anything(self.dice, 2);
        }
        let types = form.types();
        let ty =
            if small && types.contains(&"null") { "null" } else { self.dice.pick(&types).copied().unwrap_or_default() };
        match ty {
            "boolean" => self.dice.one_in(2).into(),
            "integer" => number::integer(&form, self.dice),
            "number" => number::number(&form, self.dice),
            "string" => text::of(&form, self.dice).into(),
            "array" => self.array(&form, &pointer, scope, level),
            "object" if form.is_marker() => self.marker(&form),
            "object" => self.object(&form, &pointer, scope, level),
            _ => Json::Null,
        }
    }

    fn array(&mut self, form: &Form<'s>, pointer: &str, scope: Option<usize>, level: usize) -> Json {
        let small = level >= LEVELS || self.left == 0;
        let prefix: Vec<&Json> = form.get("prefixItems").and_then(Json::as_array).into_iter().flatten().collect();
        let items = form.get("items").filter(|items| **items != Json::Bool(false));
        let least = form.count("minItems").unwrap_or_default();
        let most = form.count("maxItems").unwrap_or(least.max(prefix.len()) + 3);
        let length = match (items, small) {
            (None, _) if !prefix.is_empty() => prefix.len(),
            (_, true) => least,
            _ => least + self.dice.below(most.saturating_sub(least).min(4) + 1),
        };
        let unique = form.has("uniqueItems");
        let mut list = Vec::with_capacity(length);
        for at in 0..length {
            let Some(schema) = prefix.get(at).copied().or(items) else { break };
            let before = self.places.len();
            let item = self.value(&[schema], format!("{pointer}/{}", list.len()), scope, level + 1);
            if unique && list.iter().any(|known| same(known, &item)) {
                self.places.truncate(before);
            } else {
                list.push(item);
            }
        }
        list.into()
    }

    fn object(&mut self, form: &Form<'s>, pointer: &str, scope: Option<usize>, level: usize) -> Json {
        let small = level >= LEVELS || self.left == 0;
        let mut members = Map::new();
        for (name, schemas) in form.properties() {
            let wanted = form.is_required(name) || (!small && self.dice.below(5) < 3);
            if wanted && schemas.iter().all(|schema| **schema != Json::Bool(false)) {
                let value = self.value(&schemas, under(pointer, name), scope, level + 1);
                members.insert(name.to_owned(), value);
            }
        }
        if let Some((pattern, schema)) = form.open().filter(|_| !small) {
            let names = form.get("propertyNames").into_iter().collect::<Vec<_>>();
            for _ in 0..self.dice.below(4) {
                let name = match pattern {
                    Some(pattern) => text::matching(pattern, self.dice),
                    None if names.is_empty() => text::key(self.dice),
                    None => {
                        let names = self.document.form(&names, self.dice, small);
                        match names.options() {
                            Some(options) => self.dice.pick(&options).and_then(|name| name.as_str()).map(str::to_owned),
                            None => Some(text::of(&names, self.dice)),
                        }
                        .unwrap_or_default()
                    }
                };
                if !members.contains_key(&name) {
                    let value = self.value(&[schema], under(pointer, &name), scope, level + 1);
                    members.insert(name, value);
                }
            }
        }
        members.into()
    }

    /// The object that marks an array, whose parts agree as no schema can say.
    fn marker(&mut self, form: &Form<'s>) -> Json {
        let properties = form.properties();
        let of =
            |name: &str| properties.iter().find(|(known, _)| *known == name).map(|(_, schemas)| schemas.as_slice());
        let dtype = of("dtype").map(|schemas| self.document.form(schemas, self.dice, true)).unwrap_or_default();
        let options = dtype.options().unwrap_or_default();
        let dtype = self.dice.pick(&options).and_then(|name| name.as_str()).unwrap_or("uint8");
        let size = DType::ALL.iter().find(|known| known.name() == dtype).map_or(1, |dtype| dtype.size());
        let extents = of("shape").map(|schemas| self.document.form(schemas, self.dice, true)).unwrap_or_default();
        let shape = self.shape(&extents);
        let length = shape.iter().product::<usize>() * size;
        // 0 and 1 are bytes of every type.
        let data: Vec<u8> = (0..length).map(|_| u8::from(self.dice.one_in(2))).collect();
        json!({"__ndarray__": STANDARD.encode(data), "dtype": dtype, "shape": shape})
    }

    fn shape(&mut self, form: &Form<'s>) -> Vec<usize> {
        let prefix: Vec<&Json> = form.get("prefixItems").and_then(Json::as_array).into_iter().flatten().collect();
        let least = form.count("minItems").unwrap_or_default();
        let most = form.count("maxItems").unwrap_or(least + 3).min(least + 3);
        let rank = least + self.dice.below(most - least + 1);
        let extents = (0..rank).map(|at| {
            let schema = prefix.get(at).copied().or_else(|| form.get("items"));
            let form = self.document.form(&schema.into_iter().collect::<Vec<_>>(), self.dice, true);
            match form.options().and_then(|options| self.dice.pick(&options).and_then(|extent| extent.as_u64())) {
                Some(extent) => usize::try_from(extent).unwrap_or_default(),
                None => form.count("minimum").unwrap_or_default() + self.dice.below(3),
            }
        });
        extents.collect()
    }
}

/// A pointer one level further in.
pub(super) fn under(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", crate::call::escape(name))
}

/// Whether JSON Schema takes two values for one: 1 and 1.0 are.
pub(super) fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        (one, other) => one == other,
    }
}

/// Any JSON value.
pub(super) fn anything(dice: &mut Dice, levels: usize) -> Json {
    match dice.below(if levels == 0 { 6 } else { 8 }) {
        0 => Json::Null,
        1 => dice.one_in(2).into(),
        2 => number::integer(&Form::default(), dice),
        3 => number::number(&Form::default(), dice),
        4 | 5 => text::of(&Form::default(), dice).into(),
        6 => (0..dice.below(3)).map(|_| anything(dice, levels - 1)).collect(),
        _ => Json::Object((0..dice.below(3)).map(|_| (text::key(dice), anything(dice, levels - 1))).collect()),
    }
}
