//! One file a mistake: what the compiler says to it is reviewed as text.
//!
//! `TRYBUILD=overwrite cargo test -p nodecast-ui-tests --test ui` writes the texts anew; read every one before it is
//! committed, as the person would who made the mistake.

use std::process::Command;

/// The compiler whose words the `.stderr` files hold. Others word and lay out their part differently; what the macros
/// say is compared under every compiler, by `tests/tests/messages.rs`.
const RUSTC: &str = "rustc 1.95.";

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so to whoever runs it with --nocapture")]
fn mistakes() {
    let rustc = Command::new(std::env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version").output().unwrap();
    let version = String::from_utf8_lossy(&rustc.stdout);
    if !version.starts_with(RUSTC) {
        eprintln!("not compared: the texts are those of `{RUSTC}x`, and this is {version}");
        return;
    }
    let cases = trybuild::TestCases::new();
    for topic in ["node", "nodeset", "outputs", "error"] {
        cases.compile_fail(format!("{topic}/*.rs"));
    }
}
