//! The one effect that reads every exposed value, after all others of a flush, and publishes what has changed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use arc_swap::ArcSwap;
use nodecast::Error;
use nodecast::call::Stage;
use tokio::sync::{oneshot, watch};

use crate::expose::Exposed;
use crate::graph::{Graph, Rank, effect_at};
use crate::snapshot::{Name, Publication, Snapshot};

/// A snapshot's values may have so many bytes.
const MOST_BYTES: usize = 4 << 20;

/// The newest snapshot, for every thread.
pub(crate) struct Published {
    current: ArcSwap<Snapshot>,
    watched: watch::Sender<Arc<Snapshot>>,
    told: Mutex<Vec<Weak<Tell>>>,
    waiting: Mutex<Waiting>,
}

/// Who waits for a version, in the order in which they came.
#[derive(Default)]
struct Waiting {
    came: u64,
    all: BTreeMap<u64, (u64, oneshot::Sender<Arc<Snapshot>>)>,
}

/// The place of one who waits, which is left however the wait ends.
struct Place<'a> {
    of: &'a Published,
    number: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        lock(&self.of.waiting).all.remove(&self.number);
    }
}

/// What is done with a publication on behalf of other threads.
type Tell = dyn Fn(&Publication) + Send + Sync;

/// Publications are told as long as this is held.
pub(crate) struct Told(#[allow(dead_code, reason = "held, and never looked at")] Arc<Tell>);

impl Published {
    /// Nothing yet: version 0, which nobody sees.
    pub(crate) fn new(names: Arc<[Name]>) -> Self {
        let values = names.iter().map(|_| Arc::from("null")).collect();
        let none = Arc::new(Snapshot::new(0, names, values));
        Self {
            current: ArcSwap::new(none.clone()),
            watched: watch::Sender::new(none),
            told: Mutex::default(),
            waiting: Mutex::default(),
        }
    }

    /// The newest; takes no lock.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.current.load_full()
    }

    /// Tells of each publication inside its flush, from any thread; what is done there is short.
    pub(crate) fn tell(&self, tell: impl Fn(&Publication) + Send + Sync + 'static) -> Told {
        let tell: Arc<Tell> = Arc::new(tell);
        lock(&self.told).push(Arc::downgrade(&tell));
        Told(tell)
    }

    fn publish(&self, snapshot: &Arc<Snapshot>) {
        self.current.store(snapshot.clone());
        self.watched.send_replace(snapshot.clone());
        let reached: Vec<_> = {
            let mut waiting = lock(&self.waiting);
            let numbers: Vec<u64> = waiting
                .all
                .iter()
                .filter(|(_, (version, _))| *version <= snapshot.version())
                .map(|(number, _)| *number)
                .collect();
            numbers.iter().filter_map(|number| waiting.all.remove(number)).collect()
        };
        for (_, sender) in reached {
            // Who has stopped waiting misses nothing.
            let _ = sender.send(snapshot.clone());
        }
    }

    /// The first snapshot of this version or a later one: the newest if it is one, else the next that is.
    pub(crate) async fn reached(&self, version: u64) -> Option<Arc<Snapshot>> {
        let (receiver, _place) = {
            let mut waiting = lock(&self.waiting);
            // Looked at with the list in hand, so that no publication slips in between.
            let now = self.snapshot();
            if now.version() >= version {
                return Some(now);
            }
            let (sender, receiver) = oneshot::channel();
            waiting.came += 1;
            let number = waiting.came;
            waiting.all.insert(number, (version, sender));
            (receiver, Place { of: self, number })
        };
        receiver.await.ok()
    }

    fn tell_all(&self, publication: &Publication) {
        let told: Vec<_> = {
            let mut listeners = lock(&self.told);
            listeners.retain(|tell| tell.strong_count() > 0);
            listeners.iter().filter_map(Weak::upgrade).collect()
        };
        for tell in &told {
            tell(publication);
        }
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Snapshot>> {
        self.watched.subscribe()
    }
}

/// Nothing panics while it holds one of these.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who is told of a publication on the graph's thread.
type Listener = Rc<RefCell<dyn FnMut(&Publication)>>;

/// What the effect keeps between its runs.
pub(crate) struct Publisher {
    graph: Graph,
    names: Arc<[Name]>,
    values: Vec<Exposed>,
    published: Arc<Published>,
    /// How often each value had moved when it was read.
    read: RefCell<Vec<Option<u64>>>,
    listeners: RefCell<Vec<Listener>>,
    unshown: RefCell<Vec<(Name, String)>>,
}

impl Publisher {
    /// Publishes the first snapshot, and each from here on; fails where the first cannot be one.
    pub(crate) fn begin(graph: &Graph, exposed: Vec<Exposed>, published: Arc<Published>) -> Result<Rc<Self>, Error> {
        let values: Vec<_> = exposed.into_iter().filter(|exposed| exposed.encode.is_some()).collect();
        let names: Arc<[Name]> = values.iter().map(|value| value.name.clone()).collect();
        let read = RefCell::new(vec![None; values.len()]);
        let (listeners, unshown) = (RefCell::default(), RefCell::default());
        let begun = Rc::new(Self { graph: graph.clone(), names, values, published, read, listeners, unshown });
        let own = begun.clone();
        let _ = effect_at(graph, Rank::Last, move || own.publish()).named("publish");
        if begun.published.snapshot().version() == 0 {
            let detail = format!("the exposed values have more than {MOST_BYTES} bytes; expose less of them");
            return Err(Error::at(Stage::AdapterExecution, "bad_exposure", detail));
        }
        Ok(begun)
    }

    /// Tells `listener` of each publication, inside its flush.
    pub(crate) fn listen(&self, listener: impl FnMut(&Publication) + 'static) {
        self.listeners.borrow_mut().push(Rc::new(RefCell::new(listener)));
    }

    /// The newest snapshot.
    pub(crate) fn snapshot(&self) -> Arc<Snapshot> {
        self.published.snapshot()
    }

    /// The values that JSON could not carry since the last look, with the reason.
    pub(crate) fn take_unshown(&self) -> Vec<(Name, String)> {
        self.unshown.take()
    }

    fn publish(&self) {
        // All that is the user's runs before anything is kept, so that a panic publishes nothing.
        let mut moved = Vec::new();
        for (at, value) in self.values.iter().enumerate() {
            let (count, held) = self.graph.touch(&value.key);
            if self.read.borrow().get(at) != Some(&Some(count))
                && let (Some(encode), Some(held)) = (value.encode, held)
            {
                moved.push((at, count, encode(&*held)));
            }
        }
        let before = self.published.snapshot();
        let mut values = before.values().to_vec();
        let (mut changed, mut unshown) = (Vec::new(), Vec::new());
        for (at, _, text) in &moved {
            let (Some(name), Some(value)) = (self.names.get(*at), values.get_mut(*at)) else { continue };
            match text {
                Ok(text) if *text != *value => {
                    *value = text.clone();
                    changed.push(name.clone());
                }
                Ok(_) => {}
                Err(problem) => {
                    tracing::warn!(value = &**name, problem, "an exposed value is not shown");
                    unshown.push((name.clone(), problem.clone()));
                }
            }
        }
        self.note_unshown(unshown);
        let is_first = before.version() == 0;
        if Snapshot::size(&values) > MOST_BYTES {
            self.too_large(&values);
            return;
        }
        let mut read = self.read.borrow_mut();
        for (at, moves, _) in moved {
            if let Some(read) = read.get_mut(at) {
                *read = Some(moves);
            }
        }
        drop(read);
        if changed.is_empty() && !is_first {
            return;
        }
        let snapshot = Arc::new(Snapshot::new(before.version() + 1, self.names.clone(), values));
        self.published.publish(&snapshot);
        let publication = Publication { snapshot, changed };
        self.published.tell_all(&publication);
        let listeners = self.listeners.borrow().clone();
        for listener in listeners {
            // One that publishes by what it does is told when it is done.
            if let Ok(mut listener) = listener.try_borrow_mut() {
                (*listener)(&publication);
            }
        }
    }

    /// The latest problem of each; nobody may ask for them for long.
    fn note_unshown(&self, unshown: Vec<(Name, String)>) {
        let mut noted = self.unshown.borrow_mut();
        for (name, problem) in unshown {
            match noted.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = problem,
                None => noted.push((name, problem)),
            }
        }
    }

    fn too_large(&self, values: &[Arc<str>]) {
        let mut sizes: Vec<_> = self.names.iter().zip(values).map(|(name, value)| (value.len(), name)).collect();
        sizes.sort_unstable_by(|one, other| other.cmp(one));
        let largest: Vec<_> = sizes.iter().take(3).map(|(bytes, name)| format!("{name} ({bytes} bytes)")).collect();
        tracing::error!(most = MOST_BYTES, largest = largest.join(", "), "the values are too large to be published");
    }
}
