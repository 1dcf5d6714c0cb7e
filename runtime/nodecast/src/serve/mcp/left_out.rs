//! What results left out, as resources that their callers read (`mcp.md` 3).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CacheScope, ErrorData, ReadResourceResult, ResourceContents};
use serde_json::json;

use crate::call::shown;
use crate::catalog::Entry;
use crate::decl::OutputShape;
use crate::serve::kept::{Document, Kept, LIFETIME_IN_WORDS, SCHEME};

/// Whether results may leave something out, so that a client has to know of resources.
pub(super) fn may_be_any(entry: &Entry) -> bool {
    let is_all_pictures = || entry.outputs.iter().all(|port| matches!(&*port.wire_type, "IMAGE" | "LIST[IMAGE]"));
    match entry.shape {
        OutputShape::Ports => !is_all_pictures(),
        OutputShape::Content => true,
        OutputShape::FireList => false,
    }
}

/// Whether this is an address of ours, which no declared resource has.
pub(super) fn is_address(uri: &str) -> bool {
    uri.starts_with(SCHEME)
}

/// The document at an address, for the caller that it was kept for.
pub(super) fn read(kept: &Kept, address: &str, principal: Option<&str>) -> Result<ReadResourceResult, ErrorData> {
    let Some((document, left)) = kept.read(address, principal) else {
        let message = format!(
            "there is no resource {}; what a result left out is kept for {LIFETIME_IN_WORDS} at most, for its \
             caller alone, so call the tool again",
            shown(address)
        );
        return Err(ErrorData::resource_not_found(message, Some(json!({ "uri": address }))));
    };
    let contents = match document {
        Document::Text(text, media_type) => ResourceContents::text(&*text, address).with_mime_type(media_type),
        Document::Array(array) => match Document::marked(array) {
            Ok(marked) => ResourceContents::text(marked, address).with_mime_type("application/json"),
            Err(error) => return Err(ErrorData::internal_error(error.detail, None)),
        },
        Document::Picture(png) => ResourceContents::blob(STANDARD.encode(&*png), address).with_mime_type("image/png"),
    };
    let left = u64::try_from(left.as_millis()).unwrap_or(u64::MAX);
    Ok(ReadResourceResult::new(vec![contents]).with_ttl_ms(left).with_cache_scope(CacheScope::Private))
}
