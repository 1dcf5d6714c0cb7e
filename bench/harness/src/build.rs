//! Programs that are measured, built once below the target folder.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::Error;

/// The root of the project.
pub fn root() -> Result<PathBuf, Error> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?)
}

/// Runs cargo in a folder, with its words on standard error.
pub fn cargo(folder: &Path, target: &Path, arguments: &[&str]) -> Result<(), Error> {
    writeln!(std::io::stderr(), "cargo {} in {}", arguments.join(" "), folder.display())?;
    let program = std::env::var_os("CARGO");
    let status = Command::new(program.as_deref().unwrap_or(OsStr::new("cargo")))
        .args(arguments)
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        .stdin(Stdio::null())
        .status()?;
    if status.success() { Ok(()) } else { Err("it does not build".into()) }
}

/// Leaves a file alone that says the same, so that it is not built again.
pub fn write(path: &Path, text: &str) -> Result<(), Error> {
    if std::fs::read_to_string(path).is_ok_and(|said| said == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, text)?)
}
