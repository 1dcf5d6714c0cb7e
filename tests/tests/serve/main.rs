//! A served host, over real sockets: the faults of `faults.md` that it must not have.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test ends where something is missing")]

mod additive;
#[allow(deprecated, reason = "roots and sampling are on their way out, and clients of both eras still have them")]
mod asking;
mod busy;
mod cancel;
mod changes;
mod crowd;
mod doors;
mod edge;
mod envelope;
mod exclusive;
mod faces;
mod front;
mod http;
mod ids;
mod lane;
mod leases;
mod live;
mod logs;
mod mcp;
mod metrics;
mod odd;
mod offers;
mod process;
mod refused;
mod rounds;
mod sessions;
mod settings;
mod shown;
mod slow;
mod stdio;
mod stopping;
mod takers;
mod tasks;
mod traces;
mod twins;

/// The host that these tests start.
const HOST: &str = env!("CARGO_BIN_EXE_nodecast-test-host");

/// A host of the open nodeset.
async fn tiny(arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::start(HOST, &[&["--nodeset", "tiny"], arguments].concat()).await
}

/// A host of the simulator, which is exclusive because it is replicated.
async fn gridworld(arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::start(HOST, &[&["--nodeset", "gridworld"], arguments].concat()).await
}

/// A host of what the conformance suite calls.
async fn conformance(arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::start(HOST, &[&["--nodeset", "conformance"], arguments].concat()).await
}

/// A host of the odd nodeset.
async fn odd(arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::start(HOST, &[&["--nodeset", "odd"], arguments].concat()).await
}

/// A host of one of the rooms, which differ in who may use them when.
async fn room(name: &str, arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::start(HOST, &[&["--nodeset", name], arguments].concat()).await
}

/// A host of any nodeset, for so many calls that nobody reads its log.
async fn quiet(name: &str, arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::quiet(HOST, &[&["--nodeset", name], arguments].concat()).await
}

/// A host of the exclusive nodeset.
async fn desk(arguments: &[&str]) -> nodecast_tests::Host {
    nodecast_tests::Host::start(HOST, &[&["--nodeset", "desk"], arguments].concat()).await
}
