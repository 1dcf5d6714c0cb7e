//! The other side: the same echo as one axum handler, with serde and rmp-serde, as one writes it by hand.

use std::io::Write;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::serve::ListenerExt;
use bench_harness::Error;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Call {
    inputs: Echo,
}

#[derive(Serialize)]
struct Reply {
    outputs: Echo,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Echo {
    /// A text.
    text: String,
    /// A count.
    count: u32,
    /// A factor.
    factor: f64,
    /// Some words.
    words: Vec<String>,
}

type Schema = Option<Arc<jsonschema::Validator>>;

/// Serves until the process ends.
pub(crate) async fn serve(validating: bool) -> Result<(), Error> {
    let schema: Schema = if validating {
        let schema = schemars::schema_for!(Echo).to_value();
        Some(Arc::new(jsonschema::validator_for(&schema)?))
    } else {
        None
    };
    let routes = axum::Router::new().route("/call/echo__echo", post(echo)).with_state(schema);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    writeln!(std::io::stdout(), "listening on http://{}", listener.local_addr()?)?;
    // As ours: an answer does not wait for the next acknowledgement.
    let listener = listener.tap_io(|connection| {
        let _ = connection.set_nodelay(true);
    });
    Ok(axum::serve(listener, routes).await?)
}

async fn echo(State(schema): State<Schema>, headers: HeaderMap, body: Bytes) -> Response {
    let msgpack = headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/msgpack");
    let answer = if msgpack { msgpack_echo(schema, &body) } else { json_echo(schema, &body) };
    let kind = if msgpack { "application/msgpack" } else { "application/json" };
    match answer {
        Ok(body) => ([(header::CONTENT_TYPE, kind)], body).into_response(),
        Err(error) => (StatusCode::BAD_REQUEST, error.to_string()).into_response(),
    }
}

fn json_echo(schema: Schema, body: &[u8]) -> Result<Vec<u8>, Error> {
    let call: Call = match schema {
        None => serde_json::from_slice(body)?,
        Some(schema) => validated(&schema, serde_json::from_slice(body)?)?,
    };
    Ok(serde_json::to_vec(&Reply { outputs: call.inputs })?)
}

fn msgpack_echo(schema: Schema, body: &[u8]) -> Result<Vec<u8>, Error> {
    let call: Call = match schema {
        None => rmp_serde::from_slice(body)?,
        Some(schema) => validated(&schema, rmp_serde::from_slice(body)?)?,
    };
    Ok(rmp_serde::to_vec_named(&Reply { outputs: call.inputs })?)
}

fn validated(schema: &jsonschema::Validator, mut call: serde_json::Value) -> Result<Call, Error> {
    let inputs = call.get_mut("inputs").map(serde_json::Value::take).unwrap_or_default();
    if let Some(error) = schema.iter_errors(&inputs).next() {
        return Err(error.to_string().into());
    }
    Ok(Call { inputs: serde_json::from_value(inputs)? })
}
