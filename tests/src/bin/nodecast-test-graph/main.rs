//! The host that the tests of the framework's face start: what interoperability runs call, and a robot that remembers,
//! borrows, has a panel and fails in every way, and a vault that one client at a time has.

mod robot;
mod vault;

use std::process::ExitCode;

use interop as _;

fn main() -> ExitCode {
    nodecast::serve_linked()
}
