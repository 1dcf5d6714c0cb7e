//! Texts of a tool that a model reads and a person does not see (`faults.md` T23).

use serde_json::Value as Json;

use super::{Found, rules};

/// Faults of all texts of a tool: descriptions, titles, names, enum values, whatever else a model is sent.
pub(super) fn all(tool: &Json, found: &mut Found<'_>) {
    visit(tool, "", found);
}

fn visit(value: &Json, at: &str, found: &mut Found<'_>) {
    match value {
        Json::String(text) => text_at(text, at, found),
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| visit(item, &format!("{at}/{index}"), found));
        }
        Json::Object(members) => {
            for (key, member) in members {
                // Bytes of a picture are no text; an argument of that name is another thing.
                if at.is_empty() && key == "icons" {
                    continue;
                }
                let place = format!("{at}/{}", crate::call::escape(key));
                text_at(key, &place, found);
                visit(member, &place, found);
            }
        }
        _ => {}
    }
}

fn text_at(text: &str, at: &str, found: &mut Found<'_>) {
    let mut hidden: Vec<char> = text.chars().filter(|char| is_hidden(*char)).collect();
    hidden.sort_unstable();
    hidden.dedup();
    if !hidden.is_empty() {
        let codes: Vec<String> = hidden.iter().map(|char| format!("U+{:04X}", u32::from(*char))).collect();
        found.add(rules::HIDDEN_TEXT, at, format!("it holds {}", codes.join(", ")));
    }
    if text.contains("<!--") {
        found.add(rules::HIDDEN_COMMENT, at, "it holds a comment, `<!-- … -->`".to_owned());
    }
}

/// Characters that are not shown, or that change the order in which others are.
fn is_hidden(char: char) -> bool {
    match char {
        '\n' | '\t' | '\r' => false,
        '\u{ad}'
        | '\u{61c}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e007f}'
        | '\u{e0100}'..='\u{e01ef}' => true,
        char => char.is_control(),
    }
}
