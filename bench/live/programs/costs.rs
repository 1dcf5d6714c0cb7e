//! What a write costs, in time and in bytes: equal ones, and ones that mark three memos. Built with and without the log.

use std::alloc::System;
use std::time::Instant;

use nodecast_live::{Graph, memo, signal};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static GLOBAL: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

const WRITES: u64 = 1_000_000;

fn main() {
    let g = Graph::new();
    let source = signal(&g, 0_u64);
    measured("equal write", || (0..WRITES).for_each(|_| source.set(0)));
    let memos: Vec<_> = (0..3).map(|at| memo(&g, move || source.get() + at)).collect();
    memos.iter().for_each(|memo| _ = memo.get());
    measured("write that marks three memos", || (1..=WRITES).for_each(|value| source.set(value)));
}

fn measured(name: &str, work: impl FnOnce()) {
    let region = Region::new(GLOBAL);
    let begun = Instant::now();
    work();
    let (time, change) = (begun.elapsed(), region.change());
    let each = |number: usize| number as f64 / WRITES as f64;
    println!(
        "{name}\t{:.1}\t{:.2}\t{:.1}",
        time.as_nanos() as f64 / WRITES as f64,
        each(change.allocations),
        each(change.bytes_allocated)
    );
}
