//! Calls over standard input and output, one after the other.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use bench_harness::{Error, Figure, Pipe, Turns};
use serde_json::json;

use crate::Side;
use crate::peers::Peer;
use crate::requests::{Ask, Era};

const CALLS: usize = 5_000;
const TOOLS: usize = 100;

/// The table of one era.
pub(crate) fn table(out: &mut impl Write, era: Era, programs: &Path, rounds: usize) -> Result<(), Error> {
    let sides = [Side::Nodecast { direct_lane: true }, Side::Peer(Peer::Stored), Side::Macro];
    let mut pipes = Vec::new();
    for side in sides {
        let mut command = side.program(programs, TOOLS)?;
        command.arg("--stdio");
        let mut pipe = Pipe::start(command)?;
        if era == Era::Older {
            handshake(&mut pipe, era)?;
        }
        Ask::Call.check(pipe.exchange(&line(Ask::Call, era))?.as_bytes(), TOOLS)?;
        pipes.push(pipe);
    }
    let line = line(Ask::Call, era);
    let mut turns = Turns::new(sides.len());
    for _ in 0..rounds.max(1) {
        for (side, pipe) in pipes.iter_mut().enumerate() {
            turns.note(side, measure(pipe, &line)?);
        }
    }
    let medians = turns.medians();
    let [ours, ..] = medians.as_slice() else { return Err("a side was not measured".into()) };
    writeln!(
        out,
        "\ntools/call of {TOOLS} tools over stdio, {}: the server's CPU time a call, and ours to it\n",
        era.version()
    )?;
    for (side, figure) in sides.iter().zip(&medians) {
        writeln!(out, "{:>20} {:>8.1} µs {:>6.2}", side.name(), figure.cpu_us, ours.cpu_us / figure.cpu_us)?;
    }
    Ok(())
}

fn measure(pipe: &mut Pipe, line: &str) -> Result<Figure, Error> {
    let (before, start) = (pipe.cpu()?, Instant::now());
    let mut latencies = Vec::with_capacity(CALLS);
    for _ in 0..CALLS {
        let sent = Instant::now();
        pipe.exchange(line)?;
        latencies.push(sent.elapsed());
    }
    let duration: Duration = start.elapsed();
    Figure::of(latencies, duration, pipe.cpu()?.saturating_sub(before))
}

fn line(ask: Ask, era: Era) -> String {
    ask.message(era, TOOLS).to_string()
}

fn handshake(pipe: &mut Pipe, era: Era) -> Result<(), Error> {
    let params = json!({
        "protocolVersion": era.version(), "capabilities": {}, "clientInfo": { "name": "bench-mcp", "version": "1" },
    });
    pipe.exchange(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }).to_string())?;
    pipe.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }).to_string())
}
