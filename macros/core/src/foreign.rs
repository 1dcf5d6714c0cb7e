//! Words that people bring along from other libraries, and what says the same here.

use crate::symbol::{CONFIG, DEFAULT, MAX, MIN, NUMBER, SELECT, SLIDER, Symbol, WIRE};

/// What to write for a word that is none of these, where others have it.
pub(crate) fn instead(word: &str, words: &[Symbol]) -> Option<String> {
    let has = |word: Symbol| words.contains(&word);
    match word {
        "description" | "desc" | "doc" | "help" => Some("the doc comment is the description; write `/// …`".to_owned()),
        // Of the field of a node; the field of a prompt has another attribute.
        "optional" | "required" if has(WIRE) => {
            Some("the type says what may be left out; write `Option<…>`, or a type without it".to_owned())
        }
        "default" if has(WIRE) => {
            Some(format!("a field with a default is a config field; write `#[{CONFIG}({DEFAULT} = …)]`"))
        }
        "min" | "max" | "step" | "range" if has(SLIDER) => Some(format!(
            "bounds stand in the widget that shows them; write `{SLIDER}({MIN} = …, {MAX} = …)` or `{NUMBER}({MIN} = …)`"
        )),
        "options" | "choices" | "values" if has(SELECT) => Some(format!("write `{SELECT}(\"a\", \"b\")`")),
        _ => None,
    }
}
