//! Every name of a host against every origin, on every route and method (faults T01, T02, B50, B51).

use nodecast_tests::Host;
use serde_json::json;

use crate::tiny;

const ROUTES: [(&str, &str); 8] = [
    ("GET", "/health"),
    ("HEAD", "/manifest"),
    ("GET", "/contract"),
    ("POST", "/call/tiny__slow"),
    ("POST", "/mcp"),
    ("DELETE", "/mcp"),
    ("OPTIONS", "/mcp"),
    ("GET", "/nowhere"),
];

/// Headers that name the host, with what is right: let in under this name, or refused.
const HOSTS: [(&str, Result<&str, &str>); 12] = [
    ("Host: LOCALHOST:1\r\n", Ok("localhost:1")),
    ("Host: [::1]\r\n", Ok("[::1]")),
    ("Host: [::1]:9\r\n", Ok("[::1]:9")),
    ("Host: 127.0.0.1:99\r\n", Ok("127.0.0.1:99")),
    ("Host: evil.com\r\n", Err("403")),
    ("Host: 127.0.0.2\r\n", Err("403")),
    ("Host: localhost.\r\n", Err("403")),
    ("Host: 0.0.0.0\r\n", Err("403")),
    ("Host: ::1\r\n", Err("400")),
    ("Host: \r\n", Err("400")),
    ("Host: localhost\r\nHost: localhost\r\n", Err("400")),
    ("", Err("400")),
];

/// Origins that are never let in; `OWN` stands for the name that was used, `\x07` for a byte that is no text.
const ORIGINS: [&str; 8] = [
    "Origin: https://evil.test\r\n",
    "Origin: null\r\n",
    "Origin: not-an-origin\r\n",
    "Origin: \r\n",
    "Origin: \x07\r\n",
    "Origin: http://OWN\r\nOrigin: http://OWN\r\n",
    "Origin: http://localhost:4711\r\n",
    "Origin: https://OWN\r\n",
];

fn status(host: &Host, (method, path): (&str, &str), headers: &str) -> (String, String) {
    let body = r#"{"ms":0}"#;
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    let request: Vec<u8> = request.bytes().map(|byte| if byte == 7 { 0xff } else { byte }).collect();
    let answer = host.raw(&request);
    (answer.split(' ').nth(1).unwrap_or("none").to_owned(), answer)
}

#[tokio::test]
async fn t01_b50_b51_every_host_against_every_origin() {
    let host = tiny(&[]).await;
    for (name, right) in HOSTS {
        let own = right.unwrap_or("localhost");
        for origin in ORIGINS {
            let headers = format!("{name}{}", origin.replace("OWN", own));
            for route in ROUTES {
                let (status, answer) = status(&host, route, &headers);
                assert_eq!(status, right.err().unwrap_or("403"), "{route:?} {headers:?}: {answer}");
                assert!(!answer.to_ascii_lowercase().contains("access-control-"), "{answer}");
            }
        }
        for origin in [String::new(), format!("Origin: http://{own}\r\n")] {
            for route in ROUTES {
                let (status, answer) = status(&host, route, &format!("{name}{origin}"));
                if let Err(refused) = right {
                    assert_eq!(status, refused, "{route:?} {name:?}: {answer}");
                    continue;
                }
                let right = match route {
                    (_, "/nowhere") => "404",
                    ("DELETE" | "OPTIONS", _) => "405",
                    // The body is no message, which is seen behind the door.
                    (_, "/mcp") => "400",
                    _ => "200",
                };
                assert_eq!(status, right, "{route:?} {name:?} {origin:?}: {answer}");
                // The own origin needs no grant, and gets none.
                assert!(!answer.to_ascii_lowercase().contains("access-control-"), "{answer}");
            }
        }
    }
    // Four names, with and without the own origin.
    let counts = host.post("/call/tiny__counts", &json!({})).await.json();
    assert_eq!(counts["outputs"]["started"], 8);
}

/// HTTP/1.0 may leave the host out, and then nobody knows whom it means.
#[tokio::test]
async fn b50_http_1_0_without_a_host() {
    let host = tiny(&[]).await;
    let answer = host.raw(b"GET /manifest HTTP/1.0\r\n\r\n");
    assert_eq!(answer.split(' ').nth(1), Some("400"), "{answer}");
}

/// B61: a head beyond what a connection reads is told so, and costs nobody else anything.
#[tokio::test]
async fn b61_a_huge_header() {
    let host = tiny(&[]).await;
    for (length, status) in [(32 << 10, "200"), (65 << 10, "431")] {
        let filler = "x".repeat(length);
        let head = "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close";
        let answer = host.raw(format!("{head}\r\nX-Filler: {filler}\r\n\r\n").as_bytes());
        assert_eq!(answer.split(' ').nth(1), Some(status), "{length}: {answer}");
    }
    assert_eq!(host.get("/health").await.status, 200);
}
