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
use figure::{Figure, Unit};
use sources::{Shape, Side, Tools};

/// Compiles the same tools declared with nodecast and with rmcp's `#[tool]`, and compares what that costs.
#[derive(Debug, Parser)]
struct Options {
    /// How many tools to declare on each side; one table each.
    #[arg(long, value_delimiter = ',', default_values_t = [100, 1000])]
    nodes: Vec<usize>,
    /// What each takes; one table each.
    #[arg(long, value_delimiter = ',', default_values_t = [Shape::Scalars, Shape::Nested], value_enum)]
    shapes: Vec<Shape>,
    /// How often each time of up to 100 tools is taken, in turn; the median is shown. More tools are measured once.
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
    let cases: Vec<Tools> = options
        .nodes
        .iter()
        .flat_map(|count| options.shapes.iter().map(|shape| Tools { shape: *shape, count: *count }))
        .collect();
    let workspace = Workspace::create(&options.folder, &cases)?;
    for tools in &cases {
        let runs = if tools.count > 100 { 1 } else { options.runs };
        let figures = figure::figures(&workspace, *tools, runs)?;
        print(&format!("{} tools, {}, median of {runs}", tools.count, tools.shape.name()), &figures)?;
    }
    if let (true, Some(tools)) = (options.cold, cases.first()) {
        let figures = figure::cold(&workspace, *tools)?;
        print(&format!("{} tools, {}, from nothing", tools.count, tools.shape.name()), &figures)?;
    }
    Ok(())
}

fn print(title: &str, figures: &[Figure]) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "\n{title}\n")?;
    writeln!(out, "| {:42} | {:>10} | {:>10} | {:>5} |", "", Side::Nodecast.name(), Side::Rmcp.name(), "ratio")?;
    writeln!(out, "|{:-<44}|{:->11}:|{:->11}:|{:->6}:|", "", "", "", "")?;
    for Figure { what, unit, nodecast, rmcp } in figures {
        let show = |value: f64| match unit {
            Unit::Seconds => format!("{value:.2} s"),
            Unit::Lines => format!("{value:.0}"),
        };
        let (ours, peers) = (show(*nodecast), show(*rmcp));
        writeln!(out, "| {what:42} | {ours:>10} | {peers:>10} | {:>5.2} |", nodecast / rmcp)?;
    }
    Ok(())
}
