//! Names that trouble other tools are the user's to choose: `b18_names`.

#![forbid(unsafe_code)]
#![deny(warnings)]

use nodecast::prelude::*;

#[nodeset(nodes(r#struct))]
#[derive(Default)]
struct Odd;

#[node]
#[allow(non_camel_case_types, reason = "a keyword as a name")]
struct r#struct {
    r#type: u8,
    r#match: u8,
    r#async: u8,
    self_: u8,
    größe: u8,
    #[port(name = "$ref")]
    reference: u8,
    #[port(name = "a b")]
    spaced: u8,
    #[port(name = "__proto__")]
    proto: u8,
    constructor: u8,
    #[port(name = "kebab-case")]
    kebab_case: u8,
    // Two names, as every client compares them: composed, and decomposed.
    #[port(name = "caf\u{e9}")]
    composed: u8,
    #[port(name = "cafe\u{301}")]
    decomposed: u8,
}

impl Node<Odd> for r#struct {
    type Output = u32;
    type Error = Error;

    async fn run(self, _: &Odd, _: &Context) -> Result<u32, Error> {
        let Self { r#type, r#match, r#async, self_, größe, reference, spaced, proto, constructor, .. } = self;
        let more = [self.kebab_case, self.composed, self.decomposed];
        let all = [r#type, r#match, r#async, self_, größe, reference, spaced, proto, constructor];
        Ok(all.into_iter().chain(more).map(u32::from).sum())
    }
}

#[test]
fn b18_names_reach_the_table_as_they_are() {
    let decl = &<Odd as nodecast::Nodeset>::TABLE.rows[0].decl;
    assert_eq!(decl.name, "struct");
    let names: Vec<&str> = decl.fields.iter().map(|field| field.name).collect();
    assert_eq!(
        names,
        [
            "type",
            "match",
            "async",
            "self_",
            "größe",
            "$ref",
            "a b",
            "__proto__",
            "constructor",
            "kebab-case",
            "caf\u{e9}",
            "cafe\u{301}"
        ]
    );
}
