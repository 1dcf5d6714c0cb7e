//! Arguments: words of the command line, read, then typed by what the tool's input schema asks for.
//!
//! What the schema does not know is left to the server, whose refusal names the field and what is known.

use std::fs;
use std::io::Read;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use crate::exit::Exit;
use crate::failure::Failure;

/// One argument as it was given, files read.
#[derive(Debug)]
pub(crate) struct Given {
    name: String,
    value: Form,
}

#[derive(Debug)]
enum Form {
    /// A value of the command line.
    Word(String),
    /// The content of a file, and its path for messages.
    File(Vec<u8>, String),
    /// A member of a JSON object.
    Json(Value),
}

/// Reads `name=value`, `name=@file`, `{…}`, `@file` and `-`.
pub(crate) fn read(words: &[String]) -> Result<Vec<Given>, Failure> {
    let mut given = Vec::new();
    for word in words {
        if word == "-" {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).map_err(|error| Failure::usage(format!("stdin: {error}")))?;
            given.extend(object(&text, "stdin")?);
        } else if let Some(path) = word.strip_prefix('@').filter(|path| !path.contains('=')) {
            let text = fs::read_to_string(path).map_err(|error| Failure::file(Path::new(path), error))?;
            given.extend(object(&text, path)?);
        } else if word.starts_with('{') {
            given.extend(object(word, "the argument")?);
        } else if let Some((name, value)) = word.split_once('=') {
            given.push(Given { name: name.to_owned(), value: form(value)? });
        } else {
            return Err(Failure::usage(format!("`{word}` is no argument"))
                .hint("write name=value, name=@file, a JSON object, @file with one in it, or - for one from stdin"));
        }
    }
    Ok(given)
}

fn form(value: &str) -> Result<Form, Failure> {
    match value.strip_prefix('@') {
        None => Ok(Form::Word(value.to_owned())),
        Some(literal) if literal.starts_with('@') => Ok(Form::Word(literal.to_owned())),
        Some(path) => {
            let bytes = fs::read(path).map_err(|error| {
                Failure::file(Path::new(path), error)
                    .hint(format!("a text that begins with @ is written with two: @{value}"))
            })?;
            Ok(Form::File(bytes, path.to_owned()))
        }
    }
}

fn object(text: &str, whence: &str) -> Result<Vec<Given>, Failure> {
    match serde_json::from_str(text) {
        Ok(Value::Object(members)) => {
            Ok(members.into_iter().map(|(name, value)| Given { name, value: Form::Json(value) }).collect())
        }
        Ok(_) => Err(Failure::new(Exit::Usage, "bad_json", format!("{whence} is not a JSON object"))),
        Err(error) => Err(Failure::new(Exit::Usage, "bad_json", format!("{whence} is not JSON: {error}"))),
    }
}

/// The arguments of the call. A name given several times makes a list, where the tool asks for one.
pub(crate) fn typed(given: Vec<Given>, input_schema: &Map<String, Value>) -> Result<Map<String, Value>, Failure> {
    let properties = input_schema.get("properties").and_then(Value::as_object);
    let mut arguments = Map::new();
    for Given { name, value } in given {
        let wanted = properties.and_then(|properties| properties.get(&name)).map_or(Wanted::Unknown, Wanted::of);
        match (arguments.get_mut(&name), wanted) {
            (None, Wanted::List(element)) => {
                let first = list(&name, value, &element)?;
                arguments.insert(name, first);
            }
            (None, wanted) => {
                let value = one(&name, value, &wanted)?;
                arguments.insert(name, value);
            }
            (Some(Value::Array(so_far)), Wanted::List(element)) => so_far.push(one(&name, value, &element)?),
            (Some(_), _) => return Err(Failure::usage(format!("`{name}` is given twice"))),
        }
    }
    Ok(arguments)
}

/// What a schema asks for, as far as it decides how a word is read.
#[derive(Debug)]
enum Wanted {
    /// Text, as it stands.
    Text,
    /// Base64 of bytes: pictures and other files.
    Bytes,
    /// A number, a truth value, an object: JSON.
    Json(&'static str),
    /// A list of these.
    List(Box<Wanted>),
    /// Several of these, or nothing known: JSON if it is, else text.
    Unknown,
}

impl Wanted {
    fn of(schema: &Value) -> Self {
        let word = |key: &str| schema.get(key).and_then(Value::as_str);
        match word("type") {
            Some("string") if word("contentEncoding") == Some("base64") => Self::Bytes,
            Some("string") => Self::Text,
            Some("integer") => Self::Json("an integer"),
            Some("number") => Self::Json("a number"),
            Some("boolean") => Self::Json("true or false"),
            Some("object") => Self::Json("a JSON object"),
            Some("array") => Self::List(Box::new(schema.get("items").map_or(Self::Unknown, Self::of))),
            // A picture may also come as an array; a file or a text on the command line is the picture.
            _ => ["anyOf", "oneOf"]
                .iter()
                .filter_map(|key| schema.get(*key).and_then(Value::as_array))
                .flatten()
                .map(Self::of)
                .find(|wanted| matches!(wanted, Self::Bytes))
                .unwrap_or(Self::Unknown),
        }
    }
}

fn list(name: &str, value: Form, element: &Wanted) -> Result<Value, Failure> {
    match value {
        Form::Json(value) => Ok(value),
        Form::Word(text) if text.trim_start().starts_with('[') => json(name, &text, "a JSON list"),
        Form::File(bytes, path) if bytes.trim_ascii_start().starts_with(b"[") => {
            json(name, &utf8(bytes, &path)?, "a JSON list")
        }
        value => Ok(Value::Array(vec![one(name, value, element)?])),
    }
}

fn one(name: &str, value: Form, wanted: &Wanted) -> Result<Value, Failure> {
    match (value, wanted) {
        (Form::Json(value), _) => Ok(value),
        (Form::Word(text), Wanted::Json(what)) => json(name, &text, what),
        (Form::Word(text), Wanted::List(_)) => json(name, &text, "a JSON list"),
        (Form::Word(text), Wanted::Text) => Ok(Value::String(text)),
        (Form::Word(text), Wanted::Bytes) => encoded(name, text),
        (Form::Word(text), Wanted::Unknown) => Ok(serde_json::from_str(&text).unwrap_or(Value::String(text))),
        (Form::File(bytes, _), Wanted::Bytes) => Ok(Value::String(STANDARD.encode(bytes))),
        // A coarse schema calls a picture text too.
        (Form::File(bytes, _), Wanted::Text) => Ok(Value::String(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(binary) => STANDARD.encode(binary.into_bytes()),
        })),
        (Form::File(bytes, path), Wanted::Json(what)) => json(name, &utf8(bytes, &path)?, what),
        (Form::File(bytes, path), Wanted::List(_)) => json(name, &utf8(bytes, &path)?, "a JSON list"),
        (Form::File(bytes, _), Wanted::Unknown) => Ok(match String::from_utf8(bytes) {
            Ok(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            Err(binary) => Value::String(STANDARD.encode(binary.into_bytes())),
        }),
    }
}

/// Base64 as it was given; the path of a file that was meant to be read is told apart.
fn encoded(name: &str, text: String) -> Result<Value, Failure> {
    if Path::new(&text).is_file() {
        return Err(Failure::usage(format!("`{name}` takes a file, and `{}` is only its name", excerpt(&text)))
            .hint(format!("with an @ before it, the file is read: {name}=@{text}")));
    }
    if STANDARD.decode(&text).is_err() {
        return Err(Failure::usage(format!("`{name}` takes a file or base64, and `{}` is neither", excerpt(&text)))
            .hint(format!("{name}=@FILE")));
    }
    Ok(Value::String(text))
}

fn json(name: &str, text: &str, what: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let failure = Failure::new(Exit::Usage, "bad_json", format!("`{name}` takes {what}, not `{}`", excerpt(text)));
        match what {
            "a JSON list" | "a JSON object" => failure.hint(format!("as JSON: {error}")),
            _ => failure,
        }
    })
}

fn utf8(bytes: Vec<u8>, path: &str) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|_| Failure::usage(format!("{path} is not a text file")))
}

fn excerpt(text: &str) -> String {
    let mut excerpt: String = text.chars().take(40).collect();
    if excerpt.len() < text.len() {
        excerpt.push('…');
    }
    excerpt
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(words: &[&str]) -> Result<Value, Failure> {
        let schema = json!({"properties": {
            "text": {"type": "string"},
            "count": {"type": "integer"},
            "flag": {"type": "boolean"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "sizes": {"type": "array", "items": {"type": "number"}},
            "where": {"type": "object"},
            "image": {"type": "string", "contentEncoding": "base64"},
            "any": {"anyOf": [{"type": "string"}, {"type": "number"}]},
        }});
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        typed(read(&words)?, schema.as_object().unwrap()).map(Value::Object)
    }

    #[test]
    fn values_have_the_type_that_the_schema_asks_for() {
        let called = call(&["text=5", "count=5", "flag=true", "where={\"x\":1}", "any=5", "new=x=y"]).unwrap();
        assert_eq!(called, json!({"text":"5","count":5,"flag":true,"where":{"x":1},"any":5,"new":"x=y"}));
    }

    #[test]
    fn a_list_is_json_or_a_name_given_several_times() {
        assert_eq!(call(&["tags=[\"a\",\"b\"]"]).unwrap(), json!({"tags":["a","b"]}));
        assert_eq!(call(&["sizes=1", "sizes=2.5"]).unwrap(), json!({"sizes":[1,2.5]}));
        assert_eq!(call(&["tags=a"]).unwrap(), json!({"tags":["a"]}));
        assert_eq!(call(&["text=a", "text=b"]).unwrap_err().exit(), Exit::Usage);
    }

    #[test]
    fn a_file_without_its_sign_is_told() {
        let error = call(&["image=Cargo.toml"]).unwrap_err().text();
        assert!(error.contains("image=@Cargo.toml"), "{error}");
        let error = call(&["image=no picture"]).unwrap_err().text();
        assert!(error.contains("image=@FILE"), "{error}");
        assert_eq!(call(&["image=WzEsIDJd"]).unwrap(), json!({"image":"WzEsIDJd"}));
    }

    #[test]
    fn an_object_gives_several() {
        assert_eq!(call(&["{\"text\":\"a\",\"count\":1}"]).unwrap(), json!({"text":"a","count":1}));
        assert_eq!(call(&["{\"text\":"]).unwrap_err().exit(), Exit::Usage);
    }

    #[test]
    fn what_is_no_json_where_json_is_due_is_a_usage_error() {
        assert_eq!(call(&["count=five"]).unwrap_err().exit(), Exit::Usage);
        assert_eq!(call(&["where=[1"]).unwrap_err().exit(), Exit::Usage);
        assert_eq!(call(&["loose"]).unwrap_err().exit(), Exit::Usage);
    }

    #[test]
    fn a_file_is_read_as_the_schema_asks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "[1, 2]").unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(call(&[&format!("image=@{path}")]).unwrap(), json!({"image":"WzEsIDJd"}));
        assert_eq!(call(&[&format!("text=@{path}")]).unwrap(), json!({"text":"[1, 2]"}));
        assert_eq!(call(&[&format!("sizes=@{path}")]).unwrap(), json!({"sizes":[1,2]}));
        assert_eq!(call(&["text=@@me"]).unwrap(), json!({"text":"@me"}));
        assert_eq!(call(&["text=@/nowhere"]).unwrap_err().exit(), Exit::Usage);
    }
}
