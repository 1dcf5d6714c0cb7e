//! The schema of a form that a client shows its user (elicitation): a flat object of texts, numbers, bools and choices,
//! which is all that clients draw (SEP-1034 for defaults, SEP-1330 for choices).

use serde_json::{Map, Value as Json, json};

use super::inline::{plain_names, resolve};
use super::{Defect, Direction, generator, inline, with_definitions};
use crate::decl::SchemaFn;

/// Formats that clients have an input for.
const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];
/// What a field says of itself, whatever its type.
const COMMON: [&str; 3] = ["title", "description", "default"];

/// The `requestedSchema` of a type: its fields in order, or which of them no form can hold.
pub fn form(schema: SchemaFn) -> Result<Json, Defect> {
    let mut generator = generator(Direction::Input);
    let mut raw = [schema(&mut generator).to_value()];
    let definitions = plain_names(&mut raw, generator.take_definitions(true));
    let [raw] = &raw;
    let root = resolve(raw, &definitions).clone();
    let whole = inline(&with_definitions(root, &definitions));
    let Some(properties) = whole.get("properties").and_then(Json::as_object) else {
        let name = raw.get("title").or_else(|| whole.get("title")).and_then(Json::as_str).unwrap_or("the type");
        return Err(defect(name, "a form is a struct with named fields"));
    };
    let mut fields = Map::new();
    for (name, property) in properties {
        let members = property.as_object().ok_or_else(|| unfit(name))?;
        fields.insert(name.clone(), field(&without_null(members)).ok_or_else(|| unfit(name))?.into());
    }
    let mut form = json!({ "type": "object", "properties": fields });
    if let (Some(required), Some(form)) = (whole.get("required"), form.as_object_mut()) {
        form.insert("required".to_owned(), required.clone());
    }
    Ok(form)
}

/// A field as clients draw it; none where they cannot.
fn field(members: &Map<String, Json>) -> Option<Map<String, Json>> {
    if let Some(choices) = Choices::of(members) {
        let mut made = kept(members, &COMMON);
        made.insert("type".to_owned(), "string".into());
        // What clients before SEP-1330 show beside each choice; who writes it wants that form.
        match members.get("enumNames") {
            Some(names) => {
                made.insert("enum".to_owned(), choices.texts());
                made.insert("enumNames".to_owned(), names.clone());
            }
            None => choices.insert("oneOf", &mut made),
        }
        return Some(made);
    }
    let ty = members.get("type")?.as_str()?;
    let mut made = kept(members, &COMMON);
    made.insert("type".to_owned(), ty.into());
    match ty {
        "string" => {
            made.extend(kept(members, &["minLength", "maxLength", "pattern"]));
            let format = members.get("format").filter(|format| format.as_str().is_some_and(|it| FORMATS.contains(&it)));
            made.extend(format.map(|format| ("format".to_owned(), format.clone())));
        }
        "number" => made.extend(kept(members, &["minimum", "maximum"])),
        "integer" => {
            made.extend(kept(members, &["minimum", "maximum"]).into_iter().map(|(key, bound)| (key, whole(bound))));
        }
        "boolean" => {}
        "array" => {
            let choices = Choices::of(members.get("items")?.as_object()?)?;
            made.extend(kept(members, &["minItems", "maxItems"]));
            let mut items = Map::new();
            choices.insert("anyOf", &mut items);
            if choices.titles.is_none() {
                items.insert("type".to_owned(), "string".into());
            }
            made.insert("items".to_owned(), items.into());
        }
        _ => return None,
    }
    Some(made)
}

/// The texts that a field may be, and what people read for each.
struct Choices {
    texts: Vec<String>,
    titles: Option<Vec<String>>,
}

impl Choices {
    fn of(members: &Map<String, Json>) -> Option<Self> {
        let branches = match members.get("oneOf") {
            Some(Json::Array(branches)) => branches.iter().map(Json::as_object).collect::<Option<Vec<_>>>()?,
            _ => vec![members],
        };
        let (mut texts, mut titles, mut has_titles) = (Vec::new(), Vec::new(), false);
        for branch in branches {
            let options = match (branch.get("const"), branch.get("enum")) {
                (Some(constant), _) => std::slice::from_ref(constant),
                (None, Some(Json::Array(options))) => options,
                _ => return None,
            };
            // schemars gives a variant its own branch where it has docs or a title; the struct's title is no variant's.
            let own = branch.get("const").and_then(|_| branch.get("title").or_else(|| branch.get("description")));
            has_titles |= own.is_some();
            for option in options {
                let text = option.as_str()?;
                texts.push(text.to_owned());
                titles.push(own.and_then(Json::as_str).unwrap_or(text).to_owned());
            }
        }
        Some(Self { texts, titles: has_titles.then_some(titles) })
    }

    fn texts(&self) -> Json {
        self.texts.clone().into()
    }

    /// As a list of texts, or where they have titles as pairs under `keyword`.
    fn insert(&self, keyword: &str, members: &mut Map<String, Json>) {
        match &self.titles {
            None => members.insert("enum".to_owned(), self.texts()),
            Some(titles) => {
                let pairs = self.texts.iter().zip(titles).map(|(text, title)| json!({ "const": text, "title": title }));
                members.insert(keyword.to_owned(), pairs.collect())
            }
        };
    }
}

/// The schema without null: a field that may be left out has no other way to be empty.
fn without_null(members: &Map<String, Json>) -> Map<String, Json> {
    let mut members = members.clone();
    if members.get("default").is_some_and(Json::is_null) {
        members.shift_remove("default");
    }
    if let Some(Json::Array(types)) = members.get("type") {
        let values: Vec<_> = types.iter().filter(|ty| **ty != "null").cloned().collect();
        if let [only] = values.as_slice() {
            members.insert("type".to_owned(), only.clone());
        }
    }
    if let Some(Json::Array(options)) = members.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    let Some(Json::Array(branches)) = members.get("anyOf") else { return members };
    let values: Vec<_> = branches.iter().filter(|branch| branch.get("type").is_none_or(|ty| ty != "null")).collect();
    let [Json::Object(only)] = values.as_slice() else { return members };
    let only = only.clone();
    members.shift_remove("anyOf");
    for (key, member) in only {
        members.entry(key).or_insert(member);
    }
    members
}

fn kept(members: &Map<String, Json>, keys: &[&str]) -> Map<String, Json> {
    keys.iter().filter_map(|key| Some(((*key).to_owned(), members.get(*key)?.clone()))).collect()
}

/// A bound of an integer as one, since that is how clients read it.
fn whole(bound: Json) -> Json {
    #[allow(clippy::cast_possible_truncation, reason = "exact: the bound is whole and f64 holds it exactly")]
    match bound.as_f64() {
        Some(float) if bound.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => (float as i64).into(),
        _ => bound,
    }
}

fn unfit(name: &str) -> Defect {
    defect(
        name,
        "a form holds text, numbers, bools, enums of unit variants, and lists of these enums; ask for the rest in further fields",
    )
}

fn defect(field: &str, problem: &str) -> Defect {
    Defect { field: field.to_owned(), problem: problem.to_owned() }
}

#[cfg(test)]
mod tests {
    use schemars::{JsonSchema, SchemaGenerator};

    use super::*;

    fn of<T: JsonSchema>() -> Result<Json, Defect> {
        form(SchemaGenerator::subschema_for::<T>)
    }

    #[derive(JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code, reason = "read by its schema alone")]
    enum Plain {
        Red,
        DarkGreen,
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "read by its schema alone")]
    enum Titled {
        /// The first of them.
        A,
        #[schemars(title = "Second")]
        B,
        C,
    }

    fn plain() -> Plain {
        Plain::Red
    }

    impl serde::Serialize for Plain {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_str("red")
        }
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "read by its schema alone")]
    struct Everything {
        /// What people call it.
        #[schemars(length(max = 40))]
        name: String,
        #[schemars(email)]
        mail: Option<String>,
        #[schemars(range(min = 0, max = 150))]
        age: u8,
        #[serde(default)]
        score: f32,
        sure: Option<bool>,
        #[serde(default = "plain")]
        color: Plain,
        perhaps: Option<Plain>,
        grade: Titled,
        #[schemars(extend("enumNames" = ["Rot", "Dunkelgrün"]))]
        old: Plain,
        colors: Vec<Plain>,
        #[schemars(length(min = 1))]
        grades: Vec<Titled>,
    }

    #[test]
    fn sep1034_and_sep1330_forms_are_flat() {
        let pairs = json!([
            { "const": "C", "title": "C" }, { "const": "A", "title": "The first of them." },
            { "const": "B", "title": "Second" },
        ]);
        let expected = json!({
            "type": "object",
            "properties": {
                "name": { "description": "What people call it.", "type": "string", "maxLength": 40 },
                "mail": { "type": "string", "format": "email" },
                "age": { "type": "integer", "minimum": 0, "maximum": 150 },
                "score": { "default": 0.0, "type": "number" },
                "sure": { "type": "boolean" },
                "color": { "default": "red", "type": "string", "enum": ["red", "dark_green"] },
                "perhaps": { "type": "string", "enum": ["red", "dark_green"] },
                "grade": { "type": "string", "oneOf": pairs },
                "old": { "type": "string", "enum": ["red", "dark_green"], "enumNames": ["Rot", "Dunkelgrün"] },
                "colors": { "type": "array", "items": { "enum": ["red", "dark_green"], "type": "string" } },
                "grades": { "type": "array", "minItems": 1, "items": { "anyOf": pairs } },
            },
            "required": ["name", "age", "grade", "old", "colors", "grades"],
        });
        assert_eq!(of::<Everything>().unwrap(), expected);
    }

    #[derive(JsonSchema)]
    #[allow(dead_code, reason = "read by its schema alone")]
    struct Nested {
        inner: Vec<u8>,
    }

    #[test]
    fn what_clients_cannot_draw_is_named() {
        assert_eq!(of::<Nested>().unwrap_err().field, "inner");
        assert_eq!(of::<Vec<String>>().unwrap_err().problem, "a form is a struct with named fields");
    }
}
