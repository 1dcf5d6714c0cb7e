//! Values, places and cut texts, as answers show them.

use std::any::Any;
use std::fmt::{self, Write};

use crate::graph::{Encode, Node};
use crate::lines::cut;

/// So many characters of a value are shown.
const LONGEST: usize = 60;

/// A value on one line: by its encoding where clients know it by one, else in the words of `Debug`.
pub(super) fn shown(node: &Node, encode: Option<Encode>, value: &dyn Any) -> String {
    if let Some(encode) = encode
        && let Ok(text) = encode(value)
    {
        return cut(&text, LONGEST);
    }
    let mut line = Line { text: String::new(), left: LONGEST + 1 };
    // It ends where there is no more room, which is no failure.
    let _ = (node.shown)(value, &mut line);
    cut(&line.text, LONGEST)
}

/// Takes one line of so many characters, and ends whoever writes more.
struct Line {
    text: String,
    left: usize,
}

impl Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for letter in text.chars() {
            if self.left == 0 {
                return Err(fmt::Error);
            }
            self.left -= 1;
            self.text.push(if letter.is_control() { ' ' } else { letter });
        }
        Ok(())
    }
}

/// At most so many lines and characters; the last line says how many more there were.
pub(super) fn bounded(lines: Vec<String>, most_lines: usize, most: usize) -> String {
    let mut text = String::new();
    let mut length = 0;
    let all = lines.len();
    for (at, line) in lines.into_iter().enumerate() {
        let line_length = line.chars().count() + 1;
        if at >= most_lines || length + line_length > most {
            let mark = format!("+{} more lines", all - at);
            if length + mark.len() <= most {
                text.push_str(&mark);
            }
            return text.trim_end().to_owned();
        }
        length += line_length;
        text.push_str(&line);
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// As many as fit into so many characters, and how many more there are.
pub(super) fn joined(parts: &[String], most: usize) -> String {
    let mut text = String::new();
    for (at, part) in parts.iter().enumerate() {
        let separator = if at > 0 { ", " } else { "" };
        if text.chars().count() + part.chars().count() + 16 > most {
            let _ = write!(text, "{separator}+{} more", parts.len() - at);
            return text;
        }
        text.push_str(separator);
        text.push_str(part);
    }
    text
}
