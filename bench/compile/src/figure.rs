//! The figures of the table.

use std::error::Error;

use crate::cargo::Workspace;
use crate::sources::{Package, Reach, Side, Tools};

/// One line of the table.
#[derive(Debug)]
pub(crate) struct Figure {
    /// What was measured.
    pub(crate) what: &'static str,
    /// In which unit.
    pub(crate) unit: Unit,
    /// Ours.
    pub(crate) nodecast: f64,
    /// The peer's.
    pub(crate) rmcp: f64,
}

/// The unit of a figure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unit {
    /// Seconds.
    Seconds,
    /// Lines of text.
    Lines,
}

/// What the tools cost on both sides, the dependencies compiled already.
pub(crate) fn figures(workspace: &Workspace, tools: Tools, runs: usize) -> Result<Vec<Figure>, Box<dyn Error>> {
    let package = |side| Package { side, tools, reach: Reach::Library };
    for side in Side::ALL {
        for command in ["check", "build"] {
            workspace.time(&[command, "-p", &package(side).name()])?;
        }
    }
    let alone = |command: &str| {
        median(runs, |_, side| {
            let package = package(side).name();
            workspace.time(&["clean", "-p", &package])?;
            workspace.time(&[command, "-p", &package])
        })
    };
    let after_edit = |command: &str| {
        median(runs, |run, side| {
            workspace.edit(package(side), run + 1)?;
            workspace.time(&[command, "-p", &package(side).name()])
        })
    };
    Ok(vec![
        lines("lines after macros", |side| workspace.expanded_lines(package(side)))?,
        lines("lines of LLVM IR", |side| workspace.ir_lines(package(side)))?,
        seconds("cargo check, dependencies done", alone("check")?),
        seconds("cargo build, dependencies done", alone("build")?),
        seconds("cargo check after one edit", after_edit("check")?),
        seconds("cargo build after one edit", after_edit("build")?),
    ])
}

/// What the tools cost with all dependencies from nothing, without and with HTTP servers.
pub(crate) fn cold(workspace: &Workspace, tools: Tools) -> Result<Vec<Figure>, Box<dyn Error>> {
    [("cargo build from nothing", Reach::Library), ("cargo build from nothing, with servers", Reach::Server)]
        .into_iter()
        .map(|(what, reach)| {
            Ok(seconds(what, median(1, |_, side| workspace.time_cold(Package { side, tools, reach }))?))
        })
        .collect()
}

fn lines(what: &'static str, count: impl Fn(Side) -> Result<usize, Box<dyn Error>>) -> Result<Figure, Box<dyn Error>> {
    let count = |side| Ok::<_, Box<dyn Error>>(f64::from(u32::try_from(count(side)?)?));
    Ok(Figure { what, unit: Unit::Lines, nodecast: count(Side::Nodecast)?, rmcp: count(Side::Rmcp)? })
}

fn seconds(what: &'static str, (nodecast, rmcp): (f64, f64)) -> Figure {
    Figure { what, unit: Unit::Seconds, nodecast, rmcp }
}

/// The medians of both sides, measured in turn so that a busy moment of the machine meets both.
fn median(
    runs: usize,
    measure: impl Fn(usize, Side) -> Result<f64, Box<dyn Error>>,
) -> Result<(f64, f64), Box<dyn Error>> {
    let (mut nodecast, mut rmcp) = (Vec::new(), Vec::new());
    for run in 0..runs.max(1) {
        nodecast.push(measure(run, Side::Nodecast)?);
        rmcp.push(measure(run, Side::Rmcp)?);
    }
    Ok((middle(nodecast), middle(rmcp)))
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::middle;

    #[test]
    fn one_slow_run_does_not_count() {
        assert!((middle(vec![1.5, 90.0, 1.4]) - 1.5).abs() < f64::EPSILON);
    }
}
