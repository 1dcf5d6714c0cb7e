//! Which Rust types may be an input, an output, or a node's whole result.

use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Args, Invalid, Reply};
use crate::Error;
use crate::decl::{FieldDecl, KeyAnswer, OutputShape, TypeDecl};
#[cfg(feature = "ndarray")]
use crate::wire::{Array, Element};
use crate::wire::{
    Bytes, Control, Depth, DiscreteAction, Image, Metrics, Pose, Tensor, Value, accepts_missing, key_type,
};

/// A type that a port or a config field may have: any serde type with a schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an input",
    label = "not an input type",
    note = "each type that `{Self}` is made of needs `#[derive(serde::Deserialize, schemars::JsonSchema)]`; one of another crate, its feature of schemars, such as `chrono04`"
)]
pub trait Input: DeserializeOwned + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned + JsonSchema + Send + 'static> Input for T {}

/// A type that an output port may have: any serde type with a schema.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an output",
    label = "not an output type",
    note = "each type that `{Self}` is made of needs `#[derive(serde::Serialize, schemars::JsonSchema)]`; one of another crate, its feature of schemars, such as `chrono04`"
)]
pub trait Output: Serialize + JsonSchema + Send + 'static {}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + 'static> Output for T {}

/// The table's view of an input type.
pub const fn input<T: Input>() -> TypeDecl {
    TypeDecl { schema: SchemaGenerator::subschema_for::<T>, optional: accepts_missing::<T>, keys: key_type::<T> }
}

/// The table's view of an output type; an output is always present, null where an `Option` is `None`.
pub const fn output<T: Output>() -> TypeDecl {
    TypeDecl { schema: SchemaGenerator::subschema_for::<T>, optional: never, keys: unknown }
}

/// An input type as `#[node]` needs it, in the table and in the constructor.
///
/// Both ask for it by the same call, so that a type without its derives is one error and not two.
#[derive(Debug)]
pub struct InputType<T> {
    /// The table's view.
    pub decl: TypeDecl,
    /// Takes the next argument.
    pub take: fn(&mut Args) -> Result<T, Invalid>,
}

/// The input type `T`.
pub const fn input_type<T: Input>() -> InputType<T> {
    InputType { decl: input::<T>(), take: Args::take::<T> }
}

/// An output type as `#[derive(Outputs)]` needs it, in the ports and in the encoding; see [`InputType`].
#[derive(Debug)]
pub struct OutputType<T> {
    /// The table's view.
    pub decl: TypeDecl,
    /// Puts the value of the next port.
    pub put: fn(&mut Reply, &T) -> Result<(), Error>,
}

/// The output type `T`.
pub const fn output_type<T: Output>() -> OutputType<T> {
    OutputType { decl: output::<T>(), put: Reply::put::<T> }
}

fn never() -> bool {
    false
}

/// Who only sends reads no keys.
fn unknown(_: serde_json::Value) -> Option<KeyAnswer> {
    None
}

/// What a node may return: a struct with `#[derive(Outputs)]`, a plain value as one port named `result`, or `()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be what a node returns",
    label = "not outputs",
    note = "add `#[derive(nodecast::Outputs)]` to a struct with one field a port, or return `nodecast::One<{Self}>` for one port named `result`"
)]
pub trait Outputs: Send + 'static {
    /// What the result is made of.
    const SHAPE: OutputShape = OutputShape::Ports;
    /// The ports, in order.
    const PORTS: &'static [FieldDecl];

    /// Puts each port's value into the reply, in the order of `PORTS`.
    fn encode(self, reply: &mut Reply) -> Result<(), Error>;
}

/// One output port named `result` for a serde type of the user's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct One<T>(pub T);

#[diagnostic::do_not_recommend]
impl Outputs for () {
    const PORTS: &'static [FieldDecl] = &[];

    fn encode(self, _: &mut Reply) -> Result<(), Error> {
        Ok(())
    }
}

macro_rules! one_port {
    ($([$($generics:tt)*] $ty:ty, $written:literal;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Outputs for $ty {
            const PORTS: &'static [FieldDecl] = &[FieldDecl::port("result", "", $written, output::<$ty>())];

            fn encode(self, reply: &mut Reply) -> Result<(), Error> {
                reply.put(&self)
            }
        }
    )*};
}

one_port! {
    [] String, "String";
    [] char, "char";
    [] bool, "bool";
    [] i8, "i8";
    [] i16, "i16";
    [] i32, "i32";
    [] i64, "i64";
    [] isize, "isize";
    [] u8, "u8";
    [] u16, "u16";
    [] u32, "u32";
    [] u64, "u64";
    [] usize, "usize";
    [] f32, "f32";
    [] f64, "f64";
    [] DiscreteAction, "DiscreteAction";
    [] Pose, "Pose";
    [] Control, "Control";
    [] Metrics, "Metrics";
    [] Depth, "Depth";
    [] Image, "Image";
    [] Tensor, "Tensor";
    [] Bytes, "Bytes";
    [] Value, "Value";
    [T: Output] Vec<T>, "Vec";
    [T: Output] Option<T>, "Option";
}

#[cfg(feature = "ndarray")]
one_port! {
    [T: Element, D: ndarray::Dimension + 'static] Array<T, D>, "Array";
}

#[diagnostic::do_not_recommend]
impl<T: Output> Outputs for One<T> {
    const PORTS: &'static [FieldDecl] = &[FieldDecl::port("result", "", "One", output::<T>())];

    fn encode(self, reply: &mut Reply) -> Result<(), Error> {
        reply.put(&self.0)
    }
}
