//! The host that the serving tests start: an open nodeset with one node a behaviour, an odd one, one that shows too
//! much, an exclusive one, some that differ in who may use them when, one with resources and prompts, one that is made
//! at run time, one that leaves traces, and two that are linked and so found: the simulator `gridworld`, and what the
//! conformance suite calls. Its first argument may make it an application that serves nodes among other things, and the
//! variable `NODECAST_TEST_LIVE` a live application.

mod application;
mod crowd;
mod desk;
mod heap;
mod live;
mod odd;
mod rooms;
mod shelf;
mod shown;
mod tiny;
mod traced;

use std::alloc::System;
use std::process::ExitCode;

use cap::Cap;
use conformance as _;
use gridworld as _;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    if let Some(application) = std::env::var_os("NODECAST_TEST_LIVE") {
        return live::main(&application.to_string_lossy());
    }
    match std::env::args().nth(1).as_deref() {
        Some("application") => application::main(),
        _ => nodecast::serve_linked(),
    }
}
