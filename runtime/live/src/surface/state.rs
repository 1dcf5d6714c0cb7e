//! The documents: the whole state, and one a value.

use nodecast::prelude::*;

use super::Surface;
use crate::lines;

/// All exposed values, of one version.
#[resource(uri = "live://state", name = "state", mime = "application/json")]
pub(super) struct State;

impl Resource<Surface> for State {
    type Error = Error;

    async fn read(self, surface: &Surface, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(surface.live.published.snapshot().to_json()))
    }
}

/// One exposed value, with the version that it is of.
#[resource(uri = "live://state/{name}", name = "state_value", mime = "application/json")]
pub(super) struct StateValue {
    /// The name of the value.
    name: String,
}

impl Resource<Surface> for StateValue {
    type Error = Error;

    async fn read(self, surface: &Surface, _: &Context) -> Result<Contents, Error> {
        let snapshot = surface.live.published.snapshot();
        let text = snapshot.value_json(&self.name);
        text.map(Contents::text).ok_or_else(|| {
            let names: Vec<_> = snapshot.iter().map(|(name, _)| format!("`{name}`")).collect();
            let name = lines::cut(&self.name, lines::LONGEST_ARGS);
            Error::not_found(format!("no value is called `{name}`; there are {}", names.join(", ")))
        })
    }
}
