//! URI templates of level 1 (RFC 6570): text and `{variable}`, each variable one or more characters without a reserved one.

use std::collections::BTreeSet;

/// A URI, or a template of URIs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The text before the first variable.
    first: String,
    /// Each variable, and the text behind it.
    variables: Vec<(String, String)>,
}

impl Template {
    /// Reads a template; the error says what is wrong with it.
    pub fn new(text: &str) -> Result<Self, String> {
        let (first, mut rest) = literal(text)?;
        let mut variables: Vec<(String, String)> = Vec::new();
        let mut names = BTreeSet::new();
        while let Some(inside) = rest.strip_prefix('{') {
            let (name, behind) = inside.split_once('}').ok_or("a `{` is not closed")?;
            if name.is_empty() || !name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
                return Err(format!("`{{{name}}}` is no variable of a template of level 1"));
            }
            if !names.insert(name) {
                return Err(format!("`{{{name}}}` stands in it twice"));
            }
            let (text, more) = literal(behind)?;
            if text.is_empty() && !more.is_empty() {
                return Err(format!("nothing stands between `{{{name}}}` and the next variable"));
            }
            variables.push((name.to_owned(), text.to_owned()));
            rest = more;
        }
        Ok(Self { first: first.to_owned(), variables })
    }

    /// The names of its variables, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|(name, _)| name.as_str())
    }

    /// The values of its variables in a URI that it makes; none for another.
    pub fn values(&self, uri: &str) -> Option<Vec<(String, String)>> {
        let mut rest = uri.strip_prefix(self.first.as_str())?;
        let mut values = Vec::with_capacity(self.variables.len());
        for (at, (name, behind)) in self.variables.iter().enumerate() {
            let is_last = at + 1 == self.variables.len();
            let length = if is_last {
                rest.len().checked_sub(behind.len()).filter(|length| rest.get(*length..) == Some(behind))?
            } else {
                // A variable has a character at least, so the text behind it is looked for from the second one on. The first
                // place is as good as any: what a variable cannot hold it cannot hold further on either.
                let second = rest.chars().next()?.len_utf8();
                second + rest.get(second..)?.find(behind.as_str())?
            };
            let (value, more) = rest.split_at_checked(length)?;
            values.push((name.clone(), decoded(value)?));
            rest = more.get(behind.len()..)?;
        }
        rest.is_empty().then_some(values)
    }
}

/// The text before the next variable.
fn literal(text: &str) -> Result<(&str, &str), String> {
    let end = text.find(['{', '}']).unwrap_or(text.len());
    let (literal, rest) = text.split_at(end);
    if rest.starts_with('}') { Err("a `}` closes nothing".to_owned()) } else { Ok((literal, rest)) }
}

/// The value that a part of a URI writes; none where it is no value of level 1. What is not ASCII may stand for itself, as
/// people write it.
fn decoded(part: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [byte, more @ ..] = rest {
        rest = more;
        match byte {
            b'%' => {
                let [high, low, more @ ..] = more else { return None };
                let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
                bytes.push((digit(high)? << 4) | digit(low)?);
                rest = more;
            }
            b'-' | b'.' | b'_' | b'~' => bytes.push(*byte),
            byte if byte.is_ascii_alphanumeric() || !byte.is_ascii() => bytes.push(*byte),
            _ => return None,
        }
    }
    if bytes.is_empty() { None } else { String::from_utf8(bytes).ok() }
}

#[cfg(test)]
mod tests {
    use super::Template;

    fn values(template: &str, uri: &str) -> Option<Vec<String>> {
        let values = Template::new(template).unwrap().values(uri)?;
        Some(values.into_iter().map(|(_, value)| value).collect())
    }

    fn is(found: Option<Vec<String>>, expected: &[&str]) {
        assert_eq!(found.unwrap(), expected);
    }

    /// RFC 6570, 1.2 and 3.2.2: the values of its examples come back from their expansions.
    #[test]
    fn the_standards_own_examples() {
        is(values("{var}", "value"), &["value"]);
        is(values("{hello}", "Hello%20World%21"), &["Hello World!"]);
        is(values("{half}", "50%25"), &["50%"]);
        is(values("O{x}X", "O1024X"), &["1024"]);
        is(values("map?{x},{y}", "map?1024,768"), &["1024", "768"]);
        is(values("{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"), &["http://example.com/home/"]);
        assert_eq!(values("O{empty}X", "OX"), None, "a variable has a character at least");
    }

    #[test]
    fn a_uri_of_another_kind_has_no_values() {
        is(values("a://b", "a://b"), &[]);
        is(values("a://{b}-{c}.json", "a://x-y-z.json"), &["x", "y-z"]);
        is(values("a://{b}", "a://gr%C3%B6%C3%9Fe"), &["größe"]);
        is(values("a://{b}", "a://größe"), &["größe"]);
        for uri in ["a://", "a://x/y", "a://x?y", "a://%", "a://%4", "a://%zz", "a://%ff", "b://x", "a://x y", "A://x"]
        {
            assert_eq!(values("a://{b}", uri), None, "{uri}");
        }
        for uri in ["a://x", "a://x/data/more", "a:///data", "a://x/dat"] {
            assert_eq!(values("a://{b}/data", uri), None, "{uri}");
        }
    }

    #[test]
    fn what_is_no_template_of_level_1_is_refused() {
        for text in
            ["a{", "a}", "a{}", "a{+b}", "a{b,c}", "a{b*}", "a{b:3}", "a{?b}", "a{b}{c}", "a{b}/{b}", "a{b}}", "a{b{c}"]
        {
            assert!(Template::new(text).is_err(), "{text}");
        }
        let template = Template::new("a://{b}/{c}").unwrap();
        assert_eq!(template.variables().collect::<Vec<_>>(), ["b", "c"]);
    }
}
