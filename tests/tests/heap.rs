//! What a body may cost in memory: less than four times its bytes and 4 MiB (`wire.md` 4, fault T16).
//!
//! A binary of its own, since the allocator that counts is one for all threads, and one test for the same reason.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a test ends where something is not as it should be, and says what it measured"
)]

use std::alloc::System;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use cap::Cap;

use nodecast::call::{FieldCheck, Input, input};
use nodecast::decl::FieldDecl;
use nodecast::prelude::*;
use nodecast::schema;
use nodecast::wire::{Regime, from_value_in, json, msgpack};
use schemars::JsonSchema;
use serde::Deserialize;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, usize::MAX);

/// Decodes, checks and decodes on as a call does; the most that it took beside the body, and how it ended.
fn peak<T: Input>(body: &[u8], regime: Regime) -> (usize, Ends) {
    let contract = schema::input(&[FieldDecl::port("x", "", "T", input::<T>())]).unwrap();
    let check = FieldCheck::new(&contract.fields[0].checked, None).unwrap();
    let before = ALLOCATOR.allocated();
    let decoded = match regime {
        Regime::Json => json::decode(body),
        Regime::Msgpack => msgpack::decode(body),
    };
    let ended = match decoded {
        Err(error) => Err(error.kind),
        Ok(value) => match check.findings(&value, regime).first() {
            Some(finding) => Err(finding.kind),
            None => from_value_in::<T>(value, regime).map(drop).map_err(|error| error.kind),
        },
    };
    (ALLOCATOR.max_allocated() - before, ended)
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Either {
    #[expect(dead_code, reason = "never read")]
    Number(f64),
    #[expect(dead_code, reason = "never read")]
    Numbers(Vec<f64>),
}

/// How a body ends: well, or with this `type` of error.
type Ends = Result<(), &'static str>;

/// One body for one type, and how it is to end.
struct Case {
    name: String,
    regime: Regime,
    body: Box<dyn Fn() -> Vec<u8>>,
    peak: fn(&[u8], Regime) -> (usize, Ends),
    ends: Ends,
}

fn case<T: Input>(name: impl Into<String>, regime: Regime, ends: Ends, body: impl Fn() -> Vec<u8> + 'static) -> Case {
    Case { name: name.into(), regime, body: Box::new(body), peak: peak::<T>, ends }
}

/// A list of `count` items with `unit` for each, in JSON.
fn list(count: usize, unit: &str) -> Vec<u8> {
    format!("[{}{unit}]", format!("{unit},").repeat(count - 1)).into_bytes()
}

/// The same in msgpack.
fn packed(count: usize, unit: &[u8]) -> Vec<u8> {
    [&[0xdd][..], &u32::try_from(count).unwrap().to_be_bytes(), &unit.repeat(count)].concat()
}

fn cases() -> Vec<Case> {
    let (json, msgpack) = (Regime::Json, Regime::Msgpack);
    let mut cases = Vec::new();
    // What a small body may hold at most, and a large one.
    for (count, int, float) in [(100_000, "1", "0.5"), (1_000_000, "1234567", "1234.25")] {
        let name = |what: &str| format!("{count} {what}");
        cases.extend([
            case::<Value>(name("integers"), json, Ok(()), move || list(count, int)),
            case::<Vec<u32>>(name("integers as Vec<u32>"), json, Ok(()), move || list(count, int)),
            case::<Vec<f64>>(name("integers as Vec<f64>"), json, Ok(()), move || list(count, int)),
            case::<Vec<f64>>(name("floats as Vec<f64>"), json, Ok(()), move || list(count, float)),
            case::<BTreeSet<u32>>(name("twins as a set"), json, Err("wrong_type"), move || list(count, int)),
            case::<Vec<String>>(name("integers as text"), json, Err("wrong_type"), move || list(count, int)),
            case::<Either>(name("integers as a union"), json, Err("wrong_type"), move || list(count, "true   ")),
            case::<Value>(name("empty lists"), json, Ok(()), move || list(count, "[]     ")),
        ]);
        let packed = move |short: &[u8], long: &[u8]| packed(count, if count > 100_000 { long } else { short });
        let integers = move || packed(&[0x01], &[0xd3, 0, 0, 0, 1, 0, 0, 0, 0]);
        let floats = move || packed(&[0xca, 0x3f, 0x80, 0, 1], &[0xcb, 0x3f, 0xf0, 0, 0, 0, 0, 0, 1]);
        cases.extend([
            case::<Value>(name("integers"), msgpack, Ok(()), integers),
            case::<Vec<u64>>(name("integers as Vec<u64>"), msgpack, Ok(()), integers),
            case::<Vec<f64>>(name("floats as Vec<f64>"), msgpack, Ok(()), floats),
        ]);
    }
    // Few values for their bytes, whatever they are.
    let base64 = || "AAAA".repeat(500_000);
    let array = move || format!(r#"{{"__ndarray__":"{}","dtype":"uint8","shape":[1500000]}}"#, base64()).into_bytes();
    cases.extend([
        case::<Bytes>("bytes", json, Ok(()), move || format!("\"{}\"", base64()).into_bytes()),
        case::<String>("text", json, Ok(()), move || format!("\"{}\"", base64()).into_bytes()),
        case::<Tensor>("an array", json, Ok(()), array),
        case::<Value>("too many", json, Err("too_many_elements"), || list(3_000_000, "0")),
        case::<Value>("too many", msgpack, Err("too_many_elements"), || packed(3_000_000, &[0xc0])),
    ]);
    // Lengths that lie, for each kind of target.
    for head in [0xdd, 0xdf, 0xc6, 0xdb, 0xc9] {
        let name = format!("a lie of {head:x}");
        let (refused, body) = (Err("malformed_body"), move || vec![head, 0xff, 0xff, 0xff, 0xff]);
        cases.extend([
            case::<Value>(&*name, msgpack, refused, body),
            case::<Vec<u64>>(&*name, msgpack, refused, body),
            case::<String>(&*name, msgpack, refused, body),
            case::<Bytes>(&*name, msgpack, refused, body),
            case::<Tensor>(&*name, msgpack, refused, body),
            case::<Image>(&*name, msgpack, refused, body),
            case::<BTreeMap<String, u8>>(&*name, msgpack, refused, body),
        ]);
    }
    cases
}

const CASE: &str = "NODECAST_HEAP_CASE";

/// The allocator knows the most of a whole process, so each case has a process of its own: this very test.
#[test]
fn t16_peak_heap() {
    if let Some(case) = std::env::var(CASE).ok().and_then(|at| cases().into_iter().nth(at.parse().unwrap())) {
        let body = (case.body)();
        let (peak, ended) = (case.peak)(&body, case.regime);
        assert_eq!(ended, case.ends, "{}", case.name);
        let bound = 4 * body.len() + (4 << 20);
        let share = peak as f64 / bound as f64;
        println!("{}, {} bytes of {:?}: {peak} at most, {share:.2} of the bound", case.name, body.len(), case.regime);
        assert!(peak < bound, "{}: {peak} of {bound}", case.name);
        return;
    }
    let mut failed = Vec::new();
    for at in 0..cases().len() {
        let mut this = Command::new(std::env::current_exe().unwrap());
        let run = this.args(["--exact", "t16_peak_heap", "--nocapture"]).env(CASE, at.to_string()).output().unwrap();
        let said = String::from_utf8_lossy(&run.stdout).into_owned();
        said.lines().filter(|line| line.contains("of the bound")).for_each(|line| println!("{line}"));
        if !run.status.success() {
            failed.push(format!("{said}{}", String::from_utf8_lossy(&run.stderr)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
