//! Declarations by themselves, for what is made of arguments and is no call, such as the messages of a live application.

use std::sync::Arc;

use super::read::{Facts, catalog};
use super::service::signature;
use super::{Catalog, Entry};
use crate::Error;
use crate::call::{Args, FieldChecks, RawArguments, Signature};
use crate::decl::{NodeDecl, NodesetDecl, OutputShape};
use crate::wire::{Regime, Value};

/// A list of declarations, read and checked as those of nodes are.
#[derive(Clone, Debug)]
pub struct Declared {
    catalog: Arc<Catalog>,
    signatures: Arc<[Signature]>,
}

impl Declared {
    /// Reads them as those of the nodeset `set`.
    ///
    /// Fails with type `bad_declaration` where a type's schema and its declaration disagree.
    pub fn new(set: &'static NodesetDecl, declared: &'static [NodeDecl]) -> Result<Self, Error> {
        let facts = |decl| Facts { decl, batched: None, shape: OutputShape::Ports, outputs: &[], errors: &[] };
        let catalog = catalog(set, declared.iter().map(facts).collect())?;
        let mut checks = FieldChecks::default();
        let signatures = catalog.entries.iter().map(|entry| signature(&catalog, entry, &mut checks));
        let signatures = signatures.collect::<Result<_, _>>()?;
        Ok(Self { catalog: Arc::new(catalog), signatures })
    }

    /// What they say, in order.
    pub fn entries(&self) -> &[Entry] {
        &self.catalog.entries
    }

    /// Checks arguments that came as JSON against the declaration at `index`; all that is wrong with them is found.
    pub fn check(&self, index: usize, arguments: Vec<(String, Value)>) -> Result<Args, Error> {
        match self.signatures.get(index) {
            Some(signature) => signature.route(RawArguments::Flat(arguments), Regime::Json),
            None => Err(Error::not_found(format!("there is no declaration {index}"))),
        }
    }
}
