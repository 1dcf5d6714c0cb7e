//! The host that the serving tests start: an open nodeset with one node a behaviour, an odd one, an exclusive one, and
//! the simulator `gridworld`, which is linked and so found.

mod desk;
mod odd;
mod tiny;

use std::process::ExitCode;

use gridworld as _;

fn main() -> ExitCode {
    nodecast::serve_linked()
}
