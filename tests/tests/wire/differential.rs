//! The codecs beside libraries that know nothing of them, on values from a seed: `serde_json` and `rmpv`.

use nodecast::prelude::*;
use nodecast::wire::{Map, json, msgpack};
use serde_json::Value as Json;

/// So many values of each kind; a longer run sets another number.
fn runs() -> u64 {
    std::env::var("NODECAST_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(100_000)
}

/// Numbers from a seed, so that a failure repeats.
struct Seed(u64);

impl Seed {
    fn next(&mut self) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Of any size, small ones as often as large ones.
    fn integer(&mut self) -> u64 {
        let shift = self.below(64);
        self.next() >> shift
    }

    fn float(&mut self) -> f64 {
        match self.below(4) {
            0 => f64::from(u32::try_from(self.below(1_000)).unwrap_or_default()) / 8.0,
            1 => f64::from(f32::from_bits(u32::try_from(self.next() >> 32).unwrap_or_default())),
            _ => f64::from_bits(self.next()),
        }
    }

    fn text(&mut self) -> String {
        let pool =
            ['a', 'Z', '0', ' ', '"', '\\', '/', '\n', '\u{1}', '\u{7f}', 'é', '€', '\u{2028}', '\u{1f600}', '\u{0}'];
        let length = self.below(12);
        (0..length).map(|_| pool[usize::try_from(self.below(pool.len() as u64)).unwrap()]).collect()
    }

    fn bytes(&mut self) -> Vec<u8> {
        let length = self.below(20);
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }
}

fn tree(seed: &mut Seed, depth: u32) -> Json {
    match seed.below(if depth > 0 { 9 } else { 6 }) {
        0 => Json::Null,
        1 => seed.below(2).eq(&0).into(),
        2 => (seed.integer() >> 11).into(),
        3 => (-i64::try_from(seed.integer() >> 11).unwrap()).into(),
        4 => Some(seed.float()).filter(|float| float.is_finite()).into(),
        5 => seed.text().into(),
        6 => (0..seed.below(5)).map(|_| tree(seed, depth - 1)).collect(),
        _ => {
            let length = seed.below(5);
            (0..length).map(|_| (seed.text(), tree(seed, depth - 1))).collect::<serde_json::Map<_, _>>().into()
        }
    }
}

#[test]
fn json_as_serde_json_reads_and_writes_it() {
    let mut seed = Seed(1);
    let mut refused = 0;
    for run in 0..runs() {
        let expected = tree(&mut seed, 4);
        let text = serde_json::to_vec(&expected).unwrap();
        let value = json::decode(&text).unwrap_or_else(|error| panic!("{run}: {error}: {expected}"));
        assert_eq!(json::encode(&value).unwrap(), text, "{run}");
        assert_eq!(value.to_json().unwrap(), expected, "{run}");
        assert_eq!(Value::from(expected), value, "{run}");

        // One byte changed: what is no JSON to one is none to the other.
        let mut broken = text;
        let at = usize::try_from(seed.below(broken.len() as u64)).unwrap();
        let pool = b"{}[],:\"\\0-e.n \xff";
        broken[at] = pool[usize::try_from(seed.below(pool.len() as u64)).unwrap()];
        match (serde_json::from_slice::<Json>(&broken), json::decode(&broken)) {
            (Ok(theirs), Ok(ours)) => assert_eq!(ours.to_json().unwrap(), theirs, "{run}"),
            (Err(_), Err(_)) => refused += 1,
            // Ours alone refuses what most readers would change.
            (Ok(_), Err(error)) => {
                assert!(matches!(error.kind, "duplicate_key" | "out_of_range"), "{run}: {error:?}");
            }
            (Err(error), Ok(ours)) => panic!("{run}: {ours} from {:?}: {error}", String::from_utf8_lossy(&broken)),
        }
    }
    assert!(refused > runs() / 10, "{refused} were refused");
}

fn packed(seed: &mut Seed, depth: u32) -> rmpv::Value {
    match seed.below(if depth > 0 { 11 } else { 8 }) {
        0 => rmpv::Value::Nil,
        1 => seed.below(2).eq(&0).into(),
        2 => seed.integer().into(),
        3 => (-i64::try_from(seed.integer() >> 1).unwrap()).into(),
        4 => rmpv::Value::F64(seed.float()),
        5 => seed.text().into(),
        6 => rmpv::Value::Binary(seed.bytes()),
        // Not our own extension type.
        7 => rmpv::Value::Ext(i8::try_from(seed.below(126)).unwrap() + 2, seed.bytes()),
        8 => rmpv::Value::Array((0..seed.below(5)).map(|_| packed(seed, depth - 1)).collect()),
        _ => {
            let mut entries: Vec<(rmpv::Value, rmpv::Value)> = Vec::new();
            for _ in 0..seed.below(5) {
                let (key, value) = (packed(seed, 1), packed(seed, depth - 1));
                if !entries.iter().any(|(known, _)| ours(known) == ours(&key)) {
                    entries.push((key, value));
                }
            }
            rmpv::Value::Map(entries)
        }
    }
}

fn ours(theirs: &rmpv::Value) -> Value {
    match theirs {
        rmpv::Value::Nil => Value::Null,
        rmpv::Value::Boolean(yes) => (*yes).into(),
        rmpv::Value::Integer(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number.into(),
            (_, number) => number.unwrap().into(),
        },
        rmpv::Value::F32(number) => (*number).into(),
        rmpv::Value::F64(number) => (*number).into(),
        rmpv::Value::String(text) => text.as_str().unwrap().into(),
        rmpv::Value::Binary(bytes) => Bytes::from(bytes.as_slice()).into(),
        rmpv::Value::Array(items) => items.iter().map(ours).collect(),
        rmpv::Value::Map(entries) => {
            entries.iter().map(|(key, value)| (ours(key), ours(value))).collect::<Map>().into()
        }
        rmpv::Value::Ext(code, bytes) => Value::Ext(*code, bytes.as_slice().into()),
    }
}

fn pack(value: &rmpv::Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    rmpv::encode::write_value(&mut bytes, value).unwrap();
    bytes
}

/// NaN equals nothing, so values are compared by what they are shown as and by their bytes.
#[test]
fn msgpack_as_rmpv_reads_and_writes_it() {
    let mut seed = Seed(2);
    let mut refused = 0;
    for run in 0..runs() {
        let expected = packed(&mut seed, 4);
        let bytes = pack(&expected);
        let value = msgpack::decode(&bytes).unwrap_or_else(|error| panic!("{run}: {error}: {expected}"));
        assert_eq!(msgpack::encode(&value).unwrap(), bytes, "{run}: {expected}");
        assert_eq!(value.to_string(), ours(&expected).to_string(), "{run}");

        let mut broken = bytes;
        let at = usize::try_from(seed.below(broken.len() as u64)).unwrap();
        broken[at] = seed.next().to_le_bytes()[0];
        let mut rest = broken.as_slice();
        let theirs = rmpv::decode::read_value(&mut rest).ok().filter(|_| rest.is_empty());
        match (theirs, msgpack::decode(&broken)) {
            (Some(theirs), Ok(value)) if !holds_blob(&theirs) => {
                assert_eq!(value.to_string(), ours(&theirs).to_string(), "{run}");
            }
            (None, Err(_)) => refused += 1,
            // Theirs takes text that is not UTF-8, keys that stand twice, and knows nothing of arrays.
            (Some(_), _) => {}
            (None, Ok(value)) => panic!("{run}: {value} from {broken:x?}"),
        }
    }
    assert!(refused > runs() / 20, "{refused} were refused");
}

fn holds_blob(value: &rmpv::Value) -> bool {
    match value {
        rmpv::Value::Ext(code, _) => *code == 1,
        rmpv::Value::Array(items) => items.iter().any(holds_blob),
        rmpv::Value::Map(entries) => entries.iter().any(|(key, value)| holds_blob(key) || holds_blob(value)),
        _ => false,
    }
}
