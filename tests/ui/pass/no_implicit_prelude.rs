//! Generated code names nothing that the prelude would bring, and raises no lint of the strictest crate.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub)]

/// Adds.
#[::nodecast::nodeset(name = "sums", as_string, show_errors, nodes(Add, Fail, #[cfg(true)] Many, #[cfg(any())] Gone))]
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

/// Every other word.
#[::nodecast::node(unstable, batched(max = 8, wait_ms = 1), raw_schema = "words.schema.json")]
#[deprecated(since = "0.1.0", note = "not any more")]
pub struct Many {
    /// Wide.
    #[port(as_string, header = "Wide")]
    #[cfg(true)]
    wide: u128,
    /// Narrow.
    #[cfg(false)]
    wide: u8,
    /// Path.
    #[port(nan = "null")]
    #[deprecated]
    path: ::std::vec::Vec<f64>,
    /// Advice.
    #[config(label)]
    advice: (),
    /// Most.
    #[config(number, persist, on_card = false, unset_label = "all")]
    most: ::core::option::Option<u8>,
}

/// All that is shown.
#[derive(::nodecast::Outputs)]
pub struct Shown {
    /// Wide.
    #[port(as_string)]
    #[display(log_list, label = "Wide", max_visible = 3, accumulate)]
    wide: u128,
    /// Path.
    #[port(nan = "null")]
    #[deprecated]
    path: ::std::vec::Vec<f64>,
}

#[allow(deprecated, reason = "it is still served")]
impl ::nodecast::BatchNode<Sums> for Many {
    type Output = Shown;
    type Error = ::nodecast::Error;

    async fn run(
        batch: ::std::vec::Vec<Self>,
        _: &Sums,
        _: &::nodecast::Context,
    ) -> ::std::vec::Vec<::core::result::Result<Shown, Self::Error>> {
        let answer = |one: Self| {
            ::core::result::Result::Ok(Shown {
                wide: one.wide + <u128 as ::core::convert::From<u8>>::from(one.most.unwrap_or(0)),
                path: one.path,
            })
        };
        ::core::iter::Iterator::collect(::core::iter::Iterator::map(
            ::core::iter::IntoIterator::into_iter(batch),
            answer,
        ))
    }
}

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
    ::core::assert_eq!(table.rows.len(), 3);
    ::core::assert!(table.rows[1].errors[0].retryable);
}

#[test]
fn is_found_by_a_host() {
    ::core::assert_eq!(::nodecast::catalog::NODESETS.len(), 1);
    ::core::assert_eq!(::nodecast::catalog::NODESETS[0].name, "sums");
}
