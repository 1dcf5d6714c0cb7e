//! Which forms of answer a client takes. Clients must accept both; a server may be kinder (`mcp.md` 5).

use http::HeaderMap;
use http::header::ACCEPT;

/// What the `Accept` headers take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Accepts {
    /// JSON, named or by a range.
    pub(super) json: bool,
    /// An event stream, named.
    pub(super) events: bool,
}

impl Accepts {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        if !headers.contains_key(ACCEPT) {
            return Self { json: true, events: false };
        }
        let mut found = Self { json: false, events: false };
        let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
        for range in values.flat_map(|value| value.split(',')) {
            let mut parts = range.split(';');
            let media = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
            let refused = parts.any(is_zero_quality);
            match media.as_str() {
                _ if refused => {}
                "application/json" | "application/*" | "*/*" => found.json = true,
                "text/event-stream" => found.events = true,
                _ => {}
            }
        }
        found
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
        assert_eq!(accepts(&["APPLICATION/JSON"]), (true, false));
        assert_eq!(accepts(&["application/json, text/event-stream"]), (true, true));
        assert_eq!(accepts(&["application/json", "text/event-stream"]), (true, true));
        assert_eq!(accepts(&["text/event-stream"]), (false, true));
        assert_eq!(accepts(&["application/json;q=0, text/event-stream"]), (false, true));
        assert_eq!(accepts(&["application/json;q=0.0"]), (false, false));
        assert_eq!(accepts(&["text/html, application/xml;q=0.9, */*;q=0.8"]), (true, false));
        assert_eq!(accepts(&["text/html"]), (false, false));
    }
}
