//! A nodeset `set` with one node `echo`, which takes an `x` of a type and returns it as `y`, for any type.

use std::marker::PhantomData;

use nodecast::call::{
    Args, Arguments, Hooks, Input, Invalid, Node, Nodeset, Output, Outputs, Probe, Reply, Table, ViaDefault, input,
    output, row,
};
use nodecast::catalog::Catalog;
use nodecast::contract::{self, Profile};
use nodecast::decl::{FieldDecl, NodeDecl, NodesetDecl, Source};
use nodecast::testing::Client;
use nodecast::wire::{Regime, Value};
use nodecast::{Context, Error};
use serde_json::{Value as Json, json};

const HERE: Source = Source { file: "here.rs", line: 1 };

/// A type that may be taken and returned.
pub(crate) trait Both: Input + Output + Sync {}

impl<T: Input + Output + Sync> Both for T {}

pub(crate) struct Set<T>(PhantomData<T>);

impl<T> Default for Set<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

struct Echo<T>(T);

struct Back<T>(T);

impl<T: Both> Nodeset for Set<T> {
    const TABLE: &'static Table<Self> =
        &Table::new(NodesetDecl::new("set", "Any type.", "1.0.0", HERE), &[row::<Self, _, Echo<T>>()]);

    fn hooks() -> Hooks<Self> {
        ViaDefault::hooks(&&Probe::new())
    }
}

impl<T: Both> Arguments for Echo<T> {
    const DECL: NodeDecl =
        NodeDecl::new("echo", "Gives it back.", HERE).fields(&[FieldDecl::port("x", "", "T", input::<T>())]);

    fn decode(args: &mut Args) -> Result<Self, Invalid> {
        Ok(Self(args.take()?))
    }
}

impl<T: Both> Node<Set<T>> for Echo<T> {
    type Output = Back<T>;
    type Error = Error;

    async fn run(self, _: &Set<T>, _: &Context) -> Result<Back<T>, Error> {
        Ok(Back(self.0))
    }
}

impl<T: Both> Outputs for Back<T> {
    const PORTS: &'static [FieldDecl] = &[FieldDecl::port("y", "", "T", output::<T>())];

    fn encode(self, reply: &mut Reply) -> Result<(), Error> {
        reply.put(&self.0)
    }
}

/// The schema of `x` in a profile, with the definitions of the document put beside it.
pub(crate) fn taken<T: Both>(profile: Profile) -> Json {
    let catalog = Catalog::of::<Set<T>>().unwrap();
    property(&Json::Object(contract::tools(&catalog, profile)[0].input_schema.clone()), "x")
}

/// The schema of `y` as a result has it.
pub(crate) fn given<T: Both>(profile: Profile) -> Json {
    let catalog = Catalog::of::<Set<T>>().unwrap();
    let schema = contract::tools(&catalog, profile)[0].output_schema.clone();
    property(&Json::Object(schema.unwrap()), "y")
}

fn property(document: &Json, name: &str) -> Json {
    let mut schema = document["properties"][name].clone();
    if let (Some(definitions), Some(schema)) = (document.get("$defs"), schema.as_object_mut()) {
        schema.insert("$defs".to_owned(), definitions.clone());
    }
    schema
}

/// Calls `echo` in both regimes; what comes back is the same, or refused with the same findings.
pub(crate) async fn called<T: Both>(x: Json) -> Result<Json, Error> {
    let client = Client::<Set<T>>::start(()).await.unwrap();
    let arguments = json!({ "x": x });
    let in_json = client.call("echo", arguments.clone()).await;
    let in_msgpack = client.call_with("echo", Value::from(arguments), Regime::Msgpack).await;
    let in_msgpack = in_msgpack.map(|outputs| outputs.to_json().unwrap());
    match (&in_json, &in_msgpack) {
        (Ok(a), Ok(b)) => assert_eq!(a, b, "{x}"),
        (Err(a), Err(b)) => assert_eq!(a.findings(), b.findings(), "{x}"),
        (a, b) => panic!("{x}: JSON {a:?}, msgpack {b:?}"),
    }
    in_json.map(|outputs| outputs["y"].clone())
}

/// Whether the published schema and the call agree on each value, and on the verdict that is expected.
pub(crate) async fn agree<T: Both>(valid: &[Json], invalid: &[Json]) {
    for profile in [Profile::Full, Profile::Inline] {
        let schema = taken::<T>(profile);
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        for x in valid {
            assert!(validator.is_valid(x), "{}: {x} is valid by {schema}", profile.as_str());
        }
        for x in invalid {
            assert!(!validator.is_valid(x), "{}: {x} is invalid by {schema}", profile.as_str());
        }
    }
    for x in valid {
        called::<T>(x.clone()).await.unwrap();
    }
    for x in invalid {
        let refused = called::<T>(x.clone()).await.unwrap_err();
        assert_eq!(refused.stage().as_str(), "schema_validation", "{x}: {refused}");
        assert!(refused.findings()[0].pointer.starts_with("/x"), "{x}: {refused:?}");
    }
}
