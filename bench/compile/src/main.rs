//! What a declaration costs the compiler: the same tools declared with nodecast and with rmcp's `#[tool]`, compiled in
//! turn on one machine. It prints a table and leaves nothing outside the target folder.

mod cargo;
mod figure;
mod sources;

use std::error::Error;
use std::io::Write;
use std::path::PathBuf;

use clap::Parser;

use cargo::Workspace;
use figure::{Figure, Unit, figures};
use sources::Side;

/// Compiles the same tools declared with nodecast and with rmcp's `#[tool]`, and compares what that costs.
#[derive(Debug, Parser)]
struct Options {
    /// Tools to declare on each side, each with three scalar arguments and three scalar results.
    #[arg(long, default_value_t = 100)]
    nodes: usize,
    /// How often each time is taken, in turn; the median is shown.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Also builds both sides with all dependencies from nothing, without and with HTTP servers; takes minutes.
    #[arg(long)]
    cold: bool,
    /// Where to generate and compile.
    #[arg(long, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/bench-compile"))]
    folder: PathBuf,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = Options::parse();
    let workspace = Workspace::create(&options.folder, options.nodes)?;
    let figures = figures(&workspace, options.runs, options.cold)?;

    let mut out = std::io::stdout().lock();
    writeln!(out, "{} tools, median of {}\n", options.nodes, options.runs)?;
    writeln!(out, "| {:42} | {:>10} | {:>10} | {:>5} |", "", Side::Nodecast.name(), Side::Rmcp.name(), "ratio")?;
    writeln!(out, "|{:-<44}|{:->11}:|{:->11}:|{:->6}:|", "", "", "", "")?;
    for Figure { what, unit, nodecast, rmcp } in figures {
        let show = |value: f64| match unit {
            Unit::Seconds => format!("{value:.2} s"),
            Unit::Lines => format!("{value:.0}"),
        };
        let (ours, peers) = (show(nodecast), show(rmcp));
        writeln!(out, "| {what:42} | {ours:>10} | {peers:>10} | {:>5.2} |", nodecast / rmcp)?;
    }
    Ok(())
}
