//! What a live application costs (`live.md` 13): a write with and without the log, a publication, shapes of graphs beside
//! two other crates, an explanation, a reload, a call from a shell, and the bytes of a diagnosis.

mod programs;
mod shell;

use std::io::Write;
use std::path::PathBuf;

use bench_harness::{Error, root};
use clap::Parser;

use programs::{BARE, CROWD, HOST, SHAPES, TRACED, UNTRACED};

/// Builds the programs and measures them.
#[derive(Debug, Parser)]
struct Options {
    /// Only what needs no release build of the command line and the fixtures.
    #[arg(long)]
    graph: bool,
}

fn main() -> Result<(), Error> {
    let options = Options::parse();
    let folder = root()?.join("target/bench-live");
    let mut out = std::io::stdout();
    writeln!(out, "a write: ns, allocations, bytes")?;
    for program in [BARE, UNTRACED, TRACED] {
        for cells in programs::lines(&program.build(&folder)?)? {
            writeln!(out, "  {}, {}", program.name, cells.join("  "))?;
        }
    }
    writeln!(out, "a node that moves: ns")?;
    for cells in programs::lines(&SHAPES.build(&folder)?)? {
        writeln!(out, "  {}", cells.join("  "))?;
    }
    writeln!(out, "a hosted graph")?;
    for cells in programs::lines(&HOST.build(&folder)?)? {
        writeln!(out, "  {}", cells.join("  "))?;
    }
    let crowd: PathBuf = CROWD.build(&folder)?;
    let (explained, events) = shell::explanation(&crowd)?;
    writeln!(out, "explain in 2,000 nodes, {events} events, over stdio: {:.2} ms", explained.as_secs_f64() * 1e3)?;
    if options.graph {
        return Ok(());
    }
    let tools = shell::Tools::build(&folder)?;
    writeln!(out, "one call from a shell, p50 of 50: {:.0} ms", tools.one_call()?.as_secs_f64() * 1e3)?;
    let reload = tools.reload(&folder)?;
    writeln!(out, "a reload after 0.5 s of stability: {:.0} ms", reload.as_secs_f64() * 1e3)?;
    writeln!(out, "a diagnosis of two faults: requests, bytes")?;
    for (how, requests, bytes) in tools.diagnosis()? {
        writeln!(out, "  {how}: {requests}, {bytes}")?;
    }
    Ok(())
}
