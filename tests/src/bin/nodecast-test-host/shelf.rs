//! The nodeset with resources and prompts: one a behaviour.

use std::time::Duration;

use nodecast::call::LogLevel;
use nodecast::prelude::*;

/// A shelf of books.
#[nodeset(
    name = "shelf",
    title = "Shelf",
    page_size = 2,
    ttl_ms = 60_000,
    icons("https://example.com/shelf.svg", icon(src = "data:image/png;base64,iVBORw0KGgo=", mime = "image/png", size = "48x48", theme = "dark")),
    meta("com.example/floor" = 2, "com.example/open" = true),
    nodes(Find),
    resources(Index, Cover, Book, Page, Torn, Lost, Locked),
    prompts(Review, Compare, Show, Burn)
)]
#[derive(Default)]
pub(crate) struct Shelf;

/// Finds a book.
#[node(read_only, waits, fallback, task = "optional", icons("https://example.com/find.svg"), meta("com.example/level" = 1.5))]
pub(crate) struct Find {
    /// A word of its title.
    word: String,
}

impl Node<Shelf> for Find {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Shelf, _: &Context) -> Result<String, Error> {
        Ok(self.word)
    }
}

/// What stands on the shelf.
#[resource(uri = "shelf://index", title = "Index", mime = "text/markdown", ttl_ms = 0, cache_scope = "private")]
pub(crate) struct Index;

impl Resource<Shelf> for Index {
    type Error = Error;

    async fn read(self, _: &Shelf, _: &Context) -> Result<Contents, Error> {
        let second = Contents::text("plain").mime("text/plain");
        Ok(Contents::text("# Index").and("shelf://index/plain", second))
    }
}

/// A cover.
#[resource(uri = "shelf://cover", mime = "image/png")]
pub(crate) struct Cover;

impl Resource<Shelf> for Cover {
    type Error = Error;

    async fn read(self, _: &Shelf, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::bytes(Image::rgb8(1, 1, vec![1, 2, 3])?.to_png()?))
    }
}

/// One book.
#[resource(uri = "shelf://books/{title}/{edition}", name = "book")]
pub(crate) struct Book {
    /// Its title.
    #[complete(Titles)]
    title: String,
    /// Which edition, from 1.
    edition: u8,
}

impl Resource<Shelf> for Book {
    type Error = Error;

    async fn read(self, _: &Shelf, cx: &Context) -> Result<Contents, Error> {
        cx.log(LogLevel::Info, "turning pages");
        if self.edition == 0 {
            return Err(Error::not_found(format!("`{}` has no edition 0", self.title)));
        }
        Ok(Contents::text(format!("{} ({})", self.title, self.edition)))
    }
}

/// One page of the index.
#[resource(uri = "shelf://index/{page}")]
pub(crate) struct Page {
    /// Which letter.
    #[complete]
    page: Letter,
}

#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Letter {
    Alpha,
    Beta,
}

impl Resource<Shelf> for Page {
    type Error = Error;

    async fn read(self, _: &Shelf, _: &Context) -> Result<Contents, Error> {
        Ok(Contents::text(format!("{:?}", self.page)))
    }
}

/// Panics.
#[resource(uri = "shelf://torn")]
pub(crate) struct Torn;

impl Resource<Shelf> for Torn {
    type Error = Error;

    #[allow(clippy::panic, reason = "this is what the test is about")]
    async fn read(self, _: &Shelf, _: &Context) -> Result<Contents, Error> {
        panic!("secret")
    }
}

/// Never comes.
#[resource(uri = "shelf://lost")]
pub(crate) struct Lost;

impl Resource<Shelf> for Lost {
    type Error = Error;

    async fn read(self, _: &Shelf, _: &Context) -> Result<Contents, Error> {
        tokio::time::sleep(Duration::from_secs(600)).await;
        Ok(Contents::text(""))
    }
}

/// Fails.
#[resource(uri = "shelf://locked")]
pub(crate) struct Locked;

impl Resource<Shelf> for Locked {
    type Error = Error;

    async fn read(self, _: &Shelf, _: &Context) -> Result<Contents, Error> {
        Err(Error::new("no_key", "the shelf is locked").retryable())
    }
}

/// Reviews a book.
#[prompt(title = "Review a book", icons("https://example.com/pen.svg"), meta("com.example/level" = "hard"))]
pub(crate) struct Review {
    /// Which book.
    #[complete(Titles)]
    title: String,
    /// How many words.
    #[argument(name = "words", title = "Length")]
    length: Option<u32>,
    /// Whether to be kind.
    #[complete]
    kind: Option<bool>,
    /// Which letters to avoid.
    without: Option<Vec<char>>,
}

impl Prompt<Shelf> for Review {
    type Error = Error;

    async fn get(self, _: &Shelf, _: &Context) -> Result<Messages, Error> {
        let (length, kind) = (self.length.unwrap_or(100), self.kind.unwrap_or(true));
        let without: String = self.without.unwrap_or_default().into_iter().collect();
        let text = format!("{}: {length} words, kind: {kind}, without: {without:?}", self.title);
        Ok(Messages::new().user(text).assistant("Which edition?"))
    }
}

/// Compares two books.
#[prompt]
pub(crate) struct Compare {
    #[complete(Titles)]
    one: String,
    #[complete(Titles)]
    other: String,
}

impl Prompt<Shelf> for Compare {
    type Error = Error;

    async fn get(self, _: &Shelf, _: &Context) -> Result<Messages, Error> {
        let text = format!("{} or {}?", self.one, self.other);
        Ok(Messages::new().description("Two books").user(text))
    }
}

#[prompt]
pub(crate) struct Show;

impl Prompt<Shelf> for Show {
    type Error = Error;

    async fn get(self, _: &Shelf, _: &Context) -> Result<Messages, Error> {
        let picture = Image::rgb8(1, 1, vec![1, 2, 3])?;
        let content = Content::new()
            .image(&picture)
            .audio(vec![82_u8, 73, 70, 70], "audio/wav")
            .text_resource("shelf://index", "text/markdown", "# Index")
            .link("shelf://cover", "cover");
        Ok(Messages::new().user(content))
    }
}

/// Panics.
#[prompt]
pub(crate) struct Burn;

impl Prompt<Shelf> for Burn {
    type Error = Error;

    #[allow(clippy::panic, reason = "this is what the test is about")]
    async fn get(self, _: &Shelf, _: &Context) -> Result<Messages, Error> {
        panic!("secret")
    }
}

/// The titles of the books.
pub(crate) struct Titles;

impl Complete<Shelf> for Titles {
    async fn complete(partial: &Partial, _: &Shelf, _: &Context) -> Result<Vec<String>, Error> {
        assert!(partial.value() != "panic", "secret");
        if let (Some("Book 7"), "other") = (partial.chosen("one"), partial.argument()) {
            return Ok(vec!["Book 8".to_owned()]);
        }
        Ok(partial.matching((0..150).map(|number| format!("Book {number}"))))
    }
}
