//! Change notes on their way to clients: the streams of `subscriptions/listen` in the newer era, sessions in the older.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures_util::stream::{Stream, StreamExt as _, select_all, unfold};
use rmcp::model::{
    ErrorData, PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use rmcp::service::{SubscriptionContext, SubscriptionSendError};
use rmcp::{Peer, RoleServer};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;

use super::lock;
use crate::call::{Change, Changes};

/// A client may watch so many documents of a session; more is no use of a person.
const MOST_WATCHED: usize = 1000;

/// What a client of the older era is told, as long as its session lasts.
#[derive(Debug, Default)]
pub(super) struct Told {
    watched: Arc<Watched>,
    begun: AtomicBool,
    ended: CancellationToken,
}

impl Told {
    /// Tells of changes on the session from here on.
    pub(super) fn begin(&self, changes: &[Changes], peer: Peer<RoleServer>) {
        if !changes.is_empty() && !self.begun.swap(true, Ordering::Relaxed) {
            let (heard, watched, ended) = (heard(changes), self.watched.clone(), self.ended.clone());
            tokio::spawn(async move { to_session(heard, &peer, &watched, ended).await });
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
pub(super) struct Watched(Mutex<BTreeSet<String>>);

impl Watched {
    /// Watches a document, where there is room for it.
    pub(super) fn insert(&self, uri: String) -> Result<(), ErrorData> {
        let mut uris = lock(&self.0);
        if uris.len() >= MOST_WATCHED && !uris.contains(&uri) {
            let detail = format!("a session watches {MOST_WATCHED} resources at most; unsubscribe from some");
            return Err(ErrorData::invalid_request(detail, None));
        }
        uris.insert(uri);
        Ok(())
    }

    pub(super) fn remove(&self, uri: &str) {
        lock(&self.0).remove(uri);
    }

    fn all(&self) -> Vec<String> {
        lock(&self.0).iter().cloned().collect()
    }
}

/// Sends what a subscription accepted, until it ends.
pub(super) async fn to_subscription(changes: &[Changes], subscription: &SubscriptionContext) {
    let (sink, accepted) = (subscription.sink(), subscription.accepted());
    let watched = accepted.resource_subscriptions.clone().unwrap_or_default();
    let mut heard = heard(changes);
    loop {
        let next = tokio::select! {
            () = subscription.cancelled() => return,
            next = heard.next() => next,
        };
        let Some(change) = next else { return subscription.cancelled().await };
        for change in told(change, &watched) {
            match sink.send(notice(change)).await {
                // The filter is the client's, and the sink holds it.
                Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
                Err(_) => return,
            }
        }
    }
}

/// Sends every change of a list, and of the documents that the client watches, until the session has ended.
async fn to_session(
    mut heard: impl Stream<Item = Option<Change>> + Unpin,
    peer: &Peer<RoleServer>,
    watched: &Watched,
    ended: CancellationToken,
) {
    loop {
        let next = tokio::select! {
            () = ended.cancelled() => return,
            next = heard.next() => next,
        };
        let Some(change) = next else { return };
        for change in told(change, &watched.all()) {
            if peer.send_notification(notice(change)).await.is_err() {
                return;
            }
        }
    }
}

/// The changes of some nodesets; none stands for those that were missed.
fn heard(changes: &[Changes]) -> impl Stream<Item = Option<Change>> + Send + Unpin + use<> {
    select_all(changes.iter().filter_map(Changes::listen).map(|receiver| {
        Box::pin(unfold(receiver, |mut receiver| async move {
            match receiver.recv().await {
                Ok(change) => Some((Some(change), receiver)),
                Err(RecvError::Lagged(_)) => Some((None, receiver)),
                Err(RecvError::Closed) => None,
            }
        }))
    }))
}

/// What a client is told: a change that it wants to hear of, or everything that it keeps where some were missed.
fn told(change: Option<Change>, watched: &[String]) -> Vec<Change> {
    match change {
        Some(Change::Resource(uri)) if !watched.contains(&uri) => Vec::new(),
        Some(change) => vec![change],
        None => {
            let documents = watched.iter().cloned().map(Change::Resource);
            [Change::Tools, Change::Prompts, Change::Resources].into_iter().chain(documents).collect()
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
    async fn who_is_behind_hears_of_everything() {
        let changes = [Changes::open(), Changes::open()];
        let mut heard = heard(&changes);
        changes[1].tell(Change::Prompts);
        assert_eq!(heard.next().await, Some(Some(Change::Prompts)));
        (0..1000).for_each(|_| changes[0].tell(Change::Tools));
        assert_eq!(heard.next().await, Some(None));
        let all = [Change::Tools, Change::Prompts, Change::Resources, Change::Resource("a:b".to_owned())];
        assert_eq!(told(None, &["a:b".to_owned()]), all);
    }

    #[test]
    fn a_document_is_told_to_who_watches_it() {
        let watched = Watched::default();
        let update = || Some(Change::Resource("a:b".to_owned()));
        assert_eq!(told(update(), &watched.all()), []);
        watched.insert("a:b".to_owned()).unwrap();
        watched.insert("a:b".to_owned()).unwrap();
        assert_eq!(told(update(), &watched.all()), [Change::Resource("a:b".to_owned())]);
        watched.remove("a:b");
        assert_eq!(told(update(), &watched.all()), []);
        (0..MOST_WATCHED).for_each(|number| watched.insert(number.to_string()).unwrap());
        assert!(watched.insert("a:b".to_owned()).is_err() && watched.insert("7".to_owned()).is_ok());
    }
}
