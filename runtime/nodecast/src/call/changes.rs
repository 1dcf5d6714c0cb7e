//! What a nodeset tells clients that keep its lists and documents: that they have changed.

use std::fmt;

use tokio::sync::broadcast;

/// What has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// A client may be this many changes behind; what it missed is then told as a change of everything.
const BEHIND: usize = 256;

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
pub struct Changes(Option<broadcast::Sender<Change>>);

impl Changes {
    /// A way that can be listened to; the default one leads nowhere.
    pub fn open() -> Self {
        Self(Some(broadcast::Sender::new(BEHIND)))
    }

    /// Tells those who want to hear of it; nothing happens where nobody does.
    pub fn tell(&self, change: Change) {
        if let Some(sender) = &self.0 {
            // Where nobody listens, nobody misses it.
            let _ = sender.send(change);
        }
    }

    /// Hears of every change from now on.
    pub fn listen(&self) -> Option<broadcast::Receiver<Change>> {
        self.0.as_ref().map(broadcast::Sender::subscribe)
    }
}

impl fmt::Debug for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listeners = self.0.as_ref().map_or(0, broadcast::Sender::receiver_count);
        f.debug_struct("Changes").field("listeners", &listeners).finish()
    }
}
