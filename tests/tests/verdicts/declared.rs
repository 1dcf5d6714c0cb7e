//! Edits as developers make them, of real declarations: the harmless ones raise no alarm, and the step back of those that
//! promise more does.

use nodecast::call::Nodeset;
use nodecast::catalog::Catalog;
use nodecast::contract::{self, Change, Promises, Verdict, diff};

/// A nodeset of one node with these fields and this output.
macro_rules! edition {
    ($module:ident, $(#[$node:meta])* { $($fields:tt)* } -> $output:ty $(, $more:item)*) => {
        mod $module {
            use nodecast::prelude::*;
            #[allow(unused_imports, reason = "not every edition has types of its own")]
            use schemars::JsonSchema;
            #[allow(unused_imports, reason = "not every edition has types of its own")]
            use serde::{Deserialize, Serialize};

            $($more)*

            /// Nodes to be edited.
            #[nodeset(name = "edited", nodes(Act))]
            #[derive(Default)]
            pub(super) struct Edited;

            $(#[$node])*
            pub(super) struct Act { $($fields)* }

            impl Node<Edited> for Act {
                type Output = $output;
                type Error = Error;

                async fn run(self, _: &Edited, _: &Context) -> Result<$output, Error> {
                    Err(Error::new("not_called", "nobody calls it"))
                }
            }
        }
    };
}

fn document<S: Nodeset>() -> serde_json::Value {
    let catalog = Catalog::of::<S>().unwrap();
    serde_json::from_str(&contract::document(&catalog).unwrap().text).unwrap()
}

fn changes<A: Nodeset, B: Nodeset>() -> Vec<Change> {
    diff(&document::<A>(), &document::<B>(), Promises::default())
}

/// From the first to the second is harmless.
macro_rules! harmless {
    ($($old:ident => $new:ident),* $(,)?) => {
        $({
            let changes = changes::<$old::Edited, $new::Edited>();
            let worst = contract::worst(&changes);
            assert!(worst.is_none_or(|worst| worst <= Verdict::Compatible), "{} → {}: {changes:#?}", stringify!($old), stringify!($new));
        })*
    };
}

/// From the first to the second breaks somebody.
macro_rules! breaking {
    ($($old:ident => $new:ident),* $(,)?) => {
        $({
            let changes = changes::<$old::Edited, $new::Edited>();
            assert_eq!(contract::worst(&changes), Some(Verdict::Breaking), "{} → {}", stringify!($old), stringify!($new));
        })*
    };
}

edition!(plain, #[doc = "Acts."] #[node] { #[doc = "A text."] text: String } -> String);
edition!(reworded, #[doc = "Does act."] #[node(title = "Act")] { #[doc = "The text."] text: String } -> String);
edition!(with_optional, #[doc = "Acts."] #[node] { #[doc = "A text."] text: String, more: Option<u32> } -> String);
edition!(with_required, #[doc = "Acts."] #[node] { #[doc = "A text."] text: String, more: u32 } -> String);
edition!(with_config, #[doc = "Acts."] #[node] { #[doc = "A text."] text: String, #[config(default = 3)] times: u32 } -> String);
edition!(now_optional, #[doc = "Acts."] #[node] { #[doc = "A text."] text: Option<String> } -> String);
edition!(hinted, #[doc = "Acts."] #[node(read_only, idempotent)] { #[doc = "A text."] text: String } -> String);
edition!(repeatable, #[doc = "Acts."] #[node(idempotent)] { #[doc = "A text."] text: String } -> String);
edition!(renamed, #[doc = "Acts."] #[node] { #[doc = "A text."] source_text: String } -> String);
edition!(other_type, #[doc = "Acts."] #[node] { #[doc = "A text."] text: bool } -> String);
edition!(gone_output, #[doc = "Acts."] #[node] { #[doc = "A text."] text: String } -> ());

edition!(aliased, #[doc = "Acts."] #[node] { #[doc = "A text."] text: Words } -> Words, pub(super) type Words = String;);
edition!(with_two, #[doc = "Acts."] #[node] { #[doc = "A text."] text: String, more: Option<u32>, less: Option<u32> } -> String);
edition!(turned_round, #[doc = "Acts."] #[node] { less: Option<u32>, more: Option<u32>, #[doc = "A text."] text: String } -> String);

/// The same node from another struct, and a second one.
mod grown {
    use nodecast::prelude::*;

    /// Nodes to be edited.
    #[nodeset(name = "edited", nodes(Rest, Perform))]
    #[derive(Default)]
    pub(super) struct Edited;

    #[doc = "Rests."]
    #[node]
    pub(super) struct Rest;

    #[doc = "Acts."]
    #[node(name = "act")]
    pub(super) struct Perform {
        #[doc = "A text."]
        text: String,
    }

    impl Node<Edited> for Rest {
        type Output = ();
        type Error = Error;

        async fn run(self, _: &Edited, _: &Context) -> Result<(), Error> {
            Ok(())
        }
    }

    impl Node<Edited> for Perform {
        type Output = String;
        type Error = Error;

        async fn run(self, _: &Edited, _: &Context) -> Result<String, Error> {
            Ok(self.text)
        }
    }
}

edition!(small, #[node] { n: u8 } -> u32);
edition!(large, #[node] { n: u32 } -> u8);
edition!(slid, #[node] { #[config(slider(min = 1, max = 9), default = 2)] n: u32 } -> String);
edition!(slid_further, #[node] { #[config(slider(min = 0, max = 12), default = 2)] n: u32 } -> String);
edition!(slid_otherwise, #[node] { #[config(slider(min = 1, max = 9), default = 3)] n: u32 } -> String);
edition!(two_voices, #[node] { #[config(select("low", "high"), default = "low")] voice: String } -> String);
edition!(three_voices, #[node] { #[config(select("low", "mid", "high"), default = "low")] voice: String } -> String);

edition!(nested, #[node] { area: Area, areas: Vec<Area> } -> Seen,
    #[derive(Deserialize, JsonSchema)] pub(super) struct Area { x: f32, y: f32 },
    #[derive(Outputs)] pub(super) struct Seen { found: Vec<Found> },
    #[derive(Serialize, JsonSchema)] pub(super) struct Found { name: String, share: Option<f32> });
// The same in another order, by other names of types, with a private function between.
edition!(reordered, #[node] { area: Region, areas: Vec<Region> } -> Noticed,
    #[derive(Serialize, JsonSchema)] pub(super) struct Hit { share: Option<f32>, name: String },
    pub(super) fn private() {},
    #[derive(Outputs)] pub(super) struct Noticed { found: Vec<Hit> },
    #[derive(Deserialize, JsonSchema)] pub(super) struct Region { y: f32, x: f32 });
edition!(nested_more, #[node] { area: Area, areas: Vec<Area> } -> Seen,
    #[derive(Deserialize, JsonSchema)] pub(super) struct Area { x: f32, y: f32, #[serde(default)] turned: bool },
    #[derive(Outputs)] pub(super) struct Seen { found: Vec<Found>, count: u32 },
    #[derive(Serialize, JsonSchema)] pub(super) struct Found { name: String, share: Option<f32>, red: u8 });
edition!(nested_otherwise, #[node] { area: Box<Area>, areas: Vec<Area> } -> Seen,
    #[derive(Deserialize, JsonSchema)] pub(super) struct Area { #[serde(alias = "left")] x: f32, y: f32 },
    #[derive(Outputs)] pub(super) struct Seen { found: Vec<Found> },
    #[derive(Serialize, JsonSchema)] pub(super) struct Found { name: String, share: Option<f32> });
edition!(nested_surely, #[node] { area: Area, areas: Vec<Area> } -> Seen,
    #[derive(Deserialize, JsonSchema)] pub(super) struct Area { x: f32, y: f32 },
    #[derive(Outputs)] pub(super) struct Seen { found: Vec<Found> },
    #[derive(Serialize, JsonSchema)] pub(super) struct Found { name: String, share: f32 });

edition!(steps, #[node] { step: Step } -> One<Outcome>,
    #[derive(Deserialize, JsonSchema)] pub(super) enum Step { Rest, Heat(u16) },
    #[derive(Serialize, JsonSchema)] pub(super) enum Outcome { Done, Burnt });
edition!(more_steps, #[node] { step: Step } -> One<Outcome>,
    #[derive(Deserialize, JsonSchema)] pub(super) enum Step { Rest, Heat(u16), Mix { minutes: u8 } },
    #[derive(Serialize, JsonSchema)] pub(super) enum Outcome { Done });
edition!(documented_steps, #[node] { step: Step } -> One<Outcome>,
    /// What to do.
    #[derive(Deserialize, JsonSchema)] pub(super) enum Step { #[doc = "Wait."] Rest, #[doc = "Heat."] Heat(u16) },
    #[derive(Serialize, JsonSchema)] pub(super) enum Outcome { #[doc = "It is done."] Done, Burnt });
edition!(tagged, #[node] { order: Order } -> String,
    #[derive(Deserialize, JsonSchema)] #[serde(tag = "kind")] pub(super) enum Order { Soup { bowls: u8 }, Bread });
edition!(tagged_more, #[node] { order: Order } -> String,
    #[derive(Deserialize, JsonSchema)] #[serde(tag = "kind")]
    pub(super) enum Order { Bread, Cake, Soup { bowls: u16, #[serde(default)] hot: bool } });
edition!(tree, #[node] { tree: Tree } -> String,
    #[derive(Deserialize, JsonSchema)] pub(super) struct Tree { leaf: u8, parts: Vec<Tree> });
edition!(tree_wider, #[node] { tree: Tree } -> String,
    #[derive(Deserialize, JsonSchema)] pub(super) struct Tree { leaf: u16, #[serde(default)] parts: Vec<Tree> });

#[test]
fn twenty_harmless_edits_raise_no_alarm() {
    harmless!(
        plain => reworded,
        plain => with_optional,
        plain => with_config,
        plain => now_optional,
        plain => repeatable,
        plain => aliased,
        plain => grown,
        with_optional => with_two,
        with_two => turned_round,
        small => large,
        slid => slid_further,
        two_voices => three_voices,
        nested => reordered,
        nested => nested_otherwise,
        nested => nested_more,
        nested => nested_surely,
        steps => more_steps,
        steps => documented_steps,
        tagged => tagged_more,
        tree => tree_wider,
    );
}

/// What a dependency may do to the words of a schema when it is raised.
#[test]
fn the_same_schema_in_other_words_is_no_change() {
    let old = document::<slid::Edited>();
    let mut new = old.clone();
    let schema = &mut new["contract"]["nodes"][0]["input_schema"];
    let n = schema["properties"]["n"].as_object_mut().unwrap();
    assert_eq!((&n["minimum"], &n["maximum"]), (&1.into(), &9.into()));
    n.shift_remove("minimum");
    n.insert("exclusiveMinimum".to_owned(), 0.into());
    n.insert("maximum".to_owned(), 9.0.into());
    n.insert("x-of-a-tool".to_owned(), true.into());
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    let changes = diff(&old, &new, Promises::default());
    assert!(contract::worst(&changes).is_none_or(|worst| worst <= Verdict::Compatible), "{changes:#?}");
}

#[test]
fn what_breaks_is_called_so() {
    breaking!(
        grown => plain,
        plain => with_required,
        with_required => plain,
        with_optional => plain,
        with_config => plain,
        now_optional => plain,
        hinted => plain,
        plain => renamed,
        plain => other_type,
        plain => gone_output,
        large => small,
        slid_further => slid,
        three_voices => two_voices,
        nested_more => nested,
        nested_surely => nested,
        more_steps => steps,
        tagged_more => tagged,
        tree_wider => tree,
    );
}

#[test]
fn another_default_is_worth_a_thought_and_breaks_nothing() {
    let found = changes::<slid::Edited, slid_otherwise::Edited>();
    let rows: Vec<_> = found.iter().map(|change| (change.rule.id, change.verdict, change.pointer.as_str())).collect();
    assert_eq!(rows, [("default_changed", Verdict::Warning, "/n")]);
}

/// Clients let it run without asking from then on.
#[test]
fn a_promise_to_change_nothing_is_worth_a_thought() {
    let found = changes::<plain::Edited, hinted::Edited>();
    let rows: Vec<_> = found.iter().map(|change| (change.rule.id, change.verdict)).collect();
    assert_eq!(rows, [("read_only_gained", Verdict::Warning), ("idempotent_gained", Verdict::Compatible)]);
}

/// What a widget offers follows from what the schema takes: nobody wants to read it twice.
#[test]
fn a_bound_and_an_option_are_said_once() {
    let found = changes::<slid::Edited, slid_further::Edited>();
    let rows: Vec<_> = found.iter().map(|change| (change.rule.id, change.message.as_str())).collect();
    assert_eq!(rows, [("range_changed", "minimum 1, maximum 9 → minimum 0, maximum 12")]);
    let found = changes::<two_voices::Edited, three_voices::Edited>();
    assert_eq!(found.iter().map(|change| change.rule.id).collect::<Vec<_>>(), ["value_added"]);
}

#[test]
fn a_renamed_port_is_one_row() {
    let found = changes::<plain::Edited, renamed::Edited>();
    let rows: Vec<_> = found.iter().map(|change| (change.rule.id, change.message.as_str())).collect();
    assert_eq!(rows, [("field_renamed", "`text` is called `source_text`")]);
}

#[test]
fn a_release_without_a_change_is_none() {
    let catalog = Catalog::of::<nested::Edited>().unwrap();
    let released = Catalog { version: "99.0.0".into(), ..catalog };
    let released = serde_json::from_str(&contract::document(&released).unwrap().text).unwrap();
    assert_eq!(diff(&document::<nested::Edited>(), &released, Promises::default()), []);
}
