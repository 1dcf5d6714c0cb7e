//! `NODECAST_PRINT=exposure`: what the tables of a binary expose, printed where it would run.

use std::io::Write as _;

use nodecast::Error;
use nodecast::catalog::linked_document;
use serde_json::Value as Json;

use crate::expose::{Expose, Exposes};
use crate::message::{Message, Messages};

/// The variable by which a program is asked for a document instead of being run.
const VARIABLE: &str = "NODECAST_PRINT";

/// Answers the variable, where it is set, and ends the process: nothing of the application has run then.
pub(crate) fn answer() {
    let Some(asked) = std::env::var_os(VARIABLE) else { return };
    let asked = asked.to_string_lossy();
    let code = match linked_document(&asked) {
        Ok(Some(document)) => {
            // A reader that hangs up has had enough.
            let _ = writeln!(std::io::stdout(), "{document}");
            0
        }
        Ok(None) => {
            let _ = writeln!(std::io::stderr(), "error: {VARIABLE}={asked}: a live application prints its `exposure`");
            2
        }
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            3
        }
    };
    std::process::exit(code);
}

/// What a table of messages says.
pub fn messages<M: Message>() -> Result<Json, Error> {
    Ok(Messages::of::<M>()?.to_json())
}

/// What a table of names says.
pub fn exposures<V: Expose>() -> Result<Json, Error> {
    let of = |what| -> Vec<&str> { V::EXPOSED.iter().filter(|decl| decl.what == what).map(|decl| decl.name).collect() };
    Ok(serde_json::json!({ "values": of(Exposes::Value), "nodes": of(Exposes::Node) }))
}
