//! What the benchmarks of servers share: programs that are built for them; servers in processes of their own, so that
//! their CPU time is theirs alone; load on connections that stay open; and figures of it. It knows nothing of what is asked.

mod build;
mod figure;
mod load;
mod pipe;
mod process;
mod request;

/// What went wrong, as text for whoever runs the benchmark.
pub type Error = Box<dyn std::error::Error + Send + Sync>;

pub use build::{cargo, root, write};
pub use figure::{Figure, Turns};
pub use load::Load;
pub use pipe::Pipe;
pub use process::Server;
pub use request::{Connection, Request, connect};
