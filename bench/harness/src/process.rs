//! A server in a process of its own, and the CPU time that it has used.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::Error;

/// A running server; killed when dropped.
#[derive(Debug)]
pub struct Server {
    /// Where it listens.
    pub address: SocketAddr,
    child: Child,
}

impl Server {
    /// Starts a program that prints `listening on http://ADDRESS` when it listens.
    pub fn start(mut command: Command) -> Result<Self, Error> {
        // The peers log nothing.
        let mut child = command.env("RUST_LOG", "error").stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(stdout) = child.stdout.take() {
            BufReader::new(stdout).read_line(&mut line)?;
        }
        let address = line
            .trim()
            .strip_prefix("listening on http://")
            .ok_or_else(|| format!("{command:?} does not say where it listens: {line:?}"))?;
        Ok(Self { address: address.parse()?, child })
    }

    /// User and system time so far, in the kernel's steps of 10 ms.
    pub fn cpu(&self) -> Result<Duration, Error> {
        cpu(self.child.id())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn cpu(process: u32) -> Result<Duration, Error> {
    const STEP: Duration = Duration::from_millis(10);
    let path = format!("/proc/{process}/stat");
    let stat = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}; this needs Linux"))?;
    // The name before `)` may hold blanks; user and system time are the 12th and 13th field behind it.
    let (_, fields) = stat.rsplit_once(')').ok_or("no process name")?;
    let mut times = fields.split_whitespace().skip(11).map(str::parse::<u32>);
    let (user, system) = (times.next().ok_or("no user time")??, times.next().ok_or("no system time")??);
    Ok(STEP * (user + system))
}
