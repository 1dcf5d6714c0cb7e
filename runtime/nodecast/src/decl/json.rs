//! Whether a text is one JSON object, decided while compiling: a hand-written schema that is none fails at its name.
//!
//! Reads syntax alone (RFC 8259); what the object says is read at start. As strict as the parser that reads it then,
//! down to the depth of its nesting.

use super::{NodeDecl, Text};

/// The parser at start stops at the next level (`wire.md` 4).
const MOST_DEPTH: usize = 127;

/// Checks the hand-written schema of a node.
///
/// # Panics
///
/// Where it is no JSON object; evaluated in a `const`, that is a compile error at the caller.
#[track_caller]
#[allow(clippy::panic, reason = "a panic is the message")]
pub const fn check_raw_schema(node: &NodeDecl) {
    let Some(text) = node.raw_schema else { return };
    if let Err(Mistake { at, what }) = object(text.as_bytes()) {
        let (line, column) = place(text.as_bytes(), at);
        let text = Text::new().add("the schema of `").add(node.name).add("` is no JSON object: ").add(what);
        panic!("{}", text.add(", line ").number(line).add(", column ").number(column).as_str());
    }
}

/// What is wrong with a text, and at which byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Mistake {
    at: usize,
    what: &'static str,
}

/// Where the reader is: before a value, or behind one.
#[derive(Clone, Copy)]
enum Next {
    Value,
    /// A key, or the end of an object that is empty so far.
    FirstKey,
    Key,
    /// A value, or the end of a list that is empty so far.
    FirstItem,
    Behind,
}

const fn object(text: &[u8]) -> Result<(), Mistake> {
    // Whether the container at each depth is an object.
    let mut open = [false; MOST_DEPTH];
    let mut depth = 0;
    let mut at = skip_space(text, 0);
    if !matches!(byte(text, at), Some(b'{')) {
        return mistake(at, "expected `{`");
    }
    let mut next = Next::Value;
    loop {
        at = skip_space(text, at);
        let found = byte(text, at);
        match (next, found) {
            (Next::Value | Next::FirstItem, Some(b'{' | b'[')) => {
                if depth == MOST_DEPTH {
                    return mistake(at, "nested deeper than 127 levels");
                }
                let is_object = matches!(found, Some(b'{'));
                set(&mut open, depth, is_object);
                depth += 1;
                next = if is_object { Next::FirstKey } else { Next::FirstItem };
                at += 1;
            }
            (Next::FirstKey, Some(b'}')) | (Next::FirstItem, Some(b']')) => {
                depth -= 1;
                next = Next::Behind;
                at += 1;
            }
            (Next::FirstKey | Next::Key, Some(b'"')) => {
                at = match string(text, at) {
                    Ok(end) => skip_space(text, end),
                    Err(mistake) => return Err(mistake),
                };
                if !matches!(byte(text, at), Some(b':')) {
                    return mistake(at, "expected `:` behind a name");
                }
                next = Next::Value;
                at += 1;
            }
            (Next::FirstKey, _) => return mistake(at, "expected a name in quotes or `}`"),
            (Next::Key, _) => return mistake(at, "expected a name in quotes"),
            (Next::Value | Next::FirstItem, _) => {
                at = match scalar(text, at) {
                    Ok(end) => end,
                    Err(mistake) => return Err(mistake),
                };
                next = Next::Behind;
            }
            (Next::Behind, None) if depth == 0 => return Ok(()),
            (Next::Behind, _) if depth == 0 => return mistake(at, "expected nothing behind the object"),
            (Next::Behind, Some(b',')) => {
                next = if get(&open, depth - 1) { Next::Key } else { Next::Value };
                at += 1;
            }
            (Next::Behind, Some(b'}')) if get(&open, depth - 1) => {
                depth -= 1;
                at += 1;
            }
            (Next::Behind, Some(b']')) if !get(&open, depth - 1) => {
                depth -= 1;
                at += 1;
            }
            (Next::Behind, _) if get(&open, depth - 1) => return mistake(at, "expected `,` or `}`"),
            (Next::Behind, _) => return mistake(at, "expected `,` or `]`"),
        }
    }
}

/// The end of a string, number or literal that starts at `at`.
const fn scalar(text: &[u8], at: usize) -> Result<usize, Mistake> {
    match byte(text, at) {
        Some(b'"') => string(text, at),
        Some(b'-' | b'0'..=b'9') => number(text, at),
        Some(b't') => word(text, at, b"true"),
        Some(b'f') => word(text, at, b"false"),
        Some(b'n') => word(text, at, b"null"),
        _ => Err(Mistake { at, what: "expected a value" }),
    }
}

const fn word(text: &[u8], start: usize, word: &[u8]) -> Result<usize, Mistake> {
    let mut length = 0;
    while length < word.len() {
        match (byte(text, start + length), byte(word, length)) {
            (Some(found), Some(expected)) if found == expected => length += 1,
            _ => return Err(Mistake { at: start, what: "expected a value" }),
        }
    }
    Ok(start + length)
}

const fn string(text: &[u8], start: usize) -> Result<usize, Mistake> {
    let mut at = start + 1;
    loop {
        match byte(text, at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => {
                at = match escape(text, at) {
                    Ok(end) => end,
                    Err(mistake) => return Err(mistake),
                }
            }
            Some(0..0x20) => {
                return Err(Mistake { at, what: "expected an escape, since a control stands in a string" });
            }
            Some(_) => at += 1,
            None => return Err(Mistake { at: start, what: "expected the end of this string" }),
        }
    }
}

/// The end of the escape at `at`; half a surrogate pair is no character.
const fn escape(text: &[u8], at: usize) -> Result<usize, Mistake> {
    match byte(text, at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => match hex(text, at + 2) {
            Some(0xd800..0xdc00) => match (byte(text, at + 6), byte(text, at + 7), hex(text, at + 8)) {
                (Some(b'\\'), Some(b'u'), Some(0xdc00..0xe000)) => Ok(at + 12),
                _ => Err(Mistake { at, what: "expected the second half of this surrogate pair" }),
            },
            Some(0xdc00..0xe000) => Err(Mistake { at, what: "expected the first half of this surrogate pair" }),
            Some(_) => Ok(at + 6),
            None => Err(Mistake { at, what: "expected four hex digits behind `\\u`" }),
        },
        _ => Err(Mistake { at, what: "expected an escape that JSON has" }),
    }
}

const fn hex(text: &[u8], start: usize) -> Option<u32> {
    let mut value = 0;
    let mut at = start;
    while at < start + 4 {
        let Some(found) = byte(text, at) else { return None };
        let digit = match found {
            b'0'..=b'9' => found - b'0',
            b'a'..=b'f' => found - b'a' + 10,
            b'A'..=b'F' => found - b'A' + 10,
            _ => return None,
        };
        value = value * 16 + digit as u32;
        at += 1;
    }
    Some(value)
}

const fn number(text: &[u8], start: usize) -> Result<usize, Mistake> {
    let mut at = if matches!(byte(text, start), Some(b'-')) { start + 1 } else { start };
    // A zero stands alone.
    at = if matches!(byte(text, at), Some(b'0')) { at + 1 } else { digits(text, at) };
    if !matches!(byte(text, at - 1), Some(b'0'..=b'9')) {
        return Err(Mistake { at, what: "expected a digit" });
    }
    if matches!(byte(text, at), Some(b'.')) {
        let end = digits(text, at + 1);
        if end == at + 1 {
            return Err(Mistake { at: end, what: "expected a digit" });
        }
        at = end;
    }
    if matches!(byte(text, at), Some(b'e' | b'E')) {
        let sign = matches!(byte(text, at + 1), Some(b'+' | b'-'));
        let first = if sign { at + 2 } else { at + 1 };
        let end = digits(text, first);
        if end == first {
            return Err(Mistake { at: end, what: "expected a digit" });
        }
        at = end;
    }
    Ok(at)
}

const fn digits(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), Some(b'0'..=b'9')) {
        at += 1;
    }
    at
}

const fn skip_space(text: &[u8], mut at: usize) -> usize {
    while matches!(byte(text, at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// Line and column in characters, both from 1.
const fn place(text: &[u8], mistake: usize) -> (usize, usize) {
    let (mut line, mut column, mut at) = (1, 1, 0);
    while at < mistake {
        match byte(text, at) {
            Some(b'\n') => (line, column) = (line + 1, 1),
            // Not the first byte of a character.
            Some(0x80..0xc0) => {}
            _ => column += 1,
        }
        at += 1;
    }
    (line, column)
}

const fn mistake(at: usize, what: &'static str) -> Result<(), Mistake> {
    Err(Mistake { at, what })
}

#[allow(clippy::indexing_slicing, reason = "`get` is not const yet; the condition checks the index")]
const fn byte(text: &[u8], at: usize) -> Option<u8> {
    if at < text.len() { Some(text[at]) } else { None }
}

#[allow(clippy::indexing_slicing, reason = "the depth is checked before it grows")]
const fn set(open: &mut [bool; MOST_DEPTH], depth: usize, is_object: bool) {
    open[depth] = is_object;
}

#[allow(clippy::indexing_slicing, reason = "the depth is checked before it grows")]
const fn get(open: &[bool; MOST_DEPTH], depth: usize) -> bool {
    open[depth]
}

#[cfg(test)]
mod tests {
    use super::{Mistake, object, place};

    fn what(text: &str) -> Option<(usize, &'static str)> {
        object(text.as_bytes()).err().map(|Mistake { at, what }| (at, what))
    }

    /// The parser that reads the text at start is the judge of what is JSON.
    fn agrees(text: &str) {
        let parsed = serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object());
        assert_eq!(what(text).is_none(), parsed, "{text:?}: {:?}", what(text));
    }

    #[test]
    fn an_object_is_known_as_the_parser_knows_it() {
        for text in [
            "{}",
            " {\n\t\"a\" : [ ] , \"b\":{\"c\":[1,[2,{}],null,true,false,\"x\"]}}\r\n",
            "",
            "[]",
            "1",
            "\"a\"",
            "{",
            "}",
            "{]",
            "{}}",
            "{} {}",
            "{\"a\"}",
            "{\"a\":}",
            "{\"a\":1,}",
            "{,}",
            "{\"a\":[1,]}",
            "{\"a\":[,1]}",
            "{\"a\":[1 2]}",
            "{\"a\":[1}",
            "{\"a\" 1}",
            "{a:1}",
            "{'a':1}",
            "{\"a\":tru}",
            "{\"a\":truee}",
            "{\"a\":nul}",
            "{\"a\":NaN}",
            "{\"a\":1}//",
            "\u{feff}{}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":{\"b\":1]}",
            "{\"größe\":\"😀\"}",
        ] {
            agrees(text);
        }
        for number in [
            "0", "-0", "10", "-1.5", "1e5", "1E+5", "1.0e-5", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "1_0",
            "-01",
        ] {
            agrees(&format!("{{\"a\":{number}}}"));
            agrees(&format!("{{\"a\":[{number}]}}"));
        }
        for escape in [
            "\\n",
            "\\/",
            "\\\\",
            "\\\"",
            "\\b\\f\\r\\t",
            "\\u00e4",
            "\\u00E4",
            "\\u12",
            "\\u12g4",
            "\\x",
            "\\",
            "\n",
            "\u{1f}",
            "\u{7f}",
            "\\ud83d\\ude00",
            "\\ud83d",
            "\\ude00",
            "\\ud83d\\u0041",
            "\\ud83dx",
            "\\u0000",
        ] {
            agrees(&format!("{{\"a\":\"{escape}\"}}"));
            agrees(&format!("{{\"{escape}\":1}}"));
        }
    }

    #[test]
    fn nesting_ends_where_the_parser_ends_it() {
        for depth in [125, 126, 127] {
            agrees(&format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth)));
        }
        assert_eq!(what(&format!("{{\"a\":{}", "[".repeat(127))), Some((131, "nested deeper than 127 levels")));
    }

    #[test]
    fn a_mistake_is_found_where_it_is() {
        assert_eq!(what("[1]"), Some((0, "expected `{`")));
        assert_eq!(what("{\"a\": 1,}"), Some((8, "expected a name in quotes")));
        assert_eq!(what("{\"a\": \"b"), Some((6, "expected the end of this string")));
        assert_eq!(what("{} x"), Some((3, "expected nothing behind the object")));
        assert_eq!(place("{\n \"ä\":,".as_bytes(), 8), (2, 6));
    }
}
