//! How an instance of a nodeset starts and stops.

use std::future::Future;
use std::marker::PhantomData;

use schemars::{JsonSchema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::{BoxFuture, Context};
use crate::Error;
use crate::decl::SchemaFn;
use crate::wire::Value;

/// Start and stop of a nodeset; may be left out when the nodeset is `Default`.
///
/// The settings are an ordinary struct. With `#[serde(default)]` every member may be left out; what is wrong with them is
/// said before `start`, and `codegen-cli inspect --projection settings` lists them.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// A camera on the network.
/// #[nodeset(nodes(Shoot))]
/// struct Camera {
///     address: String,
/// }
///
/// #[derive(Default, serde::Deserialize, schemars::JsonSchema)]
/// #[serde(default)]
/// struct CameraSettings {
///     /// Where it is.
///     address: String,
///     /// What opens it.
///     password: Secret<String>,
/// }
///
/// impl Lifecycle for Camera {
///     type Settings = CameraSettings;
///
///     async fn start(settings: CameraSettings, _: &Context) -> Result<Self, Error> {
///         if settings.password.expose().is_empty() {
///             return Err(Error::new("no_password", "set `password`, or the variable CAMERA__PASSWORD"));
///         }
///         Ok(Self { address: settings.address })
///     }
/// }
/// # /// Says where the camera is.
/// # #[node]
/// # struct Shoot;
/// # impl Node<Camera> for Shoot {
/// #     type Output = String;
/// #     type Error = Error;
/// #     async fn run(self, camera: &Camera, _: &Context) -> Result<String, Error> {
/// #         Ok(camera.address.clone())
/// #     }
/// # }
/// ```
pub trait Lifecycle: Sized + Send + Sync + 'static {
    /// What can be set from outside; `()` for nothing.
    type Settings: DeserializeOwned + JsonSchema + Send;

    /// Makes the instance that serves; calls wait for it, and a failure ends the host with exit code 3.
    fn start(settings: Self::Settings, cx: &Context) -> impl Future<Output = Result<Self, Error>> + Send;

    /// Lets go of what the instance holds; runs on every orderly end.
    fn stop(self) -> impl Future<Output = ()> + Send {
        async {}
    }

    /// Runs in place of [`stop`](Self::stop) where a [`BlockingNode`](super::BlockingNode) that ignores its cancellation
    /// holds on to the instance: lets go of what cannot wait, such as a machine that moves.
    fn abandon(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// The erased form of a nodeset's start and stop.
#[derive(Debug)]
pub struct Hooks<S> {
    /// Schema of the settings; none when the nodeset takes none.
    pub settings: Option<SchemaFn>,
    /// Makes the instance from its settings.
    pub start: for<'a> fn(Value, &'a Context) -> BoxFuture<'a, Result<S, Error>>,
    /// Ends it.
    pub stop: fn(S) -> BoxFuture<'static, ()>,
    /// Lets go of what cannot wait while a blocking node still holds the instance.
    pub abandon: for<'a> fn(&'a S) -> BoxFuture<'a, ()>,
}

impl<S: Send + 'static> Hooks<S> {
    /// Of a nodeset that only the program which makes it can serve, by [`Instance::of`](super::Instance::of).
    pub const fn mounted() -> Self {
        Self {
            settings: None,
            start: |_, _| {
                let detail = "the nodeset is mounted by the program that makes it";
                Box::pin(std::future::ready(Err(Error::at(super::Stage::InternalRuntime, "not_mounted", detail))))
            },
            stop: |set| Box::pin(async move { drop(set) }),
            abandon: |_| Box::pin(std::future::ready(())),
        }
    }
}

/// Picks [`Lifecycle`] before `Default` by method resolution on `&&&Probe`; see `specs/forms.md` A.
#[derive(Debug)]
pub struct Probe<S>(PhantomData<S>);

impl<S> Probe<S> {
    /// The probe of `S`.
    #[allow(clippy::new_without_default, reason = "a probe is made by generated code alone")]
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

/// The first choice: `S` implements [`Lifecycle`].
pub trait ViaLifecycle<S> {
    /// Start and stop through [`Lifecycle`].
    fn hooks(&self) -> Hooks<S>;
}

impl<S: Lifecycle> ViaLifecycle<S> for &&Probe<S> {
    fn hooks(&self) -> Hooks<S> {
        Hooks {
            settings: Some(SchemaGenerator::subschema_for::<S::Settings>),
            start: |settings, cx| Box::pin(async move { S::start(super::settings(settings)?, cx).await }),
            stop: |set| Box::pin(set.stop()),
            abandon: |set| Box::pin(set.abandon()),
        }
    }
}

/// The second choice, one reference less: `S` implements `Default`.
pub trait ViaDefault<S> {
    /// Start through `Default`, stop by dropping.
    fn hooks(&self) -> Hooks<S>;
}

impl<S: Default + Send + 'static> ViaDefault<S> for &Probe<S> {
    fn hooks(&self) -> Hooks<S> {
        Hooks {
            settings: None,
            start: |_, _| Box::pin(std::future::ready(Ok(S::default()))),
            stop: |set| Box::pin(async move { drop(set) }),
            abandon: |_| Box::pin(std::future::ready(())),
        }
    }
}

/// The last choice, which exists for its error message: `S` has neither.
pub trait ViaNothing<S> {
    /// Never there to be called.
    fn hooks(&self) -> Hooks<S>
    where
        S: Startable;
}

impl<S> ViaNothing<S> for Probe<S> {
    fn hooks(&self) -> Hooks<S>
    where
        S: Startable,
    {
        S::NEVER
    }
}

/// What no type implements; its absence is reported where a nodeset cannot start.
#[diagnostic::on_unimplemented(
    message = "the nodeset `{Self}` cannot be started",
    label = "neither `Default` nor `Lifecycle`",
    note = "add `#[derive(Default)]` to `{Self}`, or write `impl nodecast::Lifecycle for {Self}`"
)]
pub trait Startable: Sized {
    /// Nobody makes one.
    const NEVER: Hooks<Self>;
}
