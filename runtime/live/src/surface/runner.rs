//! What runs the catalog of an application: the rows of the declared table, by the places of the fitted one.

use std::sync::Arc;

use nodecast::call::{
    Arg, Args, BoxFuture, Change, Changes, Context, End, Instance, Offer, Origin, Reply, Runner, Stage,
};
use nodecast::catalog::Made;
use nodecast::wire::Regime;
use nodecast::{Error, Value};

use super::catalog::{Fitted, Read, fitted};
use super::{STATE, Surface};
use crate::live::Shared;
use crate::publish::Told;
use crate::serve::Options;
use crate::snapshot::Publication;

/// A live application as a catalog that a host serves.
/// It keeps `host`, so that the application runs as long as it is served.
pub(crate) fn made(
    name: &str,
    live: &Arc<Shared>,
    host: Arc<dyn Send + Sync>,
    options: &Options,
) -> Result<Made, Error> {
    let Fitted { catalog, rows, reads } = fitted(name, live, options)?;
    let (rows, reads, live): (Arc<[usize]>, Arc<[Read]>, _) = (rows.into(), reads.into(), live.clone());
    let options = options.clone();
    let start = move |cx: &Context| {
        let changes = cx.changes().clone();
        ends(&live, changes.clone());
        let told = live.published.tell(move |publication| notify(&changes, publication));
        let instance = Instance::of(Surface::new(live.clone(), &options));
        let (rows, reads) = (Arc::clone(&rows), Arc::clone(&reads));
        Arc::new(Fit { instance, rows, reads, _told: told, _host: host.clone() }) as Arc<dyn Runner>
    };
    Ok(Made { catalog, start: Box::new(start) })
}

/// Tells who watches: the state first, then the values that have changed.
fn notify(changes: &Changes, publication: &Publication) {
    changes.tell(Change::Resource(STATE.to_owned()));
    for name in &publication.changed {
        changes.tell(Change::Resource(format!("{STATE}/{name}")));
    }
}

/// Subscriptions end with the application.
fn ends(live: &Arc<Shared>, changes: Changes) {
    let closed = live.door.inbox().closed().clone();
    tokio::spawn(async move {
        closed.cancelled().await;
        changes.close();
    });
}

struct Fit {
    instance: Instance<Surface>,
    rows: Arc<[usize]>,
    reads: Arc<[Read]>,
    /// As long as this is served, publications are told.
    _told: Told,
    _host: Arc<dyn Send + Sync>,
}

impl Runner for Fit {
    fn run<'a>(&'a self, index: usize, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        match self.rows.get(index) {
            Some(row) => self.instance.run(*row, args, cx),
            None => Box::pin(std::future::ready(Err(no_row()))),
        }
    }

    fn answer<'a>(&'a self, offer: Offer, args: Args, cx: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        let read = match offer {
            Offer::Resource(index) => self.reads.get(index),
            Offer::Prompt(_) => None,
        };
        let named = |name: &str| {
            let value = Some(Value::Text(name.to_owned()));
            Args::new(vec![Arg { name: "name".into(), origin: Origin::Root, value }], Regime::Json)
        };
        match read {
            Some(Read::State) => self.instance.answer(Offer::Resource(0), args, cx),
            Some(Read::Value(name)) => self.instance.answer(Offer::Resource(1), named(name), cx),
            Some(Read::Named) => self.instance.answer(Offer::Resource(1), args, cx),
            None => Box::pin(std::future::ready(Err(no_row()))),
        }
    }

    /// Every value has a resource of its own, so that what only the template makes leads nowhere.
    fn leads(&self, _: Offer, _: &str) -> bool {
        false
    }

    fn stop(&self) -> BoxFuture<'_, End> {
        self.instance.stop()
    }
}

fn no_row() -> Error {
    Error::at(Stage::InternalRuntime, "no_row", "the catalog and the table disagree")
}
