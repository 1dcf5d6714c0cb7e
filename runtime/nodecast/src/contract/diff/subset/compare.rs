//! Parts against parts: the rules by which one is in another.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use super::part::{Kind, Lists, MOST_VALUES, Objects, Part, Texts};
use super::{All, Question, Term};

/// Items of a list that are looked at one by one.
const MOST_ITEMS: usize = 64;

impl Question {
    /// Whether every value that satisfies all of `sub` satisfies all of `sup`.
    pub(super) fn is_in(&mut self, sub: &All<'_>, sup: &All<'_>) -> bool {
        if sup.is_empty() {
            return true;
        }
        if !self.step() {
            return false;
        }
        // What is asked for word for word needs no look inside.
        if sup.iter().all(|asked| sub.iter().any(|own| self.is_same(own, asked))) {
            return true;
        }
        let addresses = |all: &All<'_>| all.iter().map(Term::address).collect::<Vec<_>>();
        let question = (addresses(sub), addresses(sup));
        if self.open.contains(&question) {
            return true;
        }
        let (Some(parts), Some(wanted)) = (self.parts(sub), self.parts(sup)) else { return false };
        self.open.push(question);
        let holds = parts.iter().all(|part| self.is_covered(part, &wanted, sub, sup));
        self.open.pop();
        holds
    }

    /// Whether a part is in a union, as a whole or split once by the values of a property.
    fn is_covered(&mut self, part: &Part<'_>, wanted: &[Part<'_>], sub: &All<'_>, sup: &All<'_>) -> bool {
        if self.is_empty(part) || wanted.iter().any(|wanted| self.is_part_in(part, wanted)) {
            return true;
        }
        // How a text is to be read is nothing that a validator knows.
        let reads_alike = |wanted: &&Part<'_>| match (&part.kind, &wanted.kind) {
            (Kind::Text(own), Kind::Text(wanted)) => own.reading == wanted.reading,
            (own, wanted) => std::mem::discriminant(own) == std::mem::discriminant(wanted),
        };
        if let Some(values) = part.finite() {
            let readable =
                wanted.iter().filter(reads_alike).count() == wanted.iter().filter(|one| is_like(part, one)).count();
            return readable && values.len() <= MOST_VALUES && values.iter().all(|value| self.fits(value, sub, sup));
        }
        let Some(parts) = self.split(part) else { return false };
        parts.iter().all(|part| wanted.iter().any(|wanted| self.is_part_in(part, wanted)))
    }

    /// Whether a value that is listed is accepted; it need not satisfy what is said besides.
    fn fits(&mut self, value: &Json, sub: &All<'_>, sup: &All<'_>) -> bool {
        self.admits(sub, value) == Some(false) || self.admits(sup, value) == Some(true)
    }

    /// An object by the values of a property that it must have and that has few, as a tag has.
    fn split<'a>(&mut self, part: &Part<'a>) -> Option<Vec<Part<'a>>> {
        let Kind::Object(object) = &part.kind else { return None };
        for name in &object.required {
            let parts = self.parts(object.property(name))?;
            let values: Option<Vec<Vec<Json>>> = parts.iter().map(Part::finite).collect();
            let Some(values) = values.map(|values| values.concat()) else { continue };
            let Some(term) = object.property(name).first() else { continue };
            if values.len() < 2 || values.len() > MOST_VALUES {
                continue;
            }
            let narrowed = values.into_iter().map(|value| {
                let mut object = object.clone();
                object.properties.insert(name.clone(), vec![term.made(json!({ "const": value }))]);
                Part { kind: Kind::Object(object), ..part.clone() }
            });
            return Some(narrowed.collect());
        }
        None
    }

    /// Whether nothing satisfies a part; `false` where that does not show at once.
    fn is_empty(&mut self, part: &Part<'_>) -> bool {
        if part.is_plainly_empty() {
            return true;
        }
        match &part.kind {
            Kind::Object(object) => {
                object.required.iter().any(|name| object.patterns.is_empty() && self.is_nothing(object.property(name)))
            }
            Kind::List(list) => {
                let must = usize::try_from(list.length.min).unwrap_or(usize::MAX).min(MOST_ITEMS);
                (0..must).any(|index| self.is_nothing(list.item(index)))
            }
            _ => false,
        }
    }

    /// Whether nothing at all satisfies these schemas, without a look inside what they hold.
    fn is_nothing(&self, all: &All<'_>) -> bool {
        !all.is_empty() && self.parts(all).is_some_and(|parts| parts.iter().all(Part::is_plainly_empty))
    }

    fn is_part_in(&mut self, part: &Part<'_>, wanted: &Part<'_>) -> bool {
        if !part.facts.is_superset(&wanted.facts) {
            return false;
        }
        if let Some(listed) = &wanted.values {
            let Some(values) = part.finite() else { return false };
            let is_listed = |value: &Json| listed.iter().any(|listed| super::part::equal(listed, value));
            if !values.iter().all(is_listed) {
                return false;
            }
        }
        match (&part.kind, &wanted.kind) {
            (Kind::Null, Kind::Null) | (Kind::Bool, Kind::Bool) => true,
            (Kind::Number(own), Kind::Number(wanted)) => own.is_in(wanted),
            (Kind::Text(own), Kind::Text(wanted)) => is_text_in(own, wanted),
            // What is said of listed values besides is the validator's to judge.
            (Kind::List(_), Kind::List(_)) | (Kind::Object(_), Kind::Object(_)) if part.values.is_some() => false,
            (Kind::List(own), Kind::List(wanted)) => self.is_list_in(own, wanted),
            (Kind::Object(own), Kind::Object(wanted)) => self.is_object_in(own, wanted),
            _ => false,
        }
    }

    fn is_list_in(&mut self, own: &Lists<'_>, wanted: &Lists<'_>) -> bool {
        let mut length = own.length;
        // A list cannot be longer than its items may be at all.
        if self.is_nothing(&own.rest) {
            let first = own.first.len() as u64;
            length.max = Some(length.max.map_or(first, |max| max.min(first)));
        }
        if !length.is_in(wanted.length) || (wanted.unique && !own.unique && length.max.is_none_or(|max| max > 1)) {
            return false;
        }
        let apart = own.first.len().max(wanted.first.len());
        let most = length.max.map_or(usize::MAX, |max| usize::try_from(max).unwrap_or(usize::MAX));
        if apart > MOST_ITEMS {
            return false;
        }
        (0..apart.min(most)).all(|index| self.is_in(own.item(index), wanted.item(index)))
            && (most <= apart || self.is_in(&own.rest, &wanted.rest))
    }

    fn is_object_in(&mut self, own: &Objects<'_>, wanted: &Objects<'_>) -> bool {
        if !own.required.is_superset(&wanted.required) || own.patterns != wanted.patterns {
            return false;
        }
        let is_closed = own.patterns.is_empty() && self.is_nothing(&own.rest);
        let mut length = own.length;
        length.min = length.min.max(own.required.len() as u64);
        if is_closed {
            let all = own.properties.len() as u64;
            length.max = Some(length.max.map_or(all, |max| max.min(all)));
        }
        if !length.is_in(wanted.length) {
            return false;
        }
        let names: BTreeSet<&String> = own.properties.keys().chain(wanted.properties.keys()).collect();
        let anything = All::new();
        for name in names {
            // Of a property that is not named, patterns may say anything.
            let said = match own.properties.get(name) {
                Some(said) => said,
                None if own.patterns.is_empty() => &own.rest,
                None => &anything,
            };
            if self.is_nothing(said) {
                continue;
            }
            if !self.is_in(said, wanted.property(name)) {
                return false;
            }
        }
        (is_closed || self.is_in(&own.rest, &wanted.rest)) && self.names_are_in(own, wanted, is_closed)
    }

    fn names_are_in(&mut self, own: &Objects<'_>, wanted: &Objects<'_>, is_closed: bool) -> bool {
        if wanted.names.is_empty() || (!is_closed && self.is_in(&own.names, &wanted.names)) {
            return true;
        }
        is_closed
            && own.properties.keys().all(|name| self.admits(&wanted.names, &Json::from(name.as_str())) == Some(true))
    }
}

/// Whether two parts are of one type.
fn is_like(part: &Part<'_>, other: &Part<'_>) -> bool {
    std::mem::discriminant(&part.kind) == std::mem::discriminant(&other.kind)
}

fn is_text_in(own: &Texts, wanted: &Texts) -> bool {
    own.length.is_in(wanted.length) && own.forms.is_superset(&wanted.forms) && own.reading == wanted.reading
}
