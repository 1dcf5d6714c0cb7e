//! Doc comments reach the table as written.

#![forbid(unsafe_code)]
#![deny(warnings)]

use nodecast::prelude::*;

/// "Quoted" \ back,	tab, */ end, 😀.
///
///     code
///
#[node]
#[derive(Debug)]
struct Described {
    #[doc = concat!("From ", "a macro.")]
    /// And a line.
    what: String,
    /** A block
     * of two lines. */
    block: u8,
}

#[nodeset(nodes(Described))]
#[derive(Default)]
struct Library;

impl Node<Library> for Described {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Library, _: &Context) -> Result<String, Error> {
        Ok(format!("{}{}", self.what, self.block))
    }
}

#[test]
fn stay_verbatim() {
    let decl = &<Library as nodecast::Nodeset>::TABLE.rows[0].decl;
    assert_eq!(decl.doc, "\"Quoted\" \\ back,\ttab, */ end, 😀.\n\n    code");
    assert_eq!(decl.fields[0].doc, "From a macro.\nAnd a line.");
    assert_eq!(decl.fields[1].doc, "A block\nof two lines.");
    assert!(decl.source.file.ends_with("descriptions.rs"));
    assert_eq!(decl.source.line, 12);
}
