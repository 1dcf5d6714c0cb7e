//! `expand`: what the macros make of source files, without compiling them.

use std::fs;
use std::path::{Path, PathBuf};

use nodecast::call::nearest;
use serde_json::json;
use syn::{File, Item};

use crate::cli::{CrateArgs, Expand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::target::krate::Krate;

/// Prints the expansion.
pub(crate) fn run(verb: &Expand) -> Result<(), Failure> {
    let sources = match &verb.file {
        Some(file) => vec![Source::read(file.clone())?],
        None => Source::of_crate(verb)?,
    };
    let mistakes: Vec<String> = sources.iter().map(Source::mistakes).collect::<Result<Vec<_>, _>>()?.concat();
    if let Some((first, others)) = mistakes.split_first() {
        return Err(Failure::new(Exit::Refused, "bad_declaration", first.clone())
            .and_also(others.iter().map(String::as_str))
            .detail("mistakes", mistakes.clone()));
    }
    let (mut texts, mut names) = (Vec::new(), Vec::new());
    for source in &sources {
        let mut file = source.file.clone();
        if let Some(asked) = &verb.node {
            file.items = declared(file.items, &mut names).into_iter().filter(|item| is_called(item, asked)).collect();
        }
        let plain = prettyplease::unparse(&file);
        let expanded = source.expanded(&plain)?;
        if expanded != plain {
            texts.push(expanded);
        }
    }
    if texts.is_empty() {
        return Err(nothing(verb, &names));
    }
    let text = texts.join("\n");
    match verb.format.asked() {
        format @ (Format::Json | Format::Yaml) => output::document(format, &json!({ "text": text }).to_string()),
        _ => output::answer_line(&text),
    }
}

fn nothing(verb: &Expand, names: &[String]) -> Failure {
    let Some(asked) = &verb.node else {
        return Failure::new(Exit::Refused, "nothing_declared", "nothing is declared with nodecast's macros here");
    };
    let failure = Failure::new(Exit::Refused, "unknown_node", format!("nothing declared is called `{asked}`"));
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    match nearest(asked, known.iter().copied()) {
        Some(near) => failure.hint(format!("there is `{near}`")),
        None => failure,
    }
}

/// A parsed file.
struct Source {
    path: PathBuf,
    text: String,
    file: File,
}

impl Source {
    fn read(path: PathBuf) -> Result<Self, Failure> {
        let text = fs::read_to_string(&path).map_err(|error| Failure::file(&path, error))?;
        let file = syn::parse_file(&text).map_err(|error| not_rust(&path, &error))?;
        Ok(Self { path, text, file })
    }

    /// Every source file of the crate's library, in the order of their paths.
    fn of_crate(verb: &Expand) -> Result<Vec<Self>, Failure> {
        let args = CrateArgs {
            package: verb.package.clone(),
            manifest_path: verb.manifest_path.clone(),
            ..CrateArgs::default()
        };
        let mut paths = Vec::new();
        collect(&Krate::find(&args)?.folder()?.join("src"), &mut paths)?;
        paths.sort();
        paths.into_iter().map(Self::read).collect()
    }

    /// What is wrong with its declarations, each with its place.
    fn mistakes(&self) -> Result<Vec<String>, Failure> {
        let found = nodecast_macros_core::mistakes(&self.text).map_err(|error| not_rust(&self.path, &error))?;
        Ok(found.iter().map(|mistake| placed(&self.path, mistake)).collect())
    }

    fn expanded(&self, plain: &str) -> Result<String, Failure> {
        nodecast_macros_core::expand_file(plain).map_err(|error| not_rust(&self.path, &error))
    }
}

fn not_rust(path: &Path, error: &syn::Error) -> Failure {
    Failure::usage(placed(path, error))
}

fn placed(path: &Path, error: &syn::Error) -> String {
    let at = error.span().start();
    format!("{}:{}:{}: {error}", path.display(), at.line, at.column + 1)
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failure = |error| Failure::file(folder, error);
    for entry in fs::read_dir(folder).map_err(failure)? {
        let path = entry.map_err(failure)?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            paths.push(path);
        }
    }
    Ok(())
}

/// The structs and enums of a file, those in its modules too; their names are added to `names`.
fn declared(items: Vec<Item>, names: &mut Vec<String>) -> Vec<Item> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Mod(module) => {
                found.extend(declared(module.content.map(|(_, items)| items).unwrap_or_default(), names));
            }
            item => {
                if let Some(name) = name(&item) {
                    names.push(name);
                    found.push(item);
                }
            }
        }
    }
    found
}

fn name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// By the struct's name or the node's: `SegmentAuto` and `segment_auto` are one.
fn is_called(item: &Item, asked: &str) -> bool {
    let plain = |name: &str| name.replace(['_', '-'], "").to_lowercase();
    name(item).is_some_and(|name| plain(&name) == plain(asked))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_in_modules_by_either_name() {
        let file = syn::parse_file("mod inner { struct SegmentAuto; } enum Kind {} fn f() {}").unwrap();
        let mut names = Vec::new();
        let items = declared(file.items, &mut names);
        assert_eq!(names, ["SegmentAuto", "Kind"]);
        assert!(is_called(&items[0], "segment_auto") && is_called(&items[0], "SegmentAuto"));
        assert!(!is_called(&items[1], "segment_auto"));
    }
}
