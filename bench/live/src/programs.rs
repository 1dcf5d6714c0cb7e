//! The programs that are measured: a folder each below the target folder, built once, with versions of the project's lock
//! file where it has them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bench_harness::{Error, cargo, root, write};

/// A program, and what it is built with.
pub(crate) struct Program {
    /// Its name.
    pub(crate) name: &'static str,
    source: &'static str,
    /// The features of `nodecast-live`.
    features: &'static [&'static str],
    /// What it needs besides.
    others: &'static str,
    /// Whether it holds the graph itself, with all calls of the log taken out, in place of the crate.
    bare: bool,
}

const STATS: &str = "stats_alloc = \"0.1\"\n";
const TOKIO: &str = "tokio = { version = \"1\", features = [\"rt-multi-thread\", \"macros\", \"time\"] }\n";
const PEERS: &str =
    "sycamore-reactive = \"=0.9.4\"\nreactive_graph = { version = \"=0.2.16\", features = [\"effects\"] }\n";

/// Without the log.
pub(crate) const UNTRACED: Program = Program {
    name: "untraced",
    source: include_str!("../programs/costs.rs"),
    features: &[],
    others: STATS,
    bare: false,
};
/// A graph that never knew of a log.
pub(crate) const BARE: Program = Program { name: "bare", bare: true, ..UNTRACED };
/// With it.
pub(crate) const TRACED: Program = Program { name: "traced", features: &["trace"], ..UNTRACED };
/// Three graphs in one process.
pub(crate) const SHAPES: Program = Program {
    name: "shapes",
    source: include_str!("../programs/shapes.rs"),
    features: &[],
    others: PEERS,
    bare: false,
};
/// A hosted graph.
pub(crate) const HOST: Program =
    Program { name: "host", source: include_str!("../programs/host.rs"), features: &[], others: TOKIO, bare: false };
/// A large graph, served.
pub(crate) const CROWD: Program = Program {
    name: "crowd",
    source: include_str!("../programs/crowd.rs"),
    features: &["serve", "trace"],
    others: TOKIO,
    bare: false,
};

impl Program {
    /// Builds it; gives the path of the binary.
    pub(crate) fn build(&self, folder: &Path) -> Result<PathBuf, Error> {
        let own = folder.join(self.name);
        let runtime = root()?.join("runtime").display().to_string();
        let crates = format!(
            "nodecast = {{ path = \"{runtime}/nodecast\" }}\n\
             nodecast-live = {{ path = \"{runtime}/live\", default-features = false, features = {:?} }}\n",
            self.features
        );
        let manifest = format!(
            "[package]\nname = \"{}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n{}{}",
            self.name,
            if self.bare { "" } else { crates.as_str() },
            self.others
        );
        write(&own.join("Cargo.toml"), &manifest)?;
        if self.bare {
            bare(&root()?.join("runtime/live/src"), &own.join("src"), self.source)?;
        } else {
            write(&own.join("src/main.rs"), self.source)?;
        }
        if !own.join("Cargo.lock").exists() {
            std::fs::copy(root()?.join("Cargo.lock"), own.join("Cargo.lock"))?;
        }
        cargo(&own, &folder.join("target"), &["build", "--release"])?;
        Ok(folder.join("target/release").join(self.name))
    }
}

/// The program with the sources of the graph as its own modules, without the calls of the log.
fn bare(live: &Path, own: &Path, source: &str) -> Result<(), Error> {
    const IMPORT: &str = "use nodecast_live::{Graph, memo, signal};";
    if !source.contains(IMPORT) {
        return Err("the program imports the graph in another way than it is taken apart here".into());
    }
    let main = source.replace(IMPORT, "use graph::{Graph, memo, signal};") + "\nmod graph;\nmod hook;\n";
    write(&own.join("main.rs"), &main)?;
    write(&own.join("hook.rs"), &std::fs::read_to_string(live.join("hook/off.rs"))?)?;
    for file in std::fs::read_dir(live.join("graph"))? {
        let file = file?;
        let text = std::fs::read_to_string(file.path())?;
        let lines: Vec<&str> = text.lines().filter_map(without_log).collect();
        write(&own.join("graph").join(file.file_name()), &lines.join("\n"))?;
    }
    Ok(())
}

/// A line of the graph where nobody tells a log; none where that is all it does.
fn without_log(line: &str) -> Option<&str> {
    let tells = line.contains(".hook.") || line.contains(".hook().");
    match line.trim_start() {
        statement if tells && statement.starts_with("return ") => Some("            return;"),
        statement if tells && statement.ends_with(");") => None,
        _ => Some(line),
    }
}

/// The lines that a program prints, each in its cells.
pub(crate) fn lines(program: &Path) -> Result<Vec<Vec<String>>, Error> {
    let output = Command::new(program).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{} ended with {}", program.display(), output.status).into());
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
}
