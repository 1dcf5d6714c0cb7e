//! What a nodeset tells clients that keep its lists and documents: that they have changed.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use tokio::sync::Notify;

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources.
    Resources,
    /// The document at this URI.
    Resource(String),
}

/// The way to the clients that want to hear of changes; cheap to clone, and open as long as the nodeset is served.
///
/// A nodeset that changes by itself keeps the one of `start`'s context:
///
/// ```
/// use nodecast::call::{Change, Changes};
/// use nodecast::prelude::*;
///
/// /// A camera.
/// #[nodeset(nodes(Shoot))]
/// struct Camera {
///     changes: Changes,
/// }
///
/// impl Lifecycle for Camera {
///     type Settings = ();
///
///     async fn start((): (), cx: &Context) -> Result<Self, Error> {
///         Ok(Self { changes: cx.changes().clone() })
///     }
/// }
///
/// /// Takes a picture.
/// #[node]
/// struct Shoot;
///
/// impl Node<Camera> for Shoot {
///     type Output = ();
///     type Error = Error;
///
///     async fn run(self, camera: &Camera, _: &Context) -> Result<(), Error> {
///         camera.changes.tell(Change::Resource("camera://last".to_owned()));
///         Ok(())
///     }
/// }
/// ```
#[derive(Clone, Default)]
pub struct Changes(Option<Arc<Way>>);

/// Who listens, and whether there is more to hear.
#[derive(Default)]
struct Way {
    listeners: Mutex<Vec<Weak<Heard>>>,
    closed: Mutex<bool>,
}

impl Changes {
    /// A way that can be listened to; the default one leads nowhere.
    pub fn open() -> Self {
        Self(Some(Arc::default()))
    }

    /// Tells those who want to hear of it; nothing happens where nobody does.
    ///
    /// Who has not taken an earlier note of the same change gets no second one, so nothing grows where a client is slow.
    pub fn tell(&self, change: Change) {
        let Some(way) = &self.0 else { return };
        lock(&way.listeners).retain(|listener| {
            let Some(heard) = listener.upgrade() else { return false };
            heard.hear(&change);
            true
        });
    }

    /// Tells those who listen that there will be no more.
    pub fn close(&self) {
        let Some(way) = &self.0 else { return };
        *lock(&way.closed) = true;
        for heard in lock(&way.listeners).iter().filter_map(Weak::upgrade) {
            heard.end();
        }
    }
}

/// Whether somebody wants to hear of a change.
type Wanted = Box<dyn Fn(&Change) -> bool + Send + Sync>;

/// What one client has not heard yet, of one nodeset or of several: each change once, in the order in which they came.
pub struct Listener(Arc<Heard>);

struct Heard {
    wanted: Wanted,
    waiting: Mutex<Waiting>,
    more: Notify,
}

#[derive(Default)]
struct Waiting {
    order: VecDeque<Change>,
    known: BTreeSet<Change>,
    /// So many ways may still say something.
    open: usize,
}

impl Listener {
    /// Hears from now on of what is `wanted` of these.
    pub fn new(ways: &[Changes], wanted: impl Fn(&Change) -> bool + Send + Sync + 'static) -> Self {
        let heard = Arc::new(Heard { wanted: Box::new(wanted), waiting: Mutex::default(), more: Notify::new() });
        for way in ways.iter().filter_map(|changes| changes.0.as_ref()) {
            lock(&way.listeners).push(Arc::downgrade(&heard));
            // Looked at when the listener is entered, so that the end is not missed.
            if !*lock(&way.closed) {
                lock(&heard.waiting).open += 1;
            }
        }
        Self(heard)
    }

    /// The next change; none when there will be no more.
    pub async fn next(&self) -> Option<Change> {
        loop {
            let more = self.0.more.notified();
            {
                let mut waiting = lock(&self.0.waiting);
                if let Some(change) = waiting.order.pop_front() {
                    waiting.known.remove(&change);
                    return Some(change);
                }
                if waiting.open == 0 {
                    return None;
                }
            }
            more.await;
        }
    }
}

impl Heard {
    fn hear(&self, change: &Change) {
        if !(self.wanted)(change) {
            return;
        }
        let mut waiting = lock(&self.waiting);
        if waiting.known.insert(change.clone()) {
            waiting.order.push_back(change.clone());
            self.more.notify_one();
        }
    }

    fn end(&self) {
        let mut waiting = lock(&self.waiting);
        waiting.open = waiting.open.saturating_sub(1);
        self.more.notify_one();
    }
}

/// Nothing panics while it holds one of these.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listeners = self.0.as_ref().map_or(0, |way| lock(&way.listeners).len());
        f.debug_struct("Changes").field("listeners", &listeners).finish()
    }
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("waiting", &lock(&self.0.waiting).order).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Changes, Listener};

    #[tokio::test]
    async fn t33_who_is_slow_hears_of_each_change_once() {
        let ways = [Changes::open(), Changes::open()];
        let listener = Listener::new(&ways, |change| *change != Change::Prompts);
        let document = Change::Resource("a:b".to_owned());
        for _ in 0..10_000 {
            ways[0].tell(document.clone());
            ways[0].tell(Change::Prompts);
            ways[1].tell(Change::Tools);
        }
        assert_eq!(listener.next().await, Some(document.clone()));
        ways[0].tell(document.clone());
        assert_eq!(listener.next().await, Some(Change::Tools));
        assert_eq!(listener.next().await, Some(document));
    }

    #[tokio::test]
    async fn a_listener_ends_when_no_way_is_open() {
        let ways = [Changes::open(), Changes::open()];
        let listener = Listener::new(&ways, |_| true);
        ways[0].close();
        ways[1].tell(Change::Tools);
        ways[1].close();
        assert_eq!(listener.next().await, Some(Change::Tools));
        assert_eq!(listener.next().await, None);
        assert_eq!(Listener::new(&ways, |_| true).next().await, None);
    }
}
