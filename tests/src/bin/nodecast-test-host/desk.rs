//! The exclusive nodeset.

use std::time::Duration;

use nodecast::prelude::*;

use crate::heap::Heap;

/// A desk that one client at a time sits at.
#[nodeset(name = "desk", parallelism = "replicated", nodes(Add, Wait, Block, Crash, Heap))]
struct Desk {
    total: i64,
}

/// How a desk starts.
#[derive(Default, serde::Deserialize, schemars::JsonSchema)]
#[serde(default)]
struct DeskSettings {
    /// What stands on it at first.
    total: i64,
    /// Refuse to start.
    broken: bool,
    /// What opens its drawer.
    pin: Secret<String>,
    /// What it is made of.
    material: Option<Material>,
}

/// What a desk is made of.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Material {
    Oak,
    Steel,
}

impl Lifecycle for Desk {
    type Settings = DeskSettings;

    async fn start(settings: DeskSettings, _: &Context) -> Result<Self, Error> {
        if settings.broken {
            return Err(Error::new("broken", "the desk is broken"));
        }
        let heavy = matches!(settings.material, Some(Material::Oak | Material::Steel));
        tracing::info!(pin = ?settings.pin, has_pin = !settings.pin.expose().is_empty(), heavy, "the desk starts");
        Ok(Self { total: settings.total })
    }

    async fn stop(self) {
        // A test that stops the host looks for this line.
        tracing::info!(total = self.total, "the desk has stopped");
    }

    async fn abandon(&self) {
        tracing::info!("the desk was left");
    }
}

/// Adds to the total.
#[node]
struct Add {
    by: i64,
}

impl NodeMut<Desk> for Add {
    type Output = i64;
    type Error = Error;

    async fn run(self, desk: &mut Desk, _: &Context) -> Result<i64, Error> {
        desk.total += self.by;
        Ok(desk.total)
    }
}

/// Waits.
#[node]
struct Wait {
    ms: u64,
}

impl Node<Desk> for Wait {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Desk, _: &Context) -> Result<(), Error> {
        tokio::time::sleep(Duration::from_millis(self.ms)).await;
        Ok(())
    }
}

/// Holds the desk, and looks at nothing meanwhile.
#[node]
struct Block {
    ms: u64,
}

impl BlockingNode<Desk> for Block {
    type Output = ();
    type Error = Error;

    fn run(self, _: &Desk, _: &Context) -> Result<(), Error> {
        std::thread::sleep(Duration::from_millis(self.ms));
        Ok(())
    }
}

/// Panics.
#[node]
struct Crash;

impl NodeMut<Desk> for Crash {
    type Output = ();
    type Error = Error;

    #[allow(clippy::panic, reason = "this is what the test is about")]
    async fn run(self, _: &mut Desk, _: &Context) -> Result<(), Error> {
        panic!("secret")
    }
}
