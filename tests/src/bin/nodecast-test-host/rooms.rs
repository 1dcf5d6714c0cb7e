//! Nodesets that differ in who may use them at the same time, and in nothing else.

use std::time::Duration;

use nodecast::prelude::*;

use crate::heap::Heap;

/// Whatever is said here is said back.
trait Room: Send + Sync + 'static {}

/// A room where who comes gets a session, and needs none.
#[nodeset(name = "lounge", sessions = "kept", nodes(Echo, Rest, Heap))]
#[derive(Default)]
struct Lounge;

impl Room for Lounge {}

/// A room where nobody of the older era is served without a session.
#[nodeset(name = "office", sessions = "required", nodes(Echo, Rest))]
#[derive(Default)]
struct Office;

impl Room for Office {}

/// A room that one client at a time has, whatever door it comes through.
#[nodeset(name = "safe", exclusive = "all", nodes(Echo, Rest))]
#[derive(Default)]
struct Safe;

impl Room for Safe {}

/// A room that one client of the older era at a time has.
#[nodeset(name = "attic", exclusive, modern = "reject", nodes(Echo, Rest))]
#[derive(Default)]
struct Attic;

impl Room for Attic {}

/// Says back.
#[node(read_only)]
struct Echo {
    /// What to say.
    text: String,
}

impl<S: Room> Node<S> for Echo {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &S, _: &Context) -> Result<String, Error> {
        Ok(self.text)
    }
}

/// Takes its time.
#[node(read_only)]
struct Rest {
    /// How long.
    ms: u64,
}

impl<S: Room> Node<S> for Rest {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &S, _: &Context) -> Result<(), Error> {
        tokio::time::sleep(Duration::from_millis(self.ms)).await;
        Ok(())
    }
}
