//! A nodeset starts through `Lifecycle` where it has one, even where it is `Default` too.

#![forbid(unsafe_code)]
#![deny(warnings)]

use nodecast::prelude::*;

#[nodeset]
#[derive(Default)]
struct Both;

#[nodeset(name = "default-only")]
#[derive(Default)]
struct DefaultOnly;

#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Settings {}

impl Lifecycle for Both {
    type Settings = Settings;

    async fn start(Settings {}: Settings, _: &Context) -> Result<Self, Error> {
        Ok(Self)
    }
}

#[test]
fn lifecycle_comes_before_default() {
    assert!(<Both as nodecast::Nodeset>::hooks().settings.is_some());
    assert!(<DefaultOnly as nodecast::Nodeset>::hooks().settings.is_none());
}
