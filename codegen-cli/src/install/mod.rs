//! `install`: a server into the configuration of a client, in the client's own form.
//!
//! The client's file belongs to its user: it is read, one entry is put in, and it is replaced in one step, with the file
//! as it was kept beside it.

mod client;
mod merge;
mod server;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use console::style;
use serde_json::json;

pub(crate) use client::{Client, Scope};

use crate::cli::Install;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files;
use crate::output::{self, Format, printable};
use client::Place;
use merge::Merged;

/// Shows the configuration and, unless it is only asked for, writes it.
pub(crate) async fn run(verb: &Install) -> Result<(), Failure> {
    let client = verb.client;
    let place = client.place(verb.scope)?;
    // Refused before anything is built.
    let given = verb.name.as_deref().map(|name| client.name(name, true)).transpose()?;
    let found = server::find(verb).await?;
    let entry = client.entry(&found.server)?;
    let name = match given {
        Some(name) => name,
        None => client.name(found.name.as_deref().unwrap_or_default(), false)?,
    };
    let alone = merge::alone(place.syntax, &place.keys, &name, &entry).map_err(|error| unreadable(&place, &error))?;
    let told = Told { format: verb.format.asked(), name: &name, entry: &alone };
    if verb.print {
        return told.answer("shown", "belongs in", &place.file);
    }
    let (file, before) = read(&place.file)?;
    let merged = merge::merge(place.syntax, before.as_deref().unwrap_or_default(), &place.keys, &name, &entry)
        .map_err(|error| unreadable(&place, &error))?;
    let text = match merged {
        Merged::Same => return told.answer("there", "stands already in", &file),
        Merged::Added(text) => text,
        Merged::Replaced(text) if verb.force => text,
        Merged::Replaced(_) => return Err(taken(client, &name, &file)),
    };
    let kept = before.map(|before| keep(&file, &before)).transpose()?;
    write(&file, &text)?;
    told.answer("written", "written to", &file)?;
    if told.format.is_for_programs() {
        return Ok(());
    }
    if let Some(kept) = kept {
        note("as it was:", &kept);
    }
    output::note(&format!("{} {}", style("next:").cyan().bold().for_stderr(), client.next()));
    Ok(())
}

/// What is said of an entry of a client's file.
struct Told<'a> {
    format: Format,
    name: &'a str,
    /// In the client's own form.
    entry: &'a str,
}

impl Told<'_> {
    /// The entry, and what became of it: in a word for programs, in some for people.
    fn answer(&self, state: &str, words: &str, file: &Path) -> Result<(), Failure> {
        if self.format.is_for_programs() {
            let file = file.display().to_string();
            let object = json!({ "name": self.name, "file": file, "state": state, "entry": self.entry });
            return output::document(self.format, &object.to_string());
        }
        output::answer(self.entry)?;
        note(words, file);
        Ok(())
    }
}

/// The file itself, behind links, and its text if there is one.
fn read(path: &Path) -> Result<(PathBuf, Option<String>), Failure> {
    match fs::canonicalize(path) {
        Ok(file) => {
            let text = fs::read_to_string(&file).map_err(|error| Failure::file(&file, error))?;
            Ok((file, Some(text)))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok((path.to_owned(), None)),
        Err(error) => Err(Failure::file(path, error)),
    }
}

/// Keeps the file as it is under a free name beside it.
fn keep(file: &Path, text: &str) -> Result<PathBuf, Failure> {
    let mut number = 0_u32;
    loop {
        number += 1;
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(if number == 1 { ".bak".to_owned() } else { format!(".bak{number}") });
        let kept = file.with_file_name(name);
        if fs::exists(&kept).map_err(|error| Failure::file(&kept, error))? {
            continue;
        }
        files::write_like(&kept, text.as_bytes(), file).map_err(|error| Failure::file(&kept, error))?;
        return Ok(kept);
    }
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, error))?;
    }
    files::write_like(file, text.as_bytes(), file).map_err(|error| Failure::file(file, error))
}

fn taken(client: Client, name: &str, file: &Path) -> Failure {
    let sentence = format!("{} has another server called `{name}`, in {}", client.title(), file.display());
    Failure::new(Exit::Conflict, "name_taken", sentence)
        .hint("--force replaces it; --name NAME adds this one beside it")
}

fn unreadable(place: &Place, error: &str) -> Failure {
    Failure::new(Exit::Usage, "file", format!("{} cannot be read, and is left as it is", place.file.display()))
        .quoting(error)
        .hint("mend it, or put in yourself what --print shows")
}

fn note(what: &str, path: &Path) {
    output::note(&format!("{} {}", style(what).green().for_stderr(), printable(&path.display().to_string())));
}
