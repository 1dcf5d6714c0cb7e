//! A vault that one client at a time has on every face, whose nodes prepare before they are called; and one that does not
//! get ready.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nodecast::panel::{Done, Map, PanelAction, PanelDecl, PanelField, PanelMut, SideEffect};
use nodecast::prelude::*;

/// One client at a time, through every door.
#[nodeset(parallelism = "replicated", exclusive = "all", nodes(Read, Write, Count, Pair), containers(Ledger), panel)]
#[derive(Default)]
struct Vault {
    prepared: Mutex<Vec<String>>,
}

impl Vault {
    fn note(&self, node: &str) {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).push(node.to_owned());
    }
}

/// Who was there.
#[derive(Container)]
struct Ledger {
    /// Who was there last.
    visitor: LastWrite<String>,
}

/// Says which nodes have prepared, in order.
#[node(read_only)]
struct Read;

impl Node<Vault> for Read {
    type Output = Vec<String>;
    type Error = Error;

    async fn run(self, vault: &Vault, _: &Context) -> Result<Vec<String>, Error> {
        Ok(vault.prepared.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    async fn start(vault: &Vault, _: &Context) -> Result<(), Error> {
        // Long enough for a test to see that nobody is served before.
        tokio::time::sleep(Duration::from_secs(1)).await;
        vault.note("read");
        Ok(())
    }
}

/// Changes the vault.
#[node]
struct Write;

impl NodeMut<Vault> for Write {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &mut Vault, _: &Context) -> Result<(), Error> {
        Ok(())
    }

    async fn start(vault: &mut Vault, _: &Context) -> Result<(), Error> {
        vault.note("write");
        Ok(())
    }
}

/// Computes.
#[node(read_only)]
struct Count;

impl BlockingNode<Vault> for Count {
    type Output = ();
    type Error = Error;

    fn run(self, _: &Vault, _: &Context) -> Result<(), Error> {
        Ok(())
    }

    fn start(vault: &Vault, _: &Context) -> Result<(), Error> {
        vault.note("count");
        Ok(())
    }
}

/// Takes several at once.
#[node(read_only)]
struct Pair;

impl BatchNode<Vault> for Pair {
    type Output = ();
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Vault, _: &Context) -> Vec<Result<(), Error>> {
        batch.iter().map(|_| Ok(())).collect()
    }

    async fn start(vault: &Vault, _: &Context) -> Result<(), Error> {
        vault.note("pair");
        Ok(())
    }
}

impl PanelMut for Vault {
    const PANEL: PanelDecl = PanelDecl::new(
        "Vault",
        &[PanelField::text("note", "Note")],
        &[PanelAction::new("turn", "Turn the wheel", SideEffect::None)],
    );
    type State = Metrics;

    async fn state(&self, _: &Context) -> Result<Metrics, Error> {
        Ok(Metrics::default())
    }

    async fn set(&mut self, _: &str, _: Value, _: &Context) -> Result<(), Error> {
        Ok(())
    }

    async fn act(&mut self, _: &str, _: Map, _: &Context) -> Result<Done, Error> {
        tokio::time::sleep(Duration::from_secs(6)).await;
        Ok(Done::ok())
    }
}

/// Has started, and is not ready.
#[nodeset(nodes(Never))]
struct Jammed;

impl Lifecycle for Jammed {
    type Settings = ();

    async fn start((): (), _: &Context) -> Result<Self, Error> {
        Ok(Self)
    }

    async fn stop(self) {
        tracing::info!("the jammed vault has stopped");
    }
}

/// Does not get ready.
#[node]
struct Never;

impl Node<Jammed> for Never {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Jammed, _: &Context) -> Result<(), Error> {
        Ok(())
    }

    async fn start(_: &Jammed, _: &Context) -> Result<(), Error> {
        Err(Error::new("no_key", "the key does not fit"))
    }
}
