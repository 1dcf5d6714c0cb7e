//! The accumulator of a compile's errors: all of them are reported, each at the token that causes it.

use std::fmt::Display;

use proc_macro2::Span;
use quote::ToTokens;

/// What is wrong so far.
#[derive(Debug, Default)]
pub(crate) struct Errors {
    found: Option<syn::Error>,
    count: usize,
}

impl Errors {
    /// Reports an error that spans `tokens`.
    pub(crate) fn error(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Reports an error at a span.
    pub(crate) fn at(&mut self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Reports what `syn` found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.found {
            Some(found) => found.combine(error),
            None => self.found = Some(error),
        }
    }

    /// The value, or nothing and its error reported.
    pub(crate) fn ok<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    /// How many were reported; a reader compares it before and after to know whether its part is sound.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// All that was reported, in the order of reporting.
    pub(crate) fn finish(self) -> Option<syn::Error> {
        self.found
    }
}
