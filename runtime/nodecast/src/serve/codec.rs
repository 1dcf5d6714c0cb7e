//! Bodies of `/call` and its neighbours, as the host's options say: maps come in, whatever is laid out goes out.

use bytes::Bytes;

use super::options::Options;
use crate::Error;
use crate::call::{Finding, Stage, off_the_workers, unsaid};
use crate::wire::{self, Large, Layout, MAX_LIGHT, Map, Regime, Repeated, Value};

/// Reads a body; an empty one is an empty map. A long one is read off the async workers.
pub(super) async fn decode(bytes: Bytes, regime: Regime, options: &Options) -> Result<Map, Error> {
    let repeated = if options.reference { Repeated::LastKept } else { Repeated::Refused };
    if bytes.len() > MAX_LIGHT {
        return off_the_workers(move || read(&bytes, regime, repeated)).await?;
    }
    read(&bytes, regime, repeated)
}

fn read(bytes: &Bytes, regime: Regime, repeated: Repeated) -> Result<Map, Error> {
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    let decoded = match regime {
        Regime::Json => wire::json::decode_with(bytes, repeated),
        Regime::Msgpack => wire::msgpack::decode_shared_with(bytes, repeated),
    };
    match decoded.map_err(|error| Error::refused(vec![error.into()]))? {
        Value::Map(body) => Ok(body),
        _ => Err(not_a_map("the body", String::new())),
    }
}

/// Writes a reply, unless it is longer than replies may be.
pub(super) fn encode(body: Layout<'_>, regime: Regime, options: &Options) -> Result<Bytes, Error> {
    let large = if options.reference { Large::Written } else { Large::Refused };
    let encoded = match regime {
        Regime::Json => wire::json::encode_layout(body, large),
        Regime::Msgpack => wire::msgpack::encode_layout(body),
    };
    let bytes = encoded.map_err(unsaid)?;
    if bytes.len() > options.max_reply {
        let detail = format!("the reply has {} bytes, and --max-reply allows {}", bytes.len(), options.max_reply);
        return Err(Error::at(Stage::AdapterExecution, "reply_too_large", detail));
    }
    Ok(bytes.into())
}

/// What stands where a map must.
pub(super) fn not_a_map(what: &str, pointer: String) -> Error {
    Error::refused(vec![Finding {
        kind: "not_a_map",
        pointer,
        detail: format!("{what} is not a map"),
        expected: Some("a map".to_owned()),
        ..Finding::default()
    }])
}
