//! `new` and `init`: a crate of nodes that compiles and serves, with tests that hold its contract and a CI file that
//! judges changes of it.

use std::fs;
use std::path::{Path, PathBuf};

use heck::{ToSnakeCase, ToUpperCamelCase};
use serde_json::json;

use crate::cli::{Init, New};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Format};

/// Makes a folder, and the crate in it.
pub(crate) fn new(verb: &New) -> Result<(), Failure> {
    if verb.path.exists() {
        return Err(Failure::new(Exit::Conflict, "exists", format!("{} is there already", verb.path.display()))
            .hint("for a crate in a folder that is there: codegen-cli init"));
    }
    make(&verb.path, verb.nodecast.as_deref(), verb.format.asked())
}

/// Makes the crate in the folder that one stands in.
pub(crate) fn init(verb: &Init) -> Result<(), Failure> {
    let folder = std::env::current_dir().map_err(|error| Failure::file(Path::new("."), error))?;
    make(&folder, verb.nodecast.as_deref(), verb.format.asked())
}

fn make(folder: &Path, nodecast: Option<&Path>, format: Format) -> Result<(), Failure> {
    let name = folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '-' || char == '_';
    // A word of the language could not be named where the crate is used.
    let is_word = syn::parse_str::<syn::Ident>(&library(&name)).is_err();
    if is_word || !name.starts_with(|char: char| char.is_ascii_alphabetic()) || !name.chars().all(is_plain) {
        return Err(Failure::usage(format!("`{name}` is no name of a crate"))
            .hint("letters, digits, `-` and `_`, a letter first, and no word of Rust"));
    }
    let texts = [
        ("Cargo.toml", manifest(&name, nodecast)?),
        ("src/lib.rs", filled(include_str!("template/lib.rs.in"), &name)),
        ("tests/snapshots.rs", filled(include_str!("template/snapshots.rs.in"), &name)),
        (".github/workflows/contract.yml", filled(include_str!("template/contract.yml.in"), &name)),
    ];
    let places: Vec<(PathBuf, String)> = texts.into_iter().map(|(file, text)| (folder.join(file), text)).collect();
    // All or none: a crate that is half ours helps nobody.
    if let Some((there, _)) = places.iter().find(|(place, _)| place.exists()) {
        return Err(Failure::new(Exit::Conflict, "exists", format!("{} is there already", there.display())));
    }
    for (place, text) in &places {
        let failure = |error| Failure::file(place, error);
        fs::create_dir_all(place.parent().unwrap_or(folder)).map_err(failure)?;
        files::write(place, text.as_bytes()).map_err(failure)?;
        if format == Format::Text {
            output::note(&format!("wrote {}", place.display()));
        }
    }
    if format.is_for_programs() {
        let files: Vec<String> = places.iter().map(|(place, _)| place.display().to_string()).collect();
        return output::document(format, &json!({ "name": name, "files": files }).to_string());
    }
    output::answer_line(&format!(
        "{name} is ready. In its folder:\n\n  codegen-cli snapshot                    its reviewed projections, to be \
         committed\n  cargo test                              holds them\n  codegen-cli call greet who=Ada          calls a \
         node\n  codegen-cli serve                       serves all"
    ))
}

fn manifest(name: &str, nodecast: Option<&Path>) -> Result<String, Failure> {
    let whence = match nodecast {
        Some(path) => {
            let path = fs::canonicalize(path).map_err(|error| Failure::file(path, error))?;
            format!("path = {}", toml::Value::String(path.to_string_lossy().into_owned()))
        }
        None => format!("version = \"{}\"", env!("CARGO_PKG_VERSION")),
    };
    Ok(format!(
        "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nnodecast = {{ {whence} \
         }}\n\n[dev-dependencies]\nnodecast = {{ {whence}, features = [\"testing\"] }}\n"
    ))
}

fn filled(template: &str, name: &str) -> String {
    let nodeset = name.to_snake_case();
    template
        .replace("{{title}}", name)
        .replace("{{nodeset}}", &nodeset)
        .replace("{{struct}}", &struct_name(name))
        .replace("{{lib}}", &library(name))
        .replace("{{repository}}", env!("CARGO_PKG_REPOSITORY"))
}

/// The name of the library as code spells it.
fn library(name: &str) -> String {
    name.replace('-', "_")
}

/// The name of the nodeset's struct: none that the template uses for something else.
fn struct_name(name: &str) -> String {
    match name.to_upper_camel_case() {
        name if ["Context", "Default", "Error", "Greet", "Node", "Result", "String"].contains(&name.as_str()) => {
            name + "Nodes"
        }
        name => name,
    }
}

#[cfg(test)]
mod tests {
    use super::{filled, make};
    use crate::exit::Exit;
    use crate::output::Format;

    #[test]
    fn names_that_cannot_be_are_refused_and_others_clash_with_nothing() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["fn", "2nodes", "my nodes", "größe", "self", ""] {
            let refused = make(&folder.path().join(name).join("."), None, Format::Json);
            assert_eq!(refused.unwrap_err().exit(), Exit::Usage, "{name}");
        }
        for (name, declared) in [("my-nodes", "struct MyNodes;"), ("greet", "struct GreetNodes;")] {
            let file = syn::parse_file(&filled(include_str!("template/lib.rs.in"), name)).unwrap();
            assert!(!file.items.is_empty());
            assert!(filled(include_str!("template/lib.rs.in"), name).contains(declared), "{name}");
        }
    }
}
