//! The host that the serving tests start: an open nodeset with one node a behaviour, an odd one, one that shows too
//! much, an exclusive one, some that differ in who may use them when, one with resources and prompts, one that is made
//! at run time, and two that are linked and so found: the simulator `gridworld`, and what the conformance suite calls.

mod crowd;
mod desk;
mod heap;
mod odd;
mod rooms;
mod shelf;
mod shown;
mod tiny;

use std::alloc::System;
use std::process::ExitCode;

use cap::Cap;
use conformance as _;
use gridworld as _;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

fn main() -> ExitCode {
    nodecast::serve_linked()
}
