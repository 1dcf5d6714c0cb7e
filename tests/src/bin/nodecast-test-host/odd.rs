//! What does not answer with ports, what gathers calls, and what must not run on bad input.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nodecast::call::Stage;
use nodecast::prelude::*;

/// Answers oddly.
#[nodeset(name = "odd", nodes(Fires, Blocks, Wrecked, Gather, Foreign, Echoes, Touch, Touched))]
#[derive(Default)]
struct Odd {
    touched: AtomicU64,
}

/// Fires a function by its name.
#[node]
struct Fires {
    name: String,
}

impl Node<Odd> for Fires {
    type Output = FireList;
    type Error = Error;

    async fn run(self, _: &Odd, _: &Context) -> Result<FireList, Error> {
        let picture = Image::rgb8(1, 1, vec![0; 3])?;
        let fire = Fire::new(self.name).input("image", &picture).config("sep", "+").label("one");
        Ok(FireList::new([fire.capture(["echo"])]).output("count", 1).aggregate(Aggregator::MergeAll))
    }
}

/// Blocks of every kind.
#[node(read_only)]
struct Blocks;

impl Node<Odd> for Blocks {
    type Output = Content;
    type Error = Error;

    async fn run(self, _: &Odd, _: &Context) -> Result<Content, Error> {
        Ok(Content::new()
            .text("hello")
            .image(&Image::rgb8(1, 1, vec![0; 3])?)
            .audio([82, 73, 70, 70], "audio/wav")
            .text_resource("odd://note", "text/plain", "a note")
            .binary_resource("odd://bytes", "application/octet-stream", [1, 2, 3])
            .link("odd://page", "the page")
            .structured(std::collections::BTreeMap::from([("answer", 42)])))
    }
}

/// Content that tells of a failure.
#[node]
struct Wrecked;

impl Node<Odd> for Wrecked {
    type Output = Content;
    type Error = Error;

    async fn run(self, _: &Odd, _: &Context) -> Result<Content, Error> {
        Ok(Content::new().text("the camera is gone").failed(Stage::ExternalService))
    }
}

/// Takes calls together.
#[node]
struct Gather {
    x: i64,
    ms: u64,
}

impl BatchNode<Odd> for Gather {
    type Output = i64;
    type Error = Error;

    async fn run(batch: Vec<Self>, _: &Odd, _: &Context) -> Vec<Result<i64, Error>> {
        let longest = batch.iter().map(|one| one.ms).max().unwrap_or_default();
        tokio::time::sleep(Duration::from_millis(longest)).await;
        batch.into_iter().map(|one| Ok(one.x)).collect()
    }
}

/// Lets a foreign error through.
#[node]
struct Foreign;

impl Node<Odd> for Foreign {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Odd, _: &Context) -> Result<(), Error> {
        Err(std::io::Error::other("db password=hunter2"))?
    }
}

/// Breaks its declaration, or panics, with what it was given.
#[node]
struct Echoes {
    text: String,
    #[config(select("value", "panic"), default = "value")]
    how: String,
}

#[derive(serde::Serialize, schemars::JsonSchema)]
struct Short {
    #[schemars(length(max = 1))]
    text: String,
}

impl Node<Odd> for Echoes {
    type Output = One<Short>;
    type Error = Error;

    #[allow(clippy::panic, reason = "this is what the test is about")]
    async fn run(self, _: &Odd, _: &Context) -> Result<One<Short>, Error> {
        match self.how.as_str() {
            "panic" => panic!("{}", self.text),
            _ => Ok(One(Short { text: self.text })),
        }
    }
}

/// A mode.
#[derive(serde::Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Fast,
    Slow,
}

/// A place.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Place {
    /// From the left.
    x: u32,
    /// From the top.
    y: u32,
}

/// Counts its runs, and takes one argument of each kind.
#[node]
struct Touch {
    n: u8,
    text: Option<String>,
    flag: Option<bool>,
    items: Option<Vec<i64>>,
    place: Option<Place>,
    mode: Option<Mode>,
    image: Option<Image>,
    #[config(slider(min = 0.0, max = 1.0, step = 0.1), default = 0.5)]
    share: f64,
}

impl Node<Odd> for Touch {
    type Output = String;
    type Error = Error;

    async fn run(self, set: &Odd, _: &Context) -> Result<String, Error> {
        set.touched.fetch_add(1, Ordering::SeqCst);
        let Self { n, text, flag, items, place, mode, image, share } = self;
        let (items, place) = (items.map(|items| items.len()), place.map(|place| (place.x, place.y)));
        let mode = mode.map(|mode| matches!(mode, Mode::Fast | Mode::Slow));
        Ok(format!("{n} {text:?} {flag:?} {items:?} {place:?} {mode:?} {} {share}", image.is_some()))
    }
}

/// How often it has run.
#[node(read_only)]
struct Touched;

impl Node<Odd> for Touched {
    type Output = u64;
    type Error = Error;

    async fn run(self, set: &Odd, _: &Context) -> Result<u64, Error> {
        Ok(set.touched.load(Ordering::SeqCst))
    }
}
