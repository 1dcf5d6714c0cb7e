//! Who may talk to a host: Host, Origin, token, CORS, methods, paths.

use nodecast_tests::{Host, initialize};
use reqwest::Method;
use serde_json::json;

use crate::{HOST, tiny};

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or("none")
}

const PATHS: [(&str, &str); 5] =
    [("GET", "/health"), ("GET", "/metrics"), ("GET", "/manifest"), ("POST", "/call/tiny__slow"), ("POST", "/mcp")];

fn raw(method: &str, path: &str, headers: &str) -> Vec<u8> {
    let body = r#"{"ms":0}"#;
    let length = body.len();
    format!("{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}").into_bytes()
}

#[tokio::test]
async fn b50_host_names() {
    let host = tiny(&[]).await;
    let refused = ["evil.com", "127.0.0.2", "0.0.0.0", "localhost.evil.com", "localhost."];
    let malformed = ["", "::1", "a b", "localhost:x", "user@localhost"];
    let passed = ["LOCALHOST:1", "localhost", "[::1]", "[::1]:9", "127.0.0.1:99"];
    for (method, path) in PATHS {
        for name in refused {
            let answer = host.raw(&raw(method, path, &format!("Host: {name}\r\n")));
            assert_eq!(status(&answer), "403", "{method} {path} {name}: {answer}");
        }
        for name in malformed {
            let answer = host.raw(&raw(method, path, &format!("Host: {name}\r\n")));
            assert_eq!(status(&answer), "400", "{method} {path} {name}: {answer}");
        }
        for headers in ["Host: localhost\r\nHost: localhost\r\n", ""] {
            let answer = host.raw(&raw(method, path, headers));
            assert_eq!(status(&answer), "400", "{method} {path} {headers:?}: {answer}");
        }
        for name in passed {
            let answer = host.raw(&raw(method, path, &format!("Host: {name}\r\n")));
            assert!(!matches!(status(&answer), "403" | "421"), "{method} {path} {name}: {answer}");
        }
    }
    // Only the five that passed reached the node.
    let counts = host.post("/call/tiny__counts", &json!({})).await.json();
    assert_eq!(counts["outputs"]["started"], 5);
}

#[tokio::test]
async fn b51_t01_origins() {
    let host = tiny(&["--allow-origin", "https://app.example"]).await;
    let own = format!("http://{}", host.authority());
    let foreign = [
        "https://evil.test",
        "null",
        "not-an-origin",
        "http://localhost:1",
        &own.replace("http:", "https:"),
        "http://localhost",
    ];
    for (method, path) in [(Method::GET, "/manifest"), (Method::POST, "/call/tiny__nothing"), (Method::POST, "/mcp")] {
        for origin in foreign {
            let answer = host.send(method.clone(), path, &[("origin", origin)], Vec::new()).await;
            assert_eq!(answer.status, 403, "{path} {origin}");
            assert_eq!(answer.header("access-control-allow-origin"), "");
        }
        let answer = host.send(method.clone(), path, &[("origin", &own)], Vec::new()).await;
        assert_ne!(answer.status, 403, "{path}");
        // The own origin needs no grant, and gets none.
        assert_eq!(answer.header("access-control-allow-origin"), "");
        let answer = host.send(method, path, &[("origin", "https://app.example")], Vec::new()).await;
        assert_ne!(answer.status, 403, "{path}");
        assert_eq!(answer.header("access-control-allow-origin"), "https://app.example");
        assert_eq!(answer.header("access-control-expose-headers"), "mcp-session-id");
    }
    let two = format!("Host: {}\r\nOrigin: {own}\r\nOrigin: {own}\r\n", host.authority());
    assert_eq!(status(&host.raw(&raw("GET", "/manifest", &two))), "403");
    let mut bytes = raw("GET", "/manifest", &format!("Host: {}\r\nOrigin: @\r\n", host.authority()));
    let at = bytes.iter().position(|byte| *byte == b'@').unwrap();
    bytes[at] = 0xff;
    assert_eq!(status(&host.raw(&bytes)), "403");
}

#[tokio::test]
async fn b53_options_and_head() {
    let host = tiny(&["--allow-origin", "https://app.example"]).await;
    let preflight = [("origin", "https://app.example"), ("access-control-request-method", "DELETE")];
    let answer = host.send(Method::OPTIONS, "/mcp", &preflight, Vec::new()).await;
    assert_eq!(answer.status, 204);
    assert!(answer.header("access-control-allow-methods").contains("DELETE"));
    for header in ["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"] {
        assert!(answer.header("access-control-allow-headers").contains(header), "{header}");
    }
    for path in ["/mcp", "/manifest"] {
        let answer = host.send(Method::OPTIONS, path, &[], Vec::new()).await;
        assert_eq!((answer.status, answer.header("allow").is_empty()), (405, false), "{path}");
    }
    assert_eq!(host.send(Method::HEAD, "/mcp", &[], Vec::new()).await.status, 405);
    for path in ["/health", "/metrics", "/manifest", "/contract"] {
        let answer = host.send(Method::HEAD, path, &[], Vec::new()).await;
        assert_eq!((answer.status, answer.body.len()), (200, 0), "{path}");
    }
}

/// Without `--allow-origin` there is no CORS, and a preflight is never asked for a token, which no browser sends with it.
#[tokio::test]
async fn b53_t02_no_cors_unless_allowed() {
    let token = std::env::temp_dir().join(format!("nodecast-preflight-{}", std::process::id()));
    std::fs::write(&token, "letmein").unwrap();
    for arguments in [&[][..], &["--token-file", token.to_str().unwrap()]] {
        let host = Host::spawn(HOST, &[&["--nodeset", "tiny"], arguments].concat());
        let own = format!("http://{}", host.authority());
        for path in ["/mcp", "/manifest", "/call/tiny__echo", "/health"] {
            let asked = [("access-control-request-method", "POST"), ("access-control-request-headers", "mcp-method")];
            for (origin, status) in [(None, 405), (Some(own.as_str()), 405), (Some("https://app.example"), 403)] {
                let mut headers = asked.to_vec();
                headers.extend(origin.map(|origin| ("origin", origin)));
                let answer = host.send(Method::OPTIONS, path, &headers, Vec::new()).await;
                assert_eq!(answer.status, status, "{path} {origin:?}");
                assert!(status == 403 || !answer.header("allow").is_empty(), "{path} {origin:?}");
                let granted = answer.headers.keys().find(|name| name.as_str().starts_with("access-control"));
                assert_eq!((granted, answer.header("www-authenticate")), (None, ""), "{path} {origin:?}");
            }
        }
    }
    // Allowed, a page may mirror the arguments that the tools name, and nothing else of its own.
    let host = Host::spawn(
        HOST,
        &["--nodeset", "tiny", "--allow-origin", "https://app.example", "--token-file", token.to_str().unwrap()],
    );
    let asked = [
        ("origin", "https://app.example"),
        ("access-control-request-method", "POST"),
        ("access-control-request-headers", "authorization, Mcp-Param-Region,x-other"),
    ];
    let answer = host.send(Method::OPTIONS, "/mcp", &asked, Vec::new()).await;
    let allowed = answer.headers.get_all("access-control-allow-headers").iter().map(|names| names.to_str().unwrap());
    let allowed = allowed.collect::<Vec<_>>().join(", ");
    assert_eq!(answer.status, 204);
    assert!(allowed.contains("authorization") && allowed.contains("Mcp-Param-Region"), "{allowed}");
    assert!(!allowed.contains("x-other"), "{allowed}");
    std::fs::remove_file(token).unwrap();
}

#[tokio::test]
async fn b54_one_trailing_slash() {
    let host = tiny(&[]).await;
    for path in ["/mcp", "/mcp/", "/mcp?x=1"] {
        assert_eq!(host.mcp(path, &[], &initialize(1, "a")).await.status, 200, "{path}");
    }
    for path in ["//mcp", "/MCP", "/mcp%2f", "/mcp//"] {
        assert_eq!(host.mcp(path, &[], &initialize(1, "a")).await.status, 404, "{path}");
    }
    for path in ["/health/", "/manifest/", "/contract/"] {
        assert_eq!(host.get(path).await.status, 200, "{path}");
    }
    assert_eq!(host.post("/call/tiny__nothing/", &json!({})).await.status, 200);
}

#[tokio::test]
async fn t03_a_token_is_asked_for_everywhere_but_in_health() {
    let file = std::env::temp_dir().join(format!("nodecast-token-{}", std::process::id()));
    std::fs::write(&file, "s3cret\n").unwrap();
    let host = tiny(&["--token-file", &file.to_string_lossy()]).await;
    for (method, path) in PATHS {
        let method: Method = method.parse().unwrap();
        for wrong in [None, Some("Bearer s3cre"), Some("Bearer S3CRET"), Some("Basic s3cret"), Some("s3cret")] {
            let headers: Vec<_> = wrong.iter().map(|value| ("authorization", *value)).collect();
            let answer = host.send(method.clone(), path, &headers, Vec::new()).await;
            if path == "/health" {
                assert_eq!((answer.status, answer.json().get("nodecast")), (200, None));
            } else {
                assert_eq!((answer.status, answer.header("www-authenticate")), (401, "Bearer"), "{path} {wrong:?}");
            }
        }
        let right = [("authorization", "bearer s3cret")];
        assert_ne!(host.send(method, path, &right, Vec::new()).await.status, 401, "{path}");
    }
    assert_eq!(host.send(Method::POST, "/call/health", &[], Vec::new()).await.status, 401);
    std::fs::remove_file(file).unwrap();
}

#[tokio::test]
async fn t03_no_open_door_by_accident() {
    let run = |arguments: &[&str]| {
        let output = std::process::Command::new(HOST).args(arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = run(&["--host", "0.0.0.0", "--port", "0"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("--token-file") && text.contains("--unsafe-no-auth"), "{text}");
    // Bound to every address, callers name it by any of them, and never by a name that was not allowed.
    let host = Host::spawn(HOST, &["--nodeset", "tiny", "--host", "0.0.0.0", "--unsafe-no-auth"]);
    let port = host.authority().rsplit(':').next().unwrap().to_owned();
    let to = |name: &str| {
        let mut stream = std::net::TcpStream::connect(format!("127.0.0.1:{port}")).unwrap();
        std::io::Write::write_all(&mut stream, &raw("GET", "/manifest", &format!("Host: {name}\r\n"))).unwrap();
        let mut answer = String::new();
        std::io::Read::read_to_string(&mut stream, &mut answer).unwrap();
        status(&answer).to_owned()
    };
    assert_eq!(to("172.17.0.2:9200"), "200");
    assert_eq!(to("evil.test"), "403");
}

/// Faults B57 and B62: a client of MCP reads JSON-RPC, also where the edge refuses it.
#[tokio::test]
async fn b57_the_edge_answers_mcp_in_json_rpc() {
    let token = std::env::temp_dir().join(format!("nodecast-edge-{}", std::process::id()));
    std::fs::write(&token, "letmein").unwrap();
    let host = Host::spawn(HOST, &["--nodeset", "tiny", "--token-file", token.to_str().unwrap()]);
    while host.get("/health").await.status != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    std::fs::remove_file(&token).unwrap();
    let allowed = ("authorization", "Bearer letmein");
    for (headers, status) in [
        (vec![allowed, ("content-encoding", "gzip")], 415),
        (vec![allowed, ("content-type", "text/plain")], 415),
        (vec![allowed, ("origin", "https://evil.test")], 403),
        (vec![allowed, ("host", "evil.test")], 403),
        (vec![], 401),
    ] {
        let mut all = vec![("content-type", "application/json")];
        all.retain(|(name, _)| !headers.iter().any(|(other, _)| other == name));
        all.extend(headers);
        for path in ["/mcp", "/mcp/", "/mcp?x=1"] {
            let answer = host.send(Method::POST, path, &all, initialize(1, "test").to_string().into_bytes()).await;
            assert_eq!((answer.status, answer.header("content-type")), (status, "application/json"), "{all:?}");
            let body = answer.json();
            assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &json!(null)), "{body}");
            assert!(body["error"]["code"].is_i64() && body["error"]["message"].is_string(), "{body}");
            if status == 401 {
                assert_eq!(answer.header("www-authenticate"), "Bearer");
            }
        }
    }
    // A function of that name is no endpoint.
    let answer = host.send(Method::POST, "/call/mcp", &[("content-encoding", "gzip"), allowed], Vec::new()).await;
    assert_eq!((answer.status, &answer.json()["type"]), (415, &json!("unsupported_media_type")));
}

#[tokio::test]
async fn localhost_is_an_address() {
    let host = tiny(&["--host", "localhost"]).await;
    assert!(host.url.starts_with("http://127.0.0.1:"), "{}", host.url);
}
