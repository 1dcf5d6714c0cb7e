//! How much this process has allocated, where that is counted. Every side would pay for the count as often as it
//! allocates, and all its threads at one place, so it is left out of the build whose time is measured.

#[cfg(feature = "allocations")]
#[global_allocator]
static ALLOCATOR: &stats_alloc::StatsAlloc<std::alloc::System> = &stats_alloc::INSTRUMENTED_SYSTEM;

/// The bytes that were ever allocated; none where nobody counts.
pub(crate) fn allocated() -> Option<u64> {
    #[cfg(feature = "allocations")]
    let counted = {
        let stats = ALLOCATOR.stats();
        Some((stats.bytes_allocated + usize::try_from(stats.bytes_reallocated).unwrap_or(0)) as u64)
    };
    #[cfg(not(feature = "allocations"))]
    let counted = None;
    counted
}
