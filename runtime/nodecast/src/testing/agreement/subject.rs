//! What is judged: a node's arguments, on one side as its published schemas read by a validator that knows nothing of
//! us, on the other as the call path takes them.

use std::marker::PhantomData;
use std::sync::Arc;

use futures_util::FutureExt;
use jsonschema::Draft;
use serde_json::Value as Json;

use super::cross::{halved, within_json};
use crate::Error;
use crate::call::{
    Args, BoxFuture, Caller, Context, End, Finding, Input, Nodeset, One, Output, Outputs, RawArguments, Reply, Runner,
    Stage, input,
};
use crate::catalog::{Catalog, Entry, Field, Service};
use crate::decl::{FieldDecl, NodeDecl, NodesetDecl, Source};
use crate::wire::{Regime, Value, WireError};

/// One node.
pub(super) struct Subject {
    /// Its name on every face.
    pub(super) name: String,
    /// The published schema of its arguments.
    pub(super) schema: Json,
    pub(super) published: Oracle,
    /// The published schema of what it returns.
    pub(super) sent: Oracle,
    fields: Vec<FieldOracle>,
    /// Whether JSON carries the numbers of a field in a form of its own.
    pub(super) has_forms: bool,
    service: Service,
}

/// A schema as the validator reads it that knows nothing of us.
pub(super) struct Oracle(jsonschema::Validator);

struct FieldOracle {
    name: String,
    /// Whether null means that it was left out, whatever the schema says.
    may_be_unset: bool,
    /// The schema with the range of 64-bit integers, which msgpack carries.
    checked: Oracle,
}

/// What the call path says.
pub(super) enum Verdict {
    /// The arguments decoded; the reply where the node has run.
    Accepted(Option<Reply>),
    Refused(Vec<Finding>),
    /// Neither: the arguments were taken, and what follows failed.
    Failed(Error),
}

impl Subject {
    /// The nodes of `S`, called up to the point where one would run.
    pub(super) fn nodes_of<S: Nodeset>() -> Result<Vec<Self>, Error> {
        Self::all(Catalog::of::<S>()?, Arc::new(Decoding::<S>(PhantomData)))
    }

    /// The type `T` as the one argument and the one output of a node that returns what it gets.
    pub(super) fn of_both<T: Input + Output>() -> Result<Vec<Self>, Error> {
        Self::of_type(Port::<T>::DECL, One::<T>::PORTS, echo::<T>)
    }

    /// The type `T` as the one argument of a node.
    pub(super) fn of_input<T: Input>() -> Result<Vec<Self>, Error> {
        Self::of_type(Port::<T>::DECL, &[], take::<T>)
    }

    // Not generic, so that a corpus of hundreds of types costs the compiler what is theirs alone.
    fn of_type(decl: &'static NodeDecl, outputs: &'static [FieldDecl], run: Run) -> Result<Vec<Self>, Error> {
        Self::all(Catalog::of_node(SET, decl, outputs)?, Arc::new(Running(run)))
    }

    fn all(catalog: Catalog, runner: Arc<dyn Runner>) -> Result<Vec<Self>, Error> {
        let service = Service::new(Arc::new(catalog), runner)?;
        service.catalog().entries.iter().map(|entry| Self::new(&service, entry)).collect()
    }

    fn new(service: &Service, entry: &Entry) -> Result<Self, Error> {
        let field = |field: &Field| {
            let checked = Oracle::new(&field.checked)?;
            let may_be_unset = field.config.is_some();
            Ok::<_, Error>(FieldOracle { name: field.name.to_string(), may_be_unset, checked })
        };
        Ok(Self {
            name: entry.full_name.to_string(),
            schema: entry.input_schema.clone(),
            published: Oracle::new(&entry.input_schema)?,
            sent: Oracle::new(&entry.output_schema)?,
            has_forms: entry.inputs.iter().any(|field| field.checked_json.is_some()),
            fields: entry.inputs.iter().map(field).collect::<Result<_, _>>()?,
            service: service.clone(),
        })
    }

    /// What msgpack has in place of what JSON does: the names are the published ones, and each value is judged by the
    /// schema of its field that has the range of 64-bit integers.
    pub(super) fn accepts_in_msgpack(&self, arguments: &Json) -> bool {
        let Some(members) = arguments.as_object() else { return false };
        let listed = |keyword: &str| self.schema.get(keyword).and_then(Json::as_array).into_iter().flatten();
        let is_there = |name: &Json| name.as_str().is_some_and(|name| members.contains_key(name));
        let accepts = |(name, value): (&String, &Json)| {
            let accepts = |field: &FieldOracle| field.checked.accepts(value) && field.checked.accepts(&halved(value));
            self.fields.iter().any(|field| field.name == *name && accepts(field))
        };
        // What lies in the range of its type is judged as if it lay in that of JSON.
        let in_range = self.has_forms || self.published.accepts(&within_json(arguments));
        in_range && listed("required").all(is_there) && members.iter().all(accepts)
    }

    /// The arguments without the config fields that are null, which an editor means as "unset" (`wire.md` 2.4).
    pub(super) fn without_unset(&self, arguments: &Json) -> Json {
        let mut arguments = arguments.clone();
        if let Some(members) = arguments.as_object_mut() {
            members.retain(|name, value| {
                !(value.is_null() && self.fields.iter().any(|f| f.may_be_unset && f.name == *name))
            });
        }
        arguments
    }

    /// What the call path says of arguments as they came.
    pub(super) fn call(&self, arguments: Result<Value, WireError>, regime: Regime) -> Verdict {
        let arguments = match arguments {
            Ok(Value::Map(map)) => map,
            Ok(other) => {
                let detail = format!("the arguments are {}", other.describe());
                return Verdict::Refused(vec![Finding { kind: "not_a_map", detail, ..Finding::default() }]);
            }
            Err(error) => return Verdict::Refused(vec![error.into()]),
        };
        let named = arguments.into_iter().map(|(name, value)| Some((name.as_text()?.to_owned(), value)));
        let Some(named) = named.collect::<Option<Vec<_>>>() else {
            return Verdict::Refused(vec![Finding { kind: "map_key", ..Finding::default() }]);
        };
        let cx = Context::new(Caller { face: "agreement", regime, principal: None });
        let outcome = self.service.call(&self.name, RawArguments::Flat(named), &cx).now_or_never();
        match outcome {
            Some(Ok(reply)) => Verdict::Accepted(Some(reply)),
            Some(Err(error)) if error.kind() == DECODED => Verdict::Accepted(None),
            Some(Err(error)) if error.stage() == Stage::SchemaValidation => Verdict::Refused(error.findings().to_vec()),
            Some(Err(error)) => Verdict::Failed(error),
            None => Verdict::Failed(defect("the call did not end at once")),
        }
    }
}

fn defect(problem: &str) -> Error {
    Error::at(Stage::InternalRuntime, "defect", problem)
}

impl Oracle {
    fn new(schema: &Json) -> Result<Self, Error> {
        let compiled = jsonschema::options()
            .with_draft(Draft::Draft202012)
            .should_validate_formats(true)
            .offline()
            .build(schema)
            .map_err(|error| defect(&format!("the published schema is none: {error}")))?;
        Ok(Self(compiled))
    }

    pub(super) fn accepts(&self, value: &Json) -> bool {
        self.0.is_valid(value)
    }

    /// The first thing that is wrong.
    pub(super) fn complaint(&self, value: &Json) -> String {
        match self.0.validate(value) {
            Ok(()) => "accepts it".to_owned(),
            Err(error) => format!("refuses it: {error} (at `{}`)", error.instance_path()),
        }
    }
}

/// How a call ends that was taken and not run.
const DECODED: &str = "decoded_only";

fn decoded() -> Error {
    Error::new(DECODED, "the arguments decoded")
}

/// Decodes the arguments of a node of `S` and runs nothing.
struct Decoding<S>(PhantomData<fn() -> S>);

impl<S: Nodeset> Runner for Decoding<S> {
    fn run<'a>(&'a self, index: usize, mut args: Args, _: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        let row = S::TABLE.rows.get(index).ok_or_else(|| defect("the catalog and the table disagree"));
        let ended = row.and_then(|row| (row.decode)(&mut args).map_err(Error::from));
        Box::pin(std::future::ready(ended.and_then(|()| Err(decoded()))))
    }

    fn stop(&self) -> BoxFuture<'_, End> {
        Box::pin(std::future::ready(End::Stopped))
    }
}

/// The call of the one node of a type.
type Run = fn(Args) -> Result<Reply, Error>;

struct Running(Run);

impl Runner for Running {
    fn run<'a>(&'a self, _: usize, args: Args, _: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        Box::pin(std::future::ready((self.0)(args)))
    }

    fn stop(&self) -> BoxFuture<'_, End> {
        Box::pin(std::future::ready(End::Stopped))
    }
}

const HERE: Source = Source { file: file!(), line: line!() };

const SET: &NodesetDecl = &NodesetDecl::new("agreement", "One type.", "", HERE);

/// A `T` as the one port of a node.
struct Port<T>(PhantomData<fn() -> T>);

impl<T: Input> Port<T> {
    const DECL: &'static NodeDecl =
        &NodeDecl::new("echo", "", HERE).fields(&[FieldDecl::port("x", "", "T", input::<T>())]);
}

/// Returns what it gets.
fn echo<T: Input + Output>(mut args: Args) -> Result<Reply, Error> {
    let value = One(args.take::<T>()?);
    let mut reply = Reply::new(One::<T>::PORTS);
    value.encode(&mut reply)?;
    Ok(reply)
}

/// Drops what it gets.
fn take<T: Input>(mut args: Args) -> Result<Reply, Error> {
    args.take::<T>()?;
    Err(decoded())
}
