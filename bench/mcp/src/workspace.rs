//! The generated workspace, built once.

use std::io::Write;
use std::path::{Path, PathBuf};

use bench_harness::{Error, cargo, root, write};

use crate::sources::Declared;

/// Writes and builds a program for each side and number of tools; the folder of the programs.
pub(crate) fn build(folder: &Path, counts: &[usize]) -> Result<PathBuf, Error> {
    let root = root()?;
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
    writeln!(std::io::stderr(), "the first time takes minutes")?;
    cargo(folder, &folder.join("target"), &["build", "--release", "--workspace"])?;
    Ok(folder.join("target/release"))
}
