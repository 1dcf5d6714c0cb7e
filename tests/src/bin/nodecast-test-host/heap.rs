//! What the host has allocated, for tests that let much come and go: what a process holds of the system's memory also says
//! what its allocator keeps for later.

use nodecast::prelude::*;

use crate::ALLOCATOR;

/// Says how many bytes are allocated in this process.
#[node(read_only)]
pub(crate) struct Heap;

impl<S: Send + Sync + 'static> Node<S> for Heap {
    type Output = u64;
    type Error = Error;

    async fn run(self, _: &S, _: &Context) -> Result<u64, Error> {
        Ok(ALLOCATOR.allocated() as u64)
    }
}
