//! The generated workspace, built once.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bench_harness::Error;

use crate::sources::Declared;

/// Writes and builds a program for each side and number of tools; the folder of the programs.
pub(crate) fn build(folder: &Path, counts: &[usize]) -> Result<PathBuf, Error> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
    let nodecast = root.join("runtime/nodecast").display().to_string();
    let mut members = Vec::new();
    for declared in Declared::ALL {
        for tools in counts {
            let package = declared.package(*tools);
            write(&folder.join(&package).join("Cargo.toml"), &declared.manifest(*tools, &nodecast))?;
            write(&folder.join(&package).join("src/main.rs"), &declared.source(*tools))?;
            members.push(package);
        }
    }
    write(&folder.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))?;
    // The versions that the project is tested with.
    std::fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    writeln!(std::io::stderr(), "building the servers below {}; the first time takes minutes", folder.display())?;
    let cargo = std::env::var_os("CARGO");
    let status = Command::new(cargo.as_deref().unwrap_or(OsStr::new("cargo")))
        .args(["build", "--release", "--workspace"])
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", folder.join("target"))
        .stdin(Stdio::null())
        .status()?;
    if !status.success() {
        return Err("the servers do not build".into());
    }
    Ok(folder.join("target/release"))
}

/// Leaves a file alone that says the same, so that it is not built again.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    if std::fs::read_to_string(path).is_ok_and(|said| said == text) {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    Ok(std::fs::write(path, text)?)
}
