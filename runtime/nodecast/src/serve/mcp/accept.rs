//! Which forms of answer a client takes. Clients must accept both; a server may be kinder (`mcp.md` 5).

use http::HeaderMap;
use http::header::ACCEPT;

/// The ranges that hold JSON, the most exact one first.
const RANGES: [&str; 3] = ["application/json", "application/*", "*/*"];

/// What the `Accept` headers take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Accepts {
    /// JSON, named or by a range.
    pub(super) json: bool,
    /// An event stream, named: a range says that a client takes anything, not that it can read a stream.
    pub(super) events: bool,
}

impl Accepts {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(ACCEPT) {
            return Self { json: true, events: false };
        }
        // Of the ranges that hold JSON the most exact one decides (RFC 9110, 12.5.1).
        let (mut json, mut events) = ([None; RANGES.len()], false);
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        for range in values.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';');
            let media = parts.next().unwrap_or_default().trim();
            let taken = !parts.any(is_zero_quality);
            let range = RANGES.iter().position(|range| media.eq_ignore_ascii_case(range));
            if let Some(json) = range.and_then(|range| json.get_mut(range)) {
                *json = Some(taken);
            } else if media.eq_ignore_ascii_case("text/event-stream") {
                events = taken;
            }
        }
        Self { json: json.into_iter().flatten().next().unwrap_or(false), events }
    }
}

fn is_zero_quality(parameter: &str) -> bool {
    let Some((name, value)) = parameter.split_once('=') else { return false };
    name.trim().eq_ignore_ascii_case("q") && value.trim().parse::<f32>().is_ok_and(|quality| quality <= 0.0)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn accepts(values: &[&'static str]) -> (bool, bool) {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(ACCEPT, HeaderValue::from_static(value));
        }
        let accepts = Accepts::of(&headers);
        (accepts.json, accepts.events)
    }

    #[test]
    fn b55_accept() {
        assert_eq!(accepts(&[]), (true, false));
        assert_eq!(accepts(&["*/*"]), (true, false));
        assert_eq!(accepts(&["application/json"]), (true, false));
        // The range holds it (RFC 9110, 12.5.1).
        assert_eq!(accepts(&["application/*"]), (true, false));
        assert_eq!(accepts(&["APPLICATION/JSON"]), (true, false));
        assert_eq!(accepts(&["application/json, text/event-stream"]), (true, true));
        assert_eq!(accepts(&["application/json", "text/event-stream"]), (true, true));
        assert_eq!(accepts(&["text/event-stream"]), (false, true));
        assert_eq!(accepts(&["application/json;q=0, text/event-stream"]), (false, true));
        assert_eq!(accepts(&["application/json;q=0.0"]), (false, false));
        assert_eq!(accepts(&["application/json;q=0, */*"]), (false, false));
        assert_eq!(accepts(&["*/*;q=0", "Application/JSON; q=0.001"]), (true, false));
        assert_eq!(accepts(&["*/*, text/event-stream;q=0"]), (true, false));
        assert_eq!(accepts(&["text/html, application/xml;q=0.9, */*;q=0.8"]), (true, false));
        assert_eq!(accepts(&["text/html"]), (false, false));
    }
}
