//! What a call costs the server: `/call` in JSON and msgpack, beside axum handlers written by hand that do the same
//! echo, without and with validation against a schema. Servers are processes of their own, so that their CPU time is
//! theirs alone.

mod counting;
mod ours;
mod peer;
mod requests;

use std::io::Write;
use std::process::{Command, ExitCode};
use std::time::Duration;

use clap::{Parser, ValueEnum};

use bench_harness::{Error, Figure, Load, Server, Turns};
use requests::{Body, Check};

/// Calls ours and the peers in turn, and compares throughput and the server's CPU time.
#[derive(Debug, Parser)]
struct Options {
    /// Connections kept open, each with one call at a time; one table line each.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 8, 64])]
    connections: Vec<usize>,
    /// Seconds of one measurement.
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// Measurements of each side, in turn; the median is shown.
    #[arg(long, default_value_t = 3)]
    rounds: usize,
    /// Be this server instead, and print the address.
    #[arg(long, hide = true)]
    serve: Option<Side>,
}

/// Who answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    /// A node.
    Nodecast,
    /// An axum handler with serde and rmp-serde.
    Plain,
    /// The same, which validates against a JSON Schema first.
    Validating,
}

impl Side {
    const ALL: [Self; 3] = [Self::Nodecast, Self::Plain, Self::Validating];

    fn name(self) -> &'static str {
        match self {
            Self::Nodecast => "nodecast",
            Self::Plain => "plain",
            Self::Validating => "validating",
        }
    }
}

fn main() -> Result<ExitCode, Error> {
    let options = Options::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        match options.serve {
            Some(Side::Nodecast) => Ok(ours::serve().await),
            Some(Side::Plain) => peer::serve(false).await.map(|()| ExitCode::SUCCESS),
            Some(Side::Validating) => peer::serve(true).await.map(|()| ExitCode::SUCCESS),
            None => compare(&options).await.map(|()| ExitCode::SUCCESS),
        }
    })
}

async fn compare(options: &Options) -> Result<(), Error> {
    let servers = Side::ALL.map(start).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut out = std::io::stdout().lock();
    if counting::allocated().is_some() {
        return picture(&mut out, &servers).await;
    }
    for body in [Body::Json, Body::Msgpack] {
        let check = Check::echo(body)?;
        for server in &servers {
            check.run(server.address).await?;
        }
        writeln!(out, "\n/call, {}: calls a second, and the server's CPU time a call\n", body.name())?;
        writeln!(
            out,
            "| {:>11} | {:>22} | {:>22} | {:>22} | {:>16} |",
            "connections", "nodecast", "plain", "validating", "CPU to validating"
        )?;
        writeln!(out, "|{:->12}:|{:->23}:|{:->23}:|{:->23}:|{:->17}:|", "", "", "", "", "")?;
        for connections in &options.connections {
            let load = Load { connections: *connections, duration: Duration::from_secs_f64(options.seconds) };
            let mut turns = Turns::new(servers.len());
            for _ in 0..options.rounds.max(1) {
                for (side, server) in servers.iter().enumerate() {
                    turns.note(side, load.measure(server, &check.request).await?);
                }
            }
            let medians = turns.medians();
            let shown: Vec<String> = medians.iter().map(show).collect();
            let ratio = match medians.as_slice() {
                [ours, _, validating] => ours.cpu_us / validating.cpu_us,
                _ => f64::NAN,
            };
            writeln!(out, "| {connections:>11} | {} | {ratio:>16.2} |", shown.join(" | "))?;
        }
    }
    writeln!(out, "\nwith --features allocations: what a large picture costs in memory")?;
    Ok(())
}

fn show(figure: &Figure) -> String {
    format!("{:>10.0}/s {:>7.1} µs", figure.per_second, figure.cpu_us)
}

/// Starts this program as the server of `side`.
fn start(side: Side) -> Result<Server, Error> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["--serve", side.name()]);
    Server::start(command)
}

/// What a large picture costs in memory: every copy of it shows as another body's worth of allocated bytes.
async fn picture(out: &mut impl Write, servers: &[Server]) -> Result<(), Error> {
    const CALLS: u32 = 20;
    let Some(ours) = servers.first() else { return Ok(()) };
    let check = Check::picture()?;
    check.run(ours.address).await?;
    let before = requests::allocated(ours.address).await?;
    for _ in 0..CALLS {
        check.run(ours.address).await?;
    }
    let allocated = (requests::allocated(ours.address).await? - before) / f64::from(CALLS);
    #[allow(clippy::cast_precision_loss, reason = "a few megabytes")]
    let body = check.request.body.len() as f64;
    writeln!(
        out,
        "\na picture of {:.2} MB there and back in msgpack: {:.2} MB allocated a call, {:.2} of the picture\n\
         (one is the body as read, one the reply as written)",
        body / 1e6,
        allocated / 1e6,
        allocated / body
    )?;
    Ok(())
}
