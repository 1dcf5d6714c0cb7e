//! Whole nodes: ports and config fields together, with the widgets that narrow a type.

use nodecast::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::structs::Plain;
use crate::Case;

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    /// As fast as it can be.
    Fast,
    Exact,
}

/// Every widget.
#[nodeset(name = "widgets", nodes(Sliders, Numbers, Choices, Ports))]
#[derive(Default)]
pub(crate) struct Widgets;

#[node]
pub(crate) struct Sliders {
    #[config(slider(min = 0.0, max = 1.0, step = 0.01), default = 0.02)]
    hundredths: f32,
    #[config(slider(min = -5, max = 5, step = 1), default = 0)]
    whole: i8,
    #[config(slider(min = 0, max = 100, step = 5), default = 10)]
    fives: u64,
    #[config(slider(min = 0.0, max = 1.0), default = 0.5)]
    smooth: f64,
    #[config(slider(min = 0.5, max = 3.0, step = 0.1), default = 1.2)]
    tenths: f64,
}

#[node]
pub(crate) struct Numbers {
    #[config(number, default = 3)]
    any: i32,
    #[config(number(min = 1, max = 8), default = 2)]
    few: usize,
    #[config(number(min = 0.5), default = 1.5)]
    above: f32,
    #[config(number)]
    maybe: Option<u16>,
}

#[node]
pub(crate) struct Choices {
    #[config(select, default = "fast")]
    mode: Mode,
    #[config(select("a", "b" = "The second"), default = "a")]
    letter: String,
    #[config(toggle, default = true)]
    on: bool,
    #[config(text, default = "x")]
    line: String,
    #[config(textarea)]
    lines: Option<String>,
}

#[node]
pub(crate) struct Ports {
    first: Vec<Plain>,
    second: Option<Plain>,
    third: Mode,
    picture: Option<Image>,
    #[config(slider(min = 1, max = 9), default = 2)]
    times: u8,
}

macro_rules! nodes {
    ($($node:ident)*) => {$(
        impl Node<Widgets> for $node {
            type Output = ();
            type Error = Error;

            async fn run(self, _: &Widgets, _: &Context) -> Result<(), Error> {
                Ok(())
            }
        }
    )*};
}
nodes! { Sliders Numbers Choices Ports }

pub(crate) fn cases() -> Vec<Case> {
    vec![
        Case { name: "Widgets", run: |agreement| agreement.of_nodeset::<Widgets>() },
        Case { name: "Vision", run: |agreement| agreement.of_nodeset::<vision::Vision>() },
        Case { name: "Kitchen", run: |agreement| agreement.of_nodeset::<kitchen::Kitchen>() },
        Case { name: "Gridworld", run: |agreement| agreement.of_nodeset::<gridworld::Gridworld>() },
    ]
}
