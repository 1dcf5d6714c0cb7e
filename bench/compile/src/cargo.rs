//! The generated workspace, and cargo run in it.

use std::error::Error;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::sources::{Package, Reach, Side, Tools};

/// The generated workspace; one target folder, so that both sides share what they have in common.
#[derive(Debug)]
pub(crate) struct Workspace {
    folder: PathBuf,
}

impl Workspace {
    /// Writes the packages of both sides below `folder`.
    pub(crate) fn create(folder: &Path, tools: &[Tools]) -> Result<Self, Box<dyn Error>> {
        std::fs::create_dir_all(folder)?;
        let workspace = Self { folder: folder.canonicalize()? };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        let nodecast = root.join("runtime/nodecast").display().to_string();
        let mut members = Vec::new();
        for side in Side::ALL {
            for (reach, tools) in [Reach::Library, Reach::Server]
                .into_iter()
                .flat_map(|reach| tools.iter().map(move |tools| (reach, *tools)))
            {
                let package = Package { side, tools, reach };
                workspace.write(&format!("{}/Cargo.toml", package.name()), &package.manifest(&nodecast))?;
                workspace.edit(package, 0)?;
                members.push(package.name());
            }
        }
        workspace.write("Cargo.toml", &format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"))?;
        // The versions that the project is tested with.
        std::fs::copy(root.join("Cargo.lock"), workspace.folder.join("Cargo.lock"))?;
        Ok(workspace)
    }

    /// Writes the source of a package anew; another `edit` is another body of the first tool.
    pub(crate) fn edit(&self, package: Package, edit: usize) -> Result<(), Box<dyn Error>> {
        self.write(&format!("{}/src/lib.rs", package.name()), &package.source(edit))
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Box<dyn Error>> {
        let path = self.folder.join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        Ok(std::fs::write(path, text)?)
    }

    /// Seconds that cargo takes with these arguments.
    pub(crate) fn time<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Result<f64, Box<dyn Error>> {
        let start = Instant::now();
        self.run("target", arguments)?;
        Ok(start.elapsed().as_secs_f64())
    }

    /// Seconds for the package and all its dependencies, from nothing.
    pub(crate) fn time_cold(&self, package: Package) -> Result<f64, Box<dyn Error>> {
        self.run("target", &["fetch"])?;
        let start = Instant::now();
        self.run("target-cold", &["build", "-p", &package.name()])?;
        let seconds = start.elapsed().as_secs_f64();
        std::fs::remove_dir_all(self.folder.join("target-cold"))?;
        Ok(seconds)
    }

    /// Lines of the package as rustc sees it after all macros.
    pub(crate) fn expanded_lines(&self, package: Package) -> Result<usize, Box<dyn Error>> {
        Ok(lines(&self.run("target", &["rustc", "-p", &package.name(), "--", "-Zunpretty=expanded"])?))
    }

    /// Lines of LLVM IR that the package is translated to.
    pub(crate) fn ir_lines(&self, package: Package) -> Result<usize, Box<dyn Error>> {
        let package = package.name();
        let file = self.folder.join(format!("{package}.ll"));
        let emit = format!("--emit=llvm-ir={}", file.display());
        self.run("target", &["rustc", "-p", &package, "--", &emit, "-Ccodegen-units=1", "-Cdebuginfo=0"])?;
        Ok(lines(&std::fs::read(file)?))
    }

    /// What cargo prints; each command is named on standard error, and what it reports on the way only if it fails.
    fn run<S: AsRef<OsStr>>(&self, target: &str, arguments: &[S]) -> Result<Vec<u8>, Box<dyn Error>> {
        let shown: Vec<_> = arguments.iter().map(|argument| argument.as_ref().to_string_lossy()).collect();
        let shown = shown.join(" ");
        writeln!(std::io::stderr(), "cargo {shown}")?;
        let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join(target))
            // For `-Zunpretty`; always set, so that nothing is compiled twice because of it.
            .env("RUSTC_BOOTSTRAP", "1")
            .env_remove("RUSTFLAGS")
            // A rebuild is measured as people have it, whatever the caller's own builds do.
            .env_remove("CARGO_INCREMENTAL")
            .stdin(Stdio::null())
            .output()?;
        if output.status.success() {
            return Ok(output.stdout);
        }
        Err(format!("cargo {shown}: {}", String::from_utf8_lossy(&output.stderr)).into())
    }
}

fn lines(text: &[u8]) -> usize {
    text.split(|byte| *byte == b'\n').count()
}
