//! A server that is talked to in lines on its standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use crate::Error;
use crate::process::cpu;

/// A running server; killed when dropped.
#[derive(Debug)]
pub struct Pipe {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Pipe {
    /// Starts a program that answers each line with a line.
    pub fn start(mut command: Command) -> Result<Self, Error> {
        let mut child = command.env("RUST_LOG", "error").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("no standard input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no standard output")?);
        Ok(Self { child, input, output })
    }

    /// Sends a line that is not answered.
    pub fn send(&mut self, line: &str) -> Result<(), Error> {
        Ok(self.input.write_all(format!("{line}\n").as_bytes())?)
    }

    /// Sends a line and waits for the answer.
    pub fn exchange(&mut self, line: &str) -> Result<String, Error> {
        self.send(line)?;
        let mut answer = String::new();
        if self.output.read_line(&mut answer)? == 0 {
            return Err("the server has ended".into());
        }
        Ok(answer)
    }

    /// User and system time so far, in the kernel's steps of 10 ms.
    pub fn cpu(&self) -> Result<Duration, Error> {
        cpu(self.child.id())
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
