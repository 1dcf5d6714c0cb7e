//! Verdicts between real types, held to what decodes and encodes them: a node that takes the one is called with the
//! arguments of the other, and what the other sends is read as a client in Rust reads it (`contract.md` 4).

use nodecast::call::{Nodeset, Stage};
use nodecast::catalog::Catalog;
use nodecast::contract::{Promises, diff};
use nodecast::testing::Client;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::drawn::{Dice, document, is_breaking, value};

/// Types, each taken and given back by the node of a nodeset of its own.
macro_rules! types {
    ($($module:ident { $($ty:tt)* } $({ $($items:tt)* })?)*) => {
        $(mod $module {
            #[allow(unused_imports, reason = "not every type needs all of them")]
            use std::collections::{BTreeMap, BTreeSet};

            use nodecast::prelude::*;
            #[allow(unused_imports, reason = "not every type is one of its own")]
            use schemars::JsonSchema;
            #[allow(unused_imports, reason = "not every type is one of its own")]
            use serde::{Deserialize, Serialize};

            $($($items)*)?

            pub(super) type Kept = $($ty)*;

            /// Gives back what it gets.
            #[nodeset(name = "kept", nodes(Echo))]
            #[derive(Default)]
            pub(super) struct Nodes;

            #[node]
            pub(super) struct Echo {
                value: $($ty)*,
            }

            impl Node<Nodes> for Echo {
                type Output = One<Kept>;
                type Error = Error;

                async fn run(self, _: &Nodes, _: &Context) -> Result<One<Kept>, Error> {
                    Ok(One(self.value))
                }
            }
        })*

        /// All of them.
        fn all(dice: &mut Dice) -> Vec<Case> {
            vec![$(Case::of::<$module::Nodes, $module::Kept>(stringify!($module), dice)),*]
        }

        /// What a node of this type answers.
        async fn answers(name: &str, arguments: &[Json]) -> Vec<Option<Json>> {
            match name {
                $(stringify!($module) => answers_of::<$module::Nodes>(arguments).await,)*
                other => panic!("there is no type {other}"),
            }
        }
    };
}

types! {
    byte { u8 }
    short { u16 }
    signed { i32 }
    real { f64 }
    truth { bool }
    text { String }
    maybe_byte { Option<u8> }
    maybe_short { Option<u16> }
    two { [u16; 2] }
    shorts { Vec<u16> }
    signs { Vec<i32> }
    set { BTreeSet<u16> }
    pair { (u8, String) }
    map { BTreeMap<String, u8> }
    wide_map { BTreeMap<String, f64> }
    point { Point } { #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: u8 } }
    wide_point { Point } { #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: i32 } }
    point_and { Point } {
        #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: u8, b: bool }
    }
    point_perhaps { Point } {
        #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: u8, b: Option<bool> }
    }
    point_default { Point } {
        #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: u8, #[serde(default)] b: bool }
    }
    two_words { Word } {
        #[derive(Serialize, Deserialize, JsonSchema)] #[serde(rename_all = "lowercase")] pub(super) enum Word { A, Ab }
    }
    three_words { Word } {
        #[derive(Serialize, Deserialize, JsonSchema)] #[serde(rename_all = "lowercase")]
        pub(super) enum Word { A, Ab, Abc }
    }
    tagged { Dish } {
        #[derive(Serialize, Deserialize, JsonSchema)] #[serde(tag = "kind")]
        pub(super) enum Dish { Soup { a: u8 }, Bread }
    }
    tagged_more { Dish } {
        #[derive(Serialize, Deserialize, JsonSchema)] #[serde(tag = "kind")]
        pub(super) enum Dish { Soup { a: u8 }, Bread, Cake { b: bool } }
    }
    outside { Step } {
        #[derive(Serialize, Deserialize, JsonSchema)] pub(super) enum Step { Rest, Heat(u16) }
    }
    outside_more { Step } {
        #[derive(Serialize, Deserialize, JsonSchema)] pub(super) enum Step { Rest, Heat(u16), Mix { a: u8 } }
    }
    untagged { Amount } {
        #[derive(Serialize, Deserialize, JsonSchema)] #[serde(untagged)] pub(super) enum Amount { Count(u8), Words(String) }
    }
    points { Vec<Point> } { #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: u8 } }
    points_perhaps { Vec<Point> } {
        #[derive(Serialize, Deserialize, JsonSchema)] pub(super) struct Point { a: u8, b: Option<bool> }
    }
}

/// A type with its published schemas.
struct Case {
    name: &'static str,
    input: Json,
    output: Json,
    /// Arguments that it asks for, or nearly so.
    arguments: Vec<Json>,
    /// Whether a client in Rust reads this as one.
    reads: fn(&Json) -> bool,
}

impl Case {
    fn of<S: Nodeset, T: DeserializeOwned>(name: &'static str, dice: &mut Dice) -> Self {
        let catalog = Catalog::of::<S>().unwrap();
        let entry = &catalog.entries[0];
        let (input, output) = (entry.input_schema.clone(), entry.output_schema.clone());
        let drawn = nodecast::schema::inline(&input);
        let arguments = (0..40).map(|_| value(dice, &drawn, 5)).collect();
        Self { name, input, output, arguments, reads: |json| serde_json::from_value::<T>(json.clone()).is_ok() }
    }
}

/// What a node answers to each of these; nothing where it refuses.
async fn answers_of<S: Nodeset>(arguments: &[Json]) -> Vec<Option<Json>> {
    let client = Client::<S>::start(()).await.unwrap();
    let mut answers = Vec::with_capacity(arguments.len());
    for given in arguments {
        answers.push(match client.call("echo", given.clone()).await {
            Ok(outputs) => Some(outputs),
            Err(error) => {
                assert_eq!(error.stage(), Stage::SchemaValidation, "{given}: {error}");
                None
            }
        });
    }
    answers
}

/// What the verdicts were worth.
#[derive(Default)]
struct Tally {
    compatible: usize,
    breaking: usize,
    wolves: Vec<String>,
}

impl Tally {
    fn judge(&mut self, side: &str, [old, new]: [(&str, &Json); 2], refuted: Option<&Json>) {
        let changes = diff(&document(side, old.1), &document(side, new.1), Promises::default());
        match (is_breaking(&changes), refuted) {
            (false, None) => self.compatible += 1,
            (true, Some(_)) => self.breaking += 1,
            (false, Some(value)) => {
                panic!("{side}, {} → {}\nis called {changes:?}\nbut {value} was right, and is not", old.0, new.0)
            }
            (true, None) => self.wolves.push(format!("{side}, {} → {}: {:?}", old.0, new.0, changes[0])),
        }
    }
}

#[tokio::test]
async fn a_verdict_is_what_decoder_and_encoder_do() {
    let cases = all(&mut Dice::new(7));
    let arguments: Vec<Json> = cases.iter().flat_map(|case| case.arguments.clone()).collect();
    let mut answered = Vec::new();
    for case in &cases {
        answered.push(answers(case.name, &arguments).await);
    }
    let mut tally = Tally::default();
    for (old, by_old) in cases.iter().zip(&answered) {
        let expected = jsonschema::draft202012::new(&old.output).unwrap();
        for (new, by_new) in cases.iter().zip(&answered) {
            let refused = by_old.iter().zip(by_new).position(|(old, new)| old.is_some() && new.is_none());
            let names = |of: fn(&Case) -> &Json| [(old.name, of(old)), (new.name, of(new))];
            tally.judge("input_schema", names(|case| &case.input), refused.map(|at| &arguments[at]));
            let wrong = |outputs: &&Json| !expected.is_valid(outputs) || !(old.reads)(&outputs["result"]);
            tally.judge("output_schema", names(|case| &case.output), by_new.iter().flatten().find(wrong));
        }
    }
    let Tally { compatible, breaking, wolves } = tally;
    println!("{compatible} compatible, {breaking} breaking, {} breaking that no value shows", wolves.len());
    assert!(compatible > 100 && breaking > 1_000, "{compatible} compatible, {breaking} breaking");
    assert!(wolves.len() <= 12, "{}", wolves.join("\n"));
}
