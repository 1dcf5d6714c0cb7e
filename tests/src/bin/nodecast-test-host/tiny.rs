//! The open nodeset: one node a behaviour.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use nodecast::call::LogLevel;
use nodecast::prelude::*;

/// One node a behaviour.
#[nodeset(
    name = "tiny",
    title = "Tiny",
    nodes(Echo, Slow, Counts, Boom, Fails, Picture, Numbers, NotANumber, Steps, Nothing)
)]
#[derive(Default)]
struct Tiny {
    counts: CountsOfCalls,
}

#[derive(Default)]
struct CountsOfCalls {
    started: AtomicU64,
    ended: AtomicU64,
    dropped: AtomicU64,
}

/// Joins a text to itself.
#[node(read_only)]
struct Echo {
    /// What to repeat.
    text: String,
    /// How often.
    count: Option<u8>,
    /// What stands between.
    #[config(text, default = "-")]
    sep: String,
}

impl Node<Tiny> for Echo {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Tiny, _: &Context) -> Result<String, Error> {
        Ok(vec![self.text; usize::from(self.count.unwrap_or(1))].join(&self.sep))
    }
}

/// Sleeps, and counts how that ends.
#[node]
struct Slow {
    ms: u64,
}

struct Counted<'a>(&'a CountsOfCalls, bool);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let which = if self.1 { &self.0.ended } else { &self.0.dropped };
        which.fetch_add(1, Ordering::SeqCst);
    }
}

impl Node<Tiny> for Slow {
    type Output = ();
    type Error = Error;

    async fn run(self, set: &Tiny, _: &Context) -> Result<(), Error> {
        set.counts.started.fetch_add(1, Ordering::SeqCst);
        let mut counted = Counted(&set.counts, false);
        tokio::time::sleep(Duration::from_millis(self.ms)).await;
        counted.1 = true;
        Ok(())
    }
}

/// How the slow calls went.
#[node(read_only)]
struct Counts;

#[derive(Outputs)]
struct CountsNow {
    started: u64,
    ended: u64,
    dropped: u64,
}

impl Node<Tiny> for Counts {
    type Output = CountsNow;
    type Error = Error;

    async fn run(self, set: &Tiny, _: &Context) -> Result<CountsNow, Error> {
        let [started, ended, dropped] =
            [&set.counts.started, &set.counts.ended, &set.counts.dropped].map(|count| count.load(Ordering::SeqCst));
        Ok(CountsNow { started, ended, dropped })
    }
}

/// Panics.
#[node]
struct Boom;

impl Node<Tiny> for Boom {
    type Output = ();
    type Error = Error;

    #[allow(clippy::panic, reason = "this is what the test is about")]
    async fn run(self, _: &Tiny, _: &Context) -> Result<(), Error> {
        panic!("secret")
    }
}

/// Fails in its own words.
#[node]
struct Fails;

impl Node<Tiny> for Fails {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Tiny, _: &Context) -> Result<(), Error> {
        let cause = std::io::Error::other("db password=hunter2");
        Err(Error::new("no_such_scene", "scene 7 is not loaded").retryable().because(cause))
    }
}

/// A black picture and a word about it.
#[node(read_only)]
struct Picture;

#[derive(Outputs)]
struct Shown {
    rgb: Image,
    note: String,
}

impl Node<Tiny> for Picture {
    type Output = Shown;
    type Error = Error;

    async fn run(self, _: &Tiny, _: &Context) -> Result<Shown, Error> {
        Ok(Shown { rgb: Image::rgb8(2, 2, vec![0; 12])?, note: "ok".to_owned() })
    }
}

/// An array.
#[node(read_only)]
struct Numbers;

impl Node<Tiny> for Numbers {
    type Output = Tensor;
    type Error = Error;

    async fn run(self, _: &Tiny, _: &Context) -> Result<Tensor, Error> {
        Ok(Tensor::from_elements([2, 2], &[1.0_f32, 2.0, 3.0, 4.0])?)
    }
}

/// What JSON cannot say.
#[node(read_only)]
struct NotANumber;

impl Node<Tiny> for NotANumber {
    type Output = f64;
    type Error = Error;

    async fn run(self, _: &Tiny, _: &Context) -> Result<f64, Error> {
        Ok(f64::NAN)
    }
}

/// Reports three steps and says so.
#[node]
struct Steps;

impl Node<Tiny> for Steps {
    type Output = u8;
    type Error = Error;

    async fn run(self, _: &Tiny, cx: &Context) -> Result<u8, Error> {
        for step in 1..=3_u8 {
            cx.progress(f64::from(step), Some(3.0), Some("working"));
            cx.log(LogLevel::Info, "a step");
            tokio::task::yield_now().await;
        }
        Ok(3)
    }
}

/// Takes nothing and gives nothing.
#[node]
struct Nothing;

impl Node<Tiny> for Nothing {
    type Output = ();
    type Error = Error;

    async fn run(self, _: &Tiny, _: &Context) -> Result<(), Error> {
        Ok(())
    }
}
