//! A message that the client's model writes.

use serde_json::{Map, Value as Json, json};

use super::{Ask, next, passed};
use crate::Error;
use crate::call::{Question, Request};

/// Asks the client's model for a message; the client may show it to its user first.
#[derive(Clone, Debug)]
pub struct Sampling {
    key: String,
    params: Map<String, Json>,
}

/// What the model wrote.
#[derive(Clone, Debug, PartialEq)]
pub struct Sampled {
    /// The blocks of the message as the protocol has them: text, images, audio.
    pub content: Vec<Json>,
    /// The model that wrote it.
    pub model: String,
    /// Why it ended, such as `endTurn` or `maxTokens`.
    pub stop_reason: Option<String>,
}

impl Sampled {
    /// Its texts, a line each.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| block.get("text")?.as_str());
        texts.collect::<Vec<_>>().join("\n")
    }
}

impl Sampling {
    /// A message of the user to answer, with its key in the call; at most 1,000 tokens unless [`max_tokens`] says another
    /// limit.
    ///
    /// [`max_tokens`]: Self::max_tokens
    pub fn new(key: impl Into<String>, prompt: impl Into<String>) -> Self {
        let params = Map::from_iter([("messages".to_owned(), json!([])), ("maxTokens".to_owned(), 1000.into())]);
        Self { key: key.into(), params }.message("user", prompt)
    }

    /// Adds a message of the user to the conversation.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message("user", text)
    }

    /// Adds a message of the model to the conversation.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message("assistant", text)
    }

    /// What the model is told before the conversation.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Self {
        self.with("systemPrompt", text.into())
    }

    /// The longest message.
    #[must_use]
    pub fn max_tokens(self, limit: u32) -> Self {
        self.with("maxTokens", limit)
    }

    /// How much chance there is in it, from 0.
    #[must_use]
    pub fn temperature(self, temperature: f64) -> Self {
        self.with("temperature", temperature)
    }

    /// Ends the message where it says one of these.
    #[must_use]
    pub fn stop_at<T: Into<String>>(self, sequences: impl IntoIterator<Item = T>) -> Self {
        self.with("stopSequences", sequences.into_iter().map(Into::into).collect::<Vec<String>>())
    }

    /// Models to prefer, the best first; part of a name is enough, and the client chooses.
    #[must_use]
    pub fn prefer<T: Into<String>>(self, models: impl IntoIterator<Item = T>) -> Self {
        let hints: Vec<Json> = models.into_iter().map(|name| json!({ "name": name.into() })).collect();
        self.with("modelPreferences", json!({ "hints": hints }))
    }

    fn message(mut self, role: &str, text: impl Into<String>) -> Self {
        if let Some(Json::Array(messages)) = self.params.get_mut("messages") {
            messages.push(json!({ "role": role, "content": { "type": "text", "text": text.into() } }));
        }
        self
    }

    fn with(mut self, name: &str, value: impl Into<Json>) -> Self {
        self.params.insert(name.to_owned(), value.into());
        self
    }
}

impl Ask for Sampling {
    type Answer = Sampled;

    fn questions(&self, into: &mut Vec<Question>) -> Result<(), Error> {
        let request = Request::Sampling(self.params.clone());
        into.push(Question::new(&self.key, request, |result| read(result).map(drop)));
        Ok(())
    }

    fn read(self, results: &mut dyn Iterator<Item = Json>) -> Result<Sampled, Error> {
        passed(read(&next(results)?))
    }
}

fn read(result: &Json) -> Result<Sampled, String> {
    let text = |name: &str| result.get(name).and_then(Json::as_str).map(str::to_owned);
    // One block, or since 2025-11-25 a list of them.
    let content = match result.get("content") {
        Some(block @ Json::Object(_)) => vec![block.clone()],
        Some(Json::Array(blocks)) if blocks.iter().all(Json::is_object) => blocks.clone(),
        _ => return Err("a message has `content`: a block, or a list of blocks".to_owned()),
    };
    let model = text("model").ok_or("a message names the `model` that wrote it")?;
    Ok(Sampled { content, model, stop_reason: text("stopReason") })
}
