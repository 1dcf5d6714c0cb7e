//! A node may serve every nodeset that has what it needs.

#![forbid(unsafe_code)]
#![deny(warnings)]

use nodecast::prelude::*;

trait HasName {
    fn name(&self) -> &'static str;
}

#[nodeset(nodes(Name))]
#[derive(Default)]
struct First;

#[nodeset(parallelism = "replicated", exclusive = false, nodes(Name))]
#[derive(Default)]
struct Second;

impl HasName for First {
    fn name(&self) -> &'static str {
        "first"
    }
}

impl HasName for Second {
    fn name(&self) -> &'static str {
        "second"
    }
}

#[node]
struct Name;

impl<S: HasName + Send + Sync> Node<S> for Name {
    type Output = String;
    type Error = Error;

    async fn run(self, set: &S, _: &Context) -> Result<String, Error> {
        Ok(set.name().to_owned())
    }
}

#[test]
fn both_hold_it() {
    let (first, second) = (<First as nodecast::Nodeset>::TABLE, <Second as nodecast::Nodeset>::TABLE);
    assert_eq!(first.rows[0].decl.name, second.rows[0].decl.name);
}
