//! The host that the tests of the framework's face start: what interoperability runs call, and a robot that remembers,
//! borrows, has a panel and fails in every way.

mod robot;

use std::process::ExitCode;

use interop as _;

fn main() -> ExitCode {
    nodecast::serve_linked()
}
