//! Standard output, kept for the messages of a protocol.
//!
//! A `println!` of a node, or what a process prints that it starts, would stand between two messages and end the
//! conversation; it goes to standard error.

use std::fs::File;
use std::io::{self, Write as _};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;
use tokio::task::{JoinHandle, spawn_blocking};

/// What standard output was.
#[derive(Debug)]
pub(super) struct Protocol {
    file: Arc<File>,
    writing: Option<JoinHandle<io::Result<()>>>,
}

impl Protocol {
    /// Takes standard output; from here on, what else is printed goes to standard error.
    #[cfg(unix)]
    pub(super) fn claim() -> io::Result<Self> {
        use std::os::fd::AsFd as _;

        // What was printed before stands before.
        io::stdout().flush()?;
        let file = io::stdout().as_fd().try_clone_to_owned()?.into();
        rustix::stdio::dup2_stdout(io::stderr())?;
        Ok(Self::of(file))
    }

    /// Takes standard output. There is no safe way to give what else is printed another place.
    #[cfg(windows)]
    pub(super) fn claim() -> io::Result<Self> {
        use std::os::windows::io::AsHandle as _;

        Ok(Self::of(io::stdout().as_handle().try_clone_to_owned()?.into()))
    }

    fn of(file: File) -> Self {
        Self { file: Arc::new(file), writing: None }
    }
}

impl AsyncWrite for Protocol {
    /// Takes all of it or nothing, so that whoever is dropped while it waits leaves no half of a message; a thread that may
    /// wait writes it, since a pipe is as slow as its reader.
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        ready!(self.as_mut().poll_flush(cx))?;
        let (file, taken) = (self.file.clone(), bytes.to_vec());
        self.writing = Some(spawn_blocking(move || (&*file).write_all(&taken)));
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if let Some(writing) = &mut self.writing {
            let written = ready!(Pin::new(writing).poll(cx));
            self.writing = None;
            written??;
        }
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
