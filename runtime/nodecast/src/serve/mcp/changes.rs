//! Change notes on their way to clients: the streams of `subscriptions/listen` in the newer era, sessions in the older.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use rmcp::model::{
    ErrorData, PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, SubscriptionFilter, ToolListChangedNotification,
};
use rmcp::service::{SubscriptionContext, SubscriptionSendError};
use rmcp::{Peer, RoleServer};
use tokio_util::sync::CancellationToken;

use super::lock;
use crate::Error;
use crate::call::{Change, Changes, Listener, Stage};

/// So many documents may be watched on a face by all its clients together.
const MOST_OF_ALL: usize = 10_000;

/// How many documents are watched on a face.
#[derive(Clone, Debug, Default)]
pub(super) struct Watching(Arc<AtomicUsize>);

impl Watching {
    /// Room for so many more, until it is dropped.
    fn take(&self, more: usize) -> Result<Room, ErrorData> {
        let fits = |taken: usize| taken.checked_add(more).filter(|all| *all <= MOST_OF_ALL);
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => Ok(Room { of: self.clone(), size: more }),
            Err(taken) => {
                let detail =
                    format!("{taken} resources are watched here, and {MOST_OF_ALL} at most; subscribe again later");
                let busy = Error::at(Stage::Busy, "busy", detail).retryable();
                Err(super::offers::refused(&busy, None))
            }
        }
    }
}

/// Room that a client has taken.
#[derive(Debug)]
struct Room {
    of: Watching,
    size: usize,
}

impl Drop for Room {
    fn drop(&mut self) {
        self.of.0.fetch_sub(self.size, Ordering::Relaxed);
    }
}

/// What a client of the older era is told, as long as its session lasts.
#[derive(Debug, Default)]
pub(super) struct Told {
    watched: Arc<Watched>,
    begun: AtomicBool,
    ended: CancellationToken,
}

impl Told {
    /// Of a client of the face with this many watched documents.
    pub(super) fn of(watching: Watching) -> Self {
        let watched = Arc::new(Watched { watching, uris: Mutex::default() });
        Self { watched, begun: AtomicBool::new(false), ended: CancellationToken::new() }
    }

    /// Tells of changes on the session from here on.
    pub(super) fn begin(&self, changes: &[Changes], peer: Peer<RoleServer>) {
        if !changes.is_empty() && !self.begun.swap(true, Ordering::Relaxed) {
            let watched = self.watched.clone();
            let heard = Listener::new(changes, move |change| watched.wants(change));
            let ended = self.ended.clone();
            tokio::spawn(async move { to_session(heard, &peer, ended).await });
        }
    }

    /// The documents that the client watches.
    pub(super) fn watched(&self) -> &Watched {
        &self.watched
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        self.ended.cancel();
    }
}

/// The documents that a client of the older era watches.
#[derive(Debug, Default)]
pub(super) struct Watched {
    watching: Watching,
    uris: Mutex<BTreeMap<String, Room>>,
}

impl Watched {
    /// Watches a document, where there is room for it.
    pub(super) fn insert(&self, uri: String) -> Result<(), ErrorData> {
        let mut uris = lock(&self.uris);
        if uris.contains_key(&uri) {
            return Ok(());
        }
        uris.insert(uri, self.watching.take(1)?);
        Ok(())
    }

    pub(super) fn remove(&self, uri: &str) {
        lock(&self.uris).remove(uri);
    }

    /// Whether the client is told of a change: of every list, and of the documents that it watches.
    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Resource(uri) => lock(&self.uris).contains_key(uri),
            Change::Tools | Change::Prompts | Change::Resources => true,
        }
    }
}

/// Listeners of subscriptions that are about to be acknowledged: what changes once a client knows that it listens is told,
/// however soon.
#[derive(Debug, Default)]
pub(super) struct Entered(Mutex<Vec<(SubscriptionFilter, Listener)>>);

impl Entered {
    /// Hears from now on of what a client asks for, as far as that is accepted.
    pub(super) fn enter(&self, changes: &[Changes], requested: SubscriptionFilter, accepted: SubscriptionFilter) {
        let listener = listener(changes, accepted);
        lock(&self.0).push((requested, listener));
    }

    /// The listener of a subscription. Of those that ask for the same, each may have that of another.
    fn take(&self, requested: &SubscriptionFilter) -> Option<Listener> {
        let mut entered = lock(&self.0);
        let at = entered.iter().position(|(asked, _)| asked == requested)?;
        Some(entered.swap_remove(at).1)
    }
}

fn listener(changes: &[Changes], filter: SubscriptionFilter) -> Listener {
    let watched: BTreeSet<String> = filter.resource_subscriptions.clone().into_iter().flatten().collect();
    Listener::new(changes, move |change| match change {
        Change::Tools => filter.tools_list_changed == Some(true),
        Change::Prompts => filter.prompts_list_changed == Some(true),
        Change::Resources => filter.resources_list_changed == Some(true),
        Change::Resource(uri) => watched.contains(uri),
    })
}

/// Sends what a subscription accepted, until it ends, or there is no more to say.
///
/// Fails where too much is watched already.
pub(super) async fn to_subscription(
    changes: &[Changes],
    watching: &Watching,
    entered: &Entered,
    subscription: &SubscriptionContext,
) -> Result<(), ErrorData> {
    let (sink, accepted) = (subscription.sink(), subscription.accepted());
    let heard = entered.take(subscription.requested());
    let heard = heard.unwrap_or_else(|| listener(changes, accepted.clone()));
    let watched: BTreeSet<&String> = accepted.resource_subscriptions.iter().flatten().collect();
    let _room = watching.take(watched.len())?;
    loop {
        let next = tokio::select! {
            () = subscription.cancelled() => return Ok(()),
            next = heard.next() => next,
        };
        let Some(change) = next else { return Ok(()) };
        match sink.send(notice(change)).await {
            // The filter is the client's, and the sink holds it.
            Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
            Err(_) => return Ok(()),
        }
    }
}

/// Sends every change of a list, and of the documents that the client watches, until the session has ended.
async fn to_session(heard: Listener, peer: &Peer<RoleServer>, ended: CancellationToken) {
    loop {
        let next = tokio::select! {
            () = ended.cancelled() => return,
            next = heard.next() => next,
        };
        let Some(change) = next else { return };
        if peer.send_notification(notice(change)).await.is_err() {
            return;
        }
    }
}

fn notice(change: Change) -> ServerNotification {
    match change {
        Change::Tools => ServerNotification::ToolListChangedNotification(ToolListChangedNotification::default()),
        Change::Prompts => ServerNotification::PromptListChangedNotification(PromptListChangedNotification::default()),
        Change::Resources => {
            ServerNotification::ResourceListChangedNotification(ResourceListChangedNotification::default())
        }
        Change::Resource(uri) => ServerNotification::ResourceUpdatedNotification(ResourceUpdatedNotification::new(
            ResourceUpdatedNotificationParam::new(uri),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_changes_before_a_subscription_has_begun_is_told() {
        let (changes, entered) = ([Changes::open()], Entered::default());
        let requested = SubscriptionFilter::builder().tools_list_changed().prompts_list_changed().build();
        let accepted = SubscriptionFilter::builder().tools_list_changed().build();
        entered.enter(&changes, requested.clone(), accepted.clone());
        changes[0].tell(Change::Prompts);
        changes[0].tell(Change::Tools);
        assert!(entered.take(&accepted).is_none());
        assert_eq!(entered.take(&requested).unwrap().next().await, Some(Change::Tools));
        assert!(entered.take(&requested).is_none());
    }

    #[test]
    fn a_document_is_told_to_who_watches_it() {
        let watched = Watched::default();
        let update = Change::Resource("a:b".to_owned());
        assert!(!watched.wants(&update) && watched.wants(&Change::Tools));
        watched.insert("a:b".to_owned()).unwrap();
        watched.insert("a:b".to_owned()).unwrap();
        assert!(watched.wants(&update));
        watched.remove("a:b");
        assert!(!watched.wants(&update));
        // One client may have all the room that there is.
        (0..MOST_OF_ALL).for_each(|number| watched.insert(number.to_string()).unwrap());
        let refused = watched.insert("a:b".to_owned()).unwrap_err();
        assert_eq!(refused.data.unwrap()["stage"], "busy");
        watched.insert("7".to_owned()).unwrap();
    }

    #[test]
    fn t33_all_clients_together_watch_so_many() {
        let watching = Watching::default();
        let most = watching.take(MOST_OF_ALL - 1).unwrap();
        let one = Watched { watching: watching.clone(), ..Watched::default() };
        one.insert("a:b".to_owned()).unwrap();
        one.insert("a:b".to_owned()).unwrap();
        let refused = one.insert("a:c".to_owned()).unwrap_err();
        assert_eq!(refused.data.unwrap()["stage"], "busy");
        drop(one);
        watching.take(1).unwrap();
        drop(most);
        assert!(watching.take(MOST_OF_ALL).is_ok());
    }
}
