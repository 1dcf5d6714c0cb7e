//! What an MCP request costs the server: `tools/call` and `tools/list` of nodes, beside the same tools written by hand
//! with rmcp (`#[tool]`, and a stored table) and beside axum without MCP, in both protocol eras, over HTTP and stdio.
//! Servers are processes of their own, so that their CPU time is theirs alone.

mod peers;
mod requests;
mod sources;
mod stdio;
mod workspace;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use bench_harness::{Error, Figure, Load, Server, Turns};
use clap::{Parser, ValueEnum};

use peers::Peer;
use requests::{Ask, Era};
use sources::Declared;

/// Asks ours and the peers in turn, and compares the server's CPU time.
#[derive(Debug, Parser)]
struct Options {
    /// Tools of a server; a table each.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 100, 1000])]
    tools: Vec<usize>,
    /// Connections kept open, each with one request at a time; one table line each.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64])]
    connections: Vec<usize>,
    /// Protocols.
    #[arg(long, value_delimiter = ',', default_values = ["older", "newer"])]
    eras: Vec<Era>,
    /// Seconds of one measurement.
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Measurements of each side, in turn; the median is shown.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Be this server instead, with as many tools as the first of `--tools`.
    #[arg(long, hide = true)]
    serve: Option<Peer>,
    /// Serve on standard input and output.
    #[arg(long, hide = true, requires = "serve")]
    stdio: bool,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Nodes; without the direct lane, rmcp answers them.
    Nodecast { direct_lane: bool },
    /// rmcp's `#[tool]`s.
    Macro,
    /// What needs no declaration.
    Peer(Peer),
}

impl Side {
    /// Who is compared: ours first, then the one that it is measured against.
    const fn of(ask: Ask) -> [Self; 5] {
        let bare = match ask {
            Ask::Call => Peer::Echo,
            Ask::List => Peer::Bytes,
        };
        let ours = Self::Nodecast { direct_lane: true };
        [ours, Self::Peer(bare), Self::Peer(Peer::Stored), Self::Macro, Self::Nodecast { direct_lane: false }]
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Nodecast { direct_lane: true } => "nodecast",
            Self::Nodecast { direct_lane: false } => "without the lane",
            Self::Macro => "rmcp #[tool]",
            Self::Peer(Peer::Stored) => "rmcp stored table",
            Self::Peer(Peer::Echo) => "axum echo",
            Self::Peer(Peer::Bytes) => "axum bytes",
        }
    }

    /// The program that serves so many tools.
    fn program(self, programs: &Path, tools: usize) -> Result<Command, Error> {
        Ok(match self {
            Self::Nodecast { direct_lane } => {
                let mut command = Command::new(programs.join(Declared::Nodecast.package(tools)));
                if !direct_lane {
                    command.arg("--no-direct-lane");
                }
                command
            }
            Self::Macro => Command::new(programs.join(Declared::Rmcp.package(tools))),
            Self::Peer(peer) => {
                let mut command = Command::new(std::env::current_exe()?);
                let name = peer.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
                command.args(["--serve", &name, "--tools", &tools.to_string()]);
                command
            }
        })
    }

    fn start(self, programs: &Path, tools: usize) -> Result<Server, Error> {
        let mut command = self.program(programs, tools)?;
        if matches!(self, Self::Nodecast { .. }) {
            command.args(["--port", "0"]);
        }
        Server::start(command)
    }
}

fn main() -> Result<(), Error> {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let tools = options.tools.first().copied().unwrap_or(1);
    match options.serve {
        Some(peer) => runtime.block_on(peers::serve(peer, tools, options.stdio)),
        None => runtime.block_on(compare(&options)),
    }
}

async fn compare(options: &Options) -> Result<(), Error> {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bench-mcp");
    std::fs::create_dir_all(&folder)?;
    let programs = workspace::build(&folder.canonicalize()?, &options.tools)?;
    let mut out = std::io::stdout();
    for tools in &options.tools {
        for ask in [Ask::Call, Ask::List] {
            let sides = Side::of(ask);
            let servers = sides.iter().map(|side| side.start(&programs, *tools)).collect::<Result<Vec<_>, _>>()?;
            for era in &options.eras {
                table(&mut out, options, *era, ask, *tools, &sides, &servers).await?;
            }
        }
    }
    for era in &options.eras {
        stdio::table(&mut out, *era, &programs, options.rounds)?;
    }
    Ok(())
}

async fn table(
    out: &mut impl Write,
    options: &Options,
    era: Era,
    ask: Ask,
    tools: usize,
    sides: &[Side],
    servers: &[Server],
) -> Result<(), Error> {
    let request = ask.request(era, tools);
    for (side, server) in sides.iter().zip(servers) {
        // Those without MCP answer with as much, not with the same.
        let answer = request.send_once(server.address).await?;
        ask.check(&answer, tools).map_err(|error| format!("{}: {error}", side.name()))?;
    }
    writeln!(
        out,
        "\n{} of {tools} tools, {}: the server's CPU time a request, and its ratio to ours\n",
        ask.method(),
        era.version()
    )?;
    let names: Vec<String> = sides.iter().map(|side| format!("{:>24}", side.name())).collect();
    writeln!(out, "| {:>11} | {} | {:>18} |", "connections", names.join(" | "), "p99 ours / bare")?;
    writeln!(out, "|{:->12}:|{}{:->19}:|", "", format!("{:->25}:|", "").repeat(sides.len()), "")?;
    for connections in &options.connections {
        let load = Load { connections: *connections, duration: Duration::from_secs_f64(options.seconds) };
        let mut turns = Turns::new(servers.len());
        for _ in 0..options.rounds.max(1) {
            for (side, server) in servers.iter().enumerate() {
                turns.note(side, load.measure(server, &request).await?);
            }
        }
        let medians = turns.medians();
        let [ours, bare, ..] = medians.as_slice() else { return Err("a side was not measured".into()) };
        let shown: Vec<String> = medians.iter().map(|figure| show(figure, ours)).collect();
        let p99 = format!("{:.0} / {:.0} µs", ours.p99_us, bare.p99_us);
        writeln!(out, "| {connections:>11} | {} | {p99:>18} |", shown.join(" | "))?;
    }
    Ok(())
}

fn show(figure: &Figure, ours: &Figure) -> String {
    format!("{:>11.1} µs {:>10.2}", figure.cpu_us, ours.cpu_us / figure.cpu_us)
}
