//! The names of a catalog's entries with their places: one of a thousand is found as fast as one of ten.

use fnv::FnvHashMap;

use super::{Catalog, Text};

/// Where each entry stands in the list.
#[derive(Clone, Debug)]
pub struct Names(FnvHashMap<Text, usize>);

impl Names {
    /// The names of this catalog, of which no two are equal.
    pub fn of(catalog: &Catalog) -> Self {
        Self(catalog.entries.iter().enumerate().map(|(place, entry)| (entry.full_name.clone(), place)).collect())
    }

    /// The place of the entry of this full name.
    pub fn place(&self, full_name: &str) -> Option<usize> {
        self.0.get(full_name).copied()
    }
}
