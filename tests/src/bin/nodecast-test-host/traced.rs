//! Nodes that make spans of their own, hand their trace on, and fail in every way.

use std::fmt;
use std::time::Duration;

use nodecast::call::Stage;
use nodecast::prelude::*;

/// Leaves traces.
#[nodeset(name = "traced", nodes(Look, Dig, Pack, Fail, Rest))]
#[derive(Default)]
pub(crate) struct Traced;

/// What a node would send to a service that it asks.
fn handed_on(cx: &Context) -> String {
    cx.trace().map(ToString::to_string).unwrap_or_default()
}

/// Looks around, and is told of in the log.
#[node(read_only)]
struct Look {
    text: String,
}

impl Node<Traced> for Look {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Traced, cx: &Context) -> Result<String, Error> {
        let around = tracing::info_span!("look_around", depth = 2);
        let closely = tracing::debug_span!(parent: &around, "look_closely");
        drop(closely);
        around.in_scope(|| {
            tracing::info!(seen = %self.text, "looked around");
            tracing::info_span!("stumble").in_scope(|| tracing::error!(over = %self.text, "stumbled"));
        });
        Ok(handed_on(cx))
    }
}

/// Looks on a thread of its own.
#[node(read_only)]
struct Dig;

impl BlockingNode<Traced> for Dig {
    type Output = String;
    type Error = Error;

    fn run(self, _: &Traced, cx: &Context) -> Result<String, Error> {
        Ok(tracing::info_span!("dig_deep").in_scope(|| handed_on(cx)))
    }
}

/// Looks for two at once.
#[node(read_only, batched(max = 2, wait_ms = 1000))]
struct Pack;

impl BatchNode<Traced> for Pack {
    type Output = String;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Traced, cx: &Context) -> Vec<Result<String, Error>> {
        let trace = tracing::info_span!("pack_all").in_scope(|| handed_on(cx));
        batch.into_iter().map(|_| Ok(trace.clone())).collect()
    }
}

/// How it went wrong, in a sentence.
#[derive(Debug)]
struct Lost(String);

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Lost {}

/// Fails with the text that it is given, in one of the places where a text can go.
#[node]
struct Fail {
    text: String,
    #[config(select("kind", "message", "cause", "foreign", "panic", "service", "content"), default = "message")]
    how: String,
}

impl Node<Traced> for Fail {
    type Output = Content;
    type Error = Error;

    #[allow(clippy::panic, reason = "this is what the test is about")]
    async fn run(self, _: &Traced, _: &Context) -> Result<Content, Error> {
        let text = self.text;
        match self.how.as_str() {
            "kind" => Err(Error::new(text, "of a kind that is made at run time")),
            "message" => Err(Error::new("no_such_scene", text)),
            "cause" => Err(Error::new("no_such_scene", "not there").because(Lost(text))),
            "foreign" => Err(Lost(text))?,
            "service" => Err(Error::new("no_answer", text).stage_of(Stage::ExternalService)),
            "content" => Ok(Content::new().text(text).failed(Stage::ExternalService)),
            _ => panic!("{text}"),
        }
    }
}

/// Takes its time.
#[node]
struct Rest {
    ms: u64,
}

impl Node<Traced> for Rest {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Traced, _: &Context) -> Result<(), Error> {
        tokio::time::sleep(Duration::from_millis(self.ms)).await;
        Ok(())
    }
}
