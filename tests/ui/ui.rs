//! One file a mistake: what the compiler says to it is reviewed as text.
//!
//! `TRYBUILD=overwrite cargo test -p nodecast-ui-tests --test ui` writes the texts anew; read every one before it is
//! committed, as the person would who made the mistake.

#[test]
fn mistakes() {
    let cases = trybuild::TestCases::new();
    for topic in ["node", "nodeset", "outputs", "error"] {
        cases.compile_fail(format!("{topic}/*.rs"));
    }
}
