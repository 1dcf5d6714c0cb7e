//! A server in a process of its own, and the CPU time that it has used.

use std::error::Error;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use clap::ValueEnum;

use crate::Side;

/// A running server; killed when dropped.
#[derive(Debug)]
pub(crate) struct Server {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    child: Child,
}

impl Server {
    /// Starts this program as the server of `side`.
    pub(crate) fn start(side: Side) -> Result<Self, Box<dyn Error>> {
        let name = side.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let mut child = Command::new(std::env::current_exe()?)
            .args(["--serve", &name])
            // The peers log nothing.
            .env("RUST_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .ok_or_else(|| format!("the server `{}` does not say where it listens: {line:?}", side.name()))?;
        Ok(Self { address: address.parse()?, child })
    }

    /// User and system time so far, in the kernel's steps of 10 ms.
    pub(crate) fn cpu(&self) -> Result<Duration, Box<dyn Error>> {
        const STEP: Duration = Duration::from_millis(10);
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}; this needs Linux"))?;
        // The name before `)` may hold blanks; user and system time are the 12th and 13th field behind it.
        let (_, fields) = stat.rsplit_once(')').ok_or("no process name")?;
        let mut times = fields.split_whitespace().skip(11).map(str::parse::<u32>);
        let (user, system) = (times.next().ok_or("no user time")??, times.next().ok_or("no system time")??);
        Ok(STEP * (user + system))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
