//! What a schema says about one place, with references followed and one branch of every union chosen.
//!
//! A place is described by all the schemas that apply to it at once; nothing is merged or copied, the questions are
//! asked of all parts.

use serde_json::{Map, Value as Json};

use super::dice::Dice;

/// A document: its definitions, which references lead to.
#[derive(Clone, Copy)]
pub(super) struct Document<'s> {
    pub(super) root: &'s Json,
    definitions: Option<&'s Map<String, Json>>,
}

/// The schemas that apply to one place.
#[derive(Clone, Debug, Default)]
pub(super) struct Form<'s> {
    parts: Vec<&'s Map<String, Json>>,
    /// Whether the place was one of several forms, so that a mistake inside may be reported for the whole.
    pub(super) is_union: bool,
    /// Whether one of its forms holds the bytes of a picture, an array or others, which no schema looks into.
    pub(super) is_content: bool,
}

/// Deeper than this a chain of references does not end.
const MAX_CHAIN: usize = 64;

impl<'s> Document<'s> {
    pub(super) fn new(root: &'s Json) -> Self {
        Self { root, definitions: root.get("$defs").and_then(Json::as_object) }
    }

    fn target(self, schema: &'s Map<String, Json>) -> Option<&'s Json> {
        let reference = schema.get("$ref")?.as_str()?;
        if reference == "#" {
            return Some(self.root);
        }
        self.definitions?.get(reference.strip_prefix("#/$defs/")?)
    }

    fn may_hold_content(self, schema: &'s Json, fuel: usize) -> bool {
        let (Some(members), Some(fuel)) = (schema.as_object(), fuel.checked_sub(1)) else { return false };
        let parts = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(|union| branches(members, union));
        let mut parts = parts.chain(self.target(members));
        holds_content(members) || parts.any(|part| self.may_hold_content(part, fuel.min(8)))
    }

    /// Whether what lies in a place of this form may be the bytes of a picture, an array or others.
    pub(super) fn reaches_content(self, form: &Form<'s>) -> bool {
        form.parts.iter().any(|members| self.reaches(members, 4))
    }

    /// Looks through all members, keywords or not, and so many references.
    fn reaches(self, members: &'s Map<String, Json>, references: usize) -> bool {
        let inside = |member: &'s Json| match member {
            Json::Object(members) => self.reaches(members, references),
            Json::Array(items) => items.iter().filter_map(Json::as_object).any(|item| self.reaches(item, references)),
            _ => false,
        };
        let target = self.target(members).and_then(Json::as_object).filter(|_| references > 0);
        holds_content(members)
            || members.values().any(inside)
            || target.is_some_and(|target| self.reaches(target, references - 1))
    }

    /// The form of a place to which all these schemas apply. With `small`, unions take the branch that ends soonest.
    pub(super) fn form(self, schemas: &[&'s Json], dice: &mut Dice, small: bool) -> Form<'s> {
        let mut form = Form::default();
        for schema in schemas {
            self.gather(schema, &mut form, dice, small, MAX_CHAIN);
        }
        form
    }

    fn gather(self, schema: &'s Json, form: &mut Form<'s>, dice: &mut Dice, small: bool, fuel: usize) {
        let (Some(members), Some(fuel)) = (schema.as_object(), fuel.checked_sub(1)) else { return };
        form.parts.push(members);
        form.is_content |= holds_content(members);
        if let Some(target) = self.target(members) {
            self.gather(target, form, dice, small, fuel);
        }
        for part in branches(members, "allOf") {
            self.gather(part, form, dice, small, fuel);
        }
        for union in ["anyOf", "oneOf"] {
            let branches = branches(members, union);
            form.is_union |= branches.iter().filter(|branch| !is_null(branch)).count() > 1;
            let chosen =
                if small { branches.iter().min_by_key(|branch| self.depth(branch, 6)) } else { dice.pick(branches) };
            if let Some(branch) = chosen {
                self.gather(branch, form, dice, small, fuel);
            }
            form.is_content |= branches.iter().any(|branch| self.may_hold_content(branch, fuel));
        }
    }

    /// How many levels the smallest value of a schema has, up to `limit`.
    fn depth(self, schema: &'s Json, limit: usize) -> usize {
        let Some(members) = schema.as_object() else { return 0 };
        if limit == 0 || members.contains_key("const") || members.contains_key("enum") {
            return 0;
        }
        let target = self.target(members).map_or(0, |target| self.depth(target, limit - 1));
        let all = branches(members, "allOf").iter().map(|part| self.depth(part, limit)).max().unwrap_or_default();
        let any = ["anyOf", "oneOf"]
            .iter()
            .filter_map(|union| branches(members, union).iter().map(|branch| self.depth(branch, limit)).min())
            .max()
            .unwrap_or_default();
        let properties = members.get("properties").and_then(Json::as_object);
        let inside = texts(members.get("required"))
            .filter_map(|name| properties?.get(name))
            .chain(branches(members, "prefixItems"))
            .map(|inner| 1 + self.depth(inner, limit - 1))
            .max();
        let items = members.get("items").filter(|_| members.get("minItems").is_some_and(|least| least != 0));
        let items = items.map_or(0, |items| 1 + self.depth(items, limit - 1));
        target.max(all).max(any).max(inside.unwrap_or_default()).max(items)
    }
}

fn holds_content(members: &Map<String, Json>) -> bool {
    let is_marker = |properties: &Json| properties.get("__ndarray__").is_some();
    members.contains_key("contentEncoding") || members.get("properties").is_some_and(is_marker)
}

fn branches<'s>(members: &'s Map<String, Json>, key: &str) -> &'s [Json] {
    members.get(key).and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn texts(list: Option<&Json>) -> impl Iterator<Item = &str> {
    list.and_then(Json::as_array).into_iter().flatten().filter_map(Json::as_str)
}

fn is_null(schema: &Json) -> bool {
    schema.get("type").is_some_and(|ty| ty == "null")
}

/// The types of JSON Schema that a value is generated for.
const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

impl<'s> Form<'s> {
    /// The keyword in every part that has it.
    pub(super) fn all(&self, keyword: &str) -> impl Iterator<Item = &'s Json> {
        self.parts.iter().filter_map(move |part| part.get(keyword))
    }

    pub(super) fn get(&self, keyword: &str) -> Option<&'s Json> {
        self.all(keyword).next()
    }

    pub(super) fn has(&self, keyword: &str) -> bool {
        self.get(keyword).is_some()
    }

    /// The largest of all lower bounds, or with `smallest` the smallest of all upper bounds.
    pub(super) fn bound(&self, keyword: &str, smallest: bool) -> Option<f64> {
        let bounds = self.all(keyword).filter_map(Json::as_f64);
        if smallest { bounds.reduce(f64::min) } else { bounds.reduce(f64::max) }
    }

    /// A count such as `maxItems`.
    pub(super) fn count(&self, keyword: &str) -> Option<usize> {
        usize::try_from(self.get(keyword)?.as_u64()?).ok()
    }

    /// The values of `const` or `enum`, where the place lists some.
    pub(super) fn options(&self) -> Option<Vec<&'s Json>> {
        let mut constants = self.all("const");
        if let Some(constant) = constants.next() {
            return Some(vec![constant]);
        }
        Some(self.get("enum")?.as_array()?.iter().collect())
    }

    /// The types that all parts allow; without `type`, those that the other keywords are about.
    pub(super) fn types(&self) -> Vec<&'s str> {
        let mut types: Option<Vec<&'s str>> = None;
        for declared in self.all("type") {
            let declared: Vec<&str> = match declared {
                Json::String(single) => vec![single],
                several => several.as_array().into_iter().flatten().filter_map(Json::as_str).collect(),
            };
            match &mut types {
                // An integer is a number.
                Some(types) => types.retain(|ty| declared.contains(ty)),
                None => types = Some(declared),
            }
        }
        types.unwrap_or_else(|| {
            let about = [
                ("object", &["properties", "required", "patternProperties", "additionalProperties"][..]),
                ("array", &["items", "prefixItems", "minItems"]),
                ("string", &["pattern", "minLength", "maxLength", "format", "contentEncoding"]),
                ("number", &["minimum", "maximum", "multipleOf"]),
            ];
            let implied = about.iter().find(|(_, keywords)| keywords.iter().any(|keyword| self.has(keyword)));
            implied.map_or_else(|| TYPES.to_vec(), |(ty, _)| vec![*ty])
        })
    }

    /// Whether a value here may be anything.
    pub(super) fn is_any(&self) -> bool {
        !self.has("type") && self.types().len() == TYPES.len()
    }

    /// Every declared property with the schemas that apply to it, in order.
    pub(super) fn properties(&self) -> Vec<(&'s str, Vec<&'s Json>)> {
        let mut found: Vec<(&str, Vec<&Json>)> = Vec::new();
        for (name, schema) in self.all("properties").filter_map(Json::as_object).flatten() {
            match found.iter_mut().find(|(known, _)| known == name) {
                Some((_, schemas)) => schemas.push(schema),
                None => found.push((name, vec![schema])),
            }
        }
        found
    }

    pub(super) fn is_required(&self, name: &str) -> bool {
        self.all("required").any(|required| texts(Some(required)).any(|required| required == name))
    }

    /// The schema of names that match a pattern, or of all other names; none where there may be no others.
    pub(super) fn open(&self) -> Option<(Option<&'s str>, &'s Json)> {
        let patterns = self.all("patternProperties").filter_map(Json::as_object).flatten();
        if let Some((pattern, schema)) = patterns.into_iter().next() {
            return Some((Some(pattern), schema));
        }
        self.all("additionalProperties").find(|schema| **schema != Json::Bool(false)).map(|schema| (None, schema))
    }

    /// The object that marks an array.
    pub(super) fn is_marker(&self) -> bool {
        self.all("properties").any(|properties| properties.get("__ndarray__").is_some())
    }
}
