//! Change notes on their way to clients: the streams of `subscriptions/listen` in the newer era, sessions in the older.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use rmcp::model::{
    ErrorData, PromptListChangedNotification, ResourceListChangedNotification, ResourceUpdatedNotification,
    ResourceUpdatedNotificationParam, ServerNotification, ToolListChangedNotification,
};
use rmcp::service::{SubscriptionContext, SubscriptionSendError};
use rmcp::{Peer, RoleServer};
use tokio_util::sync::CancellationToken;

use super::lock;
use crate::call::{Change, Changes, Listener};

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

    /// Whether the client is told of a change: of every list, and of the documents that it watches.
    fn wants(&self, change: &Change) -> bool {
        match change {
            Change::Resource(uri) => lock(&self.0).contains(uri),
            Change::Tools | Change::Prompts | Change::Resources => true,
        }
    }
}

/// Sends what a subscription accepted, until it ends, or there is no more to say.
pub(super) async fn to_subscription(changes: &[Changes], subscription: &SubscriptionContext) {
    let (sink, accepted) = (subscription.sink(), subscription.accepted());
    let filter = accepted.clone();
    let watched: BTreeSet<String> = filter.resource_subscriptions.into_iter().flatten().collect();
    let heard = Listener::new(changes, move |change| match change {
        Change::Tools => filter.tools_list_changed == Some(true),
        Change::Prompts => filter.prompts_list_changed == Some(true),
        Change::Resources => filter.resources_list_changed == Some(true),
        Change::Resource(uri) => watched.contains(uri),
    });
    loop {
        let next = tokio::select! {
            () = subscription.cancelled() => return,
            next = heard.next() => next,
        };
        let Some(change) = next else { return };
        match sink.send(notice(change)).await {
            // The filter is the client's, and the sink holds it.
            Ok(()) | Err(SubscriptionSendError::NotificationNotAccepted(_)) => {}
            Err(_) => return,
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
        (0..MOST_WATCHED).for_each(|number| watched.insert(number.to_string()).unwrap());
        assert!(watched.insert("a:b".to_owned()).is_err() && watched.insert("7".to_owned()).is_ok());
    }
}
