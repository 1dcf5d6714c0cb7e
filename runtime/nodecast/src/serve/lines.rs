//! Standard error as the log writes to it: whoever does not read it stops nobody.
//!
//! A pipe takes 64 KiB on most systems and then makes its writer wait. A client that starts a host and never reads what
//! it logs would so end the service after some hundred calls. Lines that find no room are counted instead, and the log
//! says how many there were as soon as it is read again.

use std::io::{self, Write};

use super::options::LogFormat;

/// What a pipe that is ready takes without a wait: `PIPE_BUF`, which is at least 512 by POSIX, and a page on Linux.
const AT_ONCE: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };

/// The lines of a log, each in one `write`.
#[derive(Debug)]
pub(super) struct Lines<W = io::Stderr> {
    to: W,
    format: LogFormat,
    /// How many lines found no room since the last one that did.
    lost: u64,
    /// Whether the last one found room for its beginning only.
    cut: bool,
}

/// A place to write to that can say whether it would wait.
pub(super) trait Room: Write {
    /// Whether it takes [`AT_ONCE`] bytes now.
    fn has_room(&self) -> bool;
}

impl Room for io::Stderr {
    #[cfg(unix)]
    fn has_room(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};

        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        // An end that is closed is ready as well: the error is the writer's.
        !matches!(poll(&mut [PollFd::new(self, PollFlags::OUT)], Some(&now)), Ok(0))
    }

    /// Pipes of Windows cannot be asked.
    #[cfg(windows)]
    fn has_room(&self) -> bool {
        true
    }
}

impl Lines {
    pub(super) fn of_stderr(format: LogFormat) -> Self {
        Self::new(io::stderr(), format)
    }
}

impl<W: Room> Lines<W> {
    fn new(to: W, format: LogFormat) -> Self {
        Self { to, format, lost: 0, cut: false }
    }

    /// Says how many lines there are not.
    fn tell(&mut self) -> io::Result<()> {
        let lost = std::mem::take(&mut self.lost);
        let end = if std::mem::take(&mut self.cut) { "\n" } else { "" };
        let line = match self.format {
            LogFormat::Text => format!("{end} WARN nodecast: nobody read the log: {lost} of its lines are lost\n"),
            LogFormat::Json => format!(
                "{end}{{\"level\":\"WARN\",\"fields\":{{\"message\":\"nobody read the log\",\"lost\":{lost}}},\"target\":\"nodecast\"}}\n"
            ),
        };
        self.to.write_all(line.as_bytes())
    }
}

impl<W: Room> Write for Lines<W> {
    /// Takes the whole line, whether or not there is room for it.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.lost > 0 && self.to.has_room() {
            self.tell()?;
        }
        for (begun, part) in line.chunks(AT_ONCE).enumerate() {
            if self.lost > 0 || !self.to.has_room() {
                self.lost += 1;
                self.cut |= begun > 0;
                break;
            }
            self.to.write_all(part)?;
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pipe of so many bytes.
    struct Pipe(usize, Vec<u8>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).expect("room, or its writer waits for ever");
            self.1.extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Room for Pipe {
        fn has_room(&self) -> bool {
            self.0 >= AT_ONCE
        }
    }

    #[test]
    fn lines_without_room_are_counted_and_told_of() {
        let mut lines = Lines::new(Pipe(AT_ONCE + 3, Vec::new()), LogFormat::Text);
        for line in ["one\n", "two\n", "three\n"] {
            lines.write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(lines.to.1, b"one\n");
        lines.to.0 = 2 * AT_ONCE;
        lines.write_all(b"four\n").unwrap();
        let said = String::from_utf8(lines.to.1).unwrap();
        assert_eq!(said, "one\n WARN nodecast: nobody read the log: 2 of its lines are lost\nfour\n");
    }

    #[test]
    fn a_line_that_is_cut_ends_before_the_next_begins() {
        let mut lines = Lines::new(Pipe(AT_ONCE + 3, Vec::new()), LogFormat::Json);
        let long = vec![b'x'; AT_ONCE + 10];
        lines.write_all(&long).unwrap();
        lines.to.0 = 2 * AT_ONCE;
        lines.write_all(b"{}\n").unwrap();
        let said = String::from_utf8(lines.to.1).unwrap();
        let after = said.trim_start_matches('x');
        assert_eq!(said.len() - after.len(), AT_ONCE);
        assert_eq!(
            after,
            "\n{\"level\":\"WARN\",\"fields\":{\"message\":\"nobody read the log\",\"lost\":1},\"target\":\"nodecast\"}\n{}\n"
        );
    }
}
