//! Generated code names nothing that the prelude would bring, and raises no lint of the strictest crate.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub)]

/// Adds.
#[::nodecast::nodeset(name = "sums", nodes(Add, Fail))]
#[derive(::core::default::Default)]
pub struct Sums;

/// Adds two numbers.
#[::nodecast::node(read_only, title = "Add")]
pub struct Add {
    /// First.
    left: u32,
    /// Second.
    right: ::core::option::Option<u32>,
    /// Third.
    #[config(slider(min = 0, max = 9, step = 1), default = 0, section = "model")]
    more: u32,
    /// Unit.
    #[config(select("m", "s" = "Seconds"), default = "m")]
    unit: ::std::string::String,
}

/// The sum.
#[derive(::nodecast::Outputs)]
pub struct Sum {
    /// All three.
    sum: u32,
    /// As given.
    unit: ::std::string::String,
}

/// Fails.
#[::nodecast::node]
pub struct Fail;

/// Why.
#[derive(::core::fmt::Debug, ::thiserror::Error, ::nodecast::NodeError)]
pub enum Failure {
    /// On purpose.
    #[error("it fails")]
    #[node_error(retryable)]
    OnPurpose,
}

impl ::nodecast::Node<Sums> for Add {
    type Output = Sum;
    type Error = ::core::convert::Infallible;

    async fn run(self, _: &Sums, _: &::nodecast::Context) -> ::core::result::Result<Sum, Self::Error> {
        ::core::result::Result::Ok(Sum { sum: self.left + self.right.unwrap_or(0) + self.more, unit: self.unit })
    }
}

impl ::nodecast::Node<Sums> for Fail {
    type Output = ();
    type Error = Failure;

    async fn run(self, _: &Sums, _: &::nodecast::Context) -> ::core::result::Result<(), Failure> {
        ::core::result::Result::Err(Failure::OnPurpose)
    }
}

#[test]
fn is_declared() {
    let table = <Sums as ::nodecast::Nodeset>::TABLE;
    ::core::assert_eq!(table.decl.name, "sums");
    ::core::assert_eq!(table.rows.len(), 2);
    ::core::assert!(table.rows[1].errors[0].retryable);
}

#[test]
fn is_found_by_a_host() {
    ::core::assert_eq!(::nodecast::catalog::NODESETS.len(), 1);
    ::core::assert_eq!(::nodecast::catalog::NODESETS[0].name, "sums");
}
