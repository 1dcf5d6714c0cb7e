//! Our side: a nodeset, served by its one line.

use std::process::ExitCode;

use nodecast::prelude::*;

use crate::counting;

/// Gives back what it gets.
#[nodeset(name = "echo", nodes(Echo, Picture, Allocated))]
#[derive(Default)]
struct Service;

/// Gives back what it gets.
#[node(read_only)]
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

#[derive(Outputs)]
struct Echoed {
    /// The text.
    text: String,
    /// The count.
    count: u32,
    /// The factor.
    factor: f64,
    /// The words.
    words: Vec<String>,
}

impl Node<Service> for Echo {
    type Output = Echoed;
    type Error = Error;

    async fn run(self, _: &Service, _: &Context) -> Result<Echoed, Error> {
        let Self { text, count, factor, words } = self;
        Ok(Echoed { text, count, factor, words })
    }
}

/// Gives back a picture.
#[node(read_only)]
struct Picture {
    /// The picture.
    image: Image,
}

impl Node<Service> for Picture {
    type Output = Image;
    type Error = Error;

    async fn run(self, _: &Service, _: &Context) -> Result<Image, Error> {
        Ok(self.image)
    }
}

/// How many bytes were ever allocated in this process.
#[node(read_only)]
struct Allocated;

impl Node<Service> for Allocated {
    type Output = u64;
    type Error = Error;

    async fn run(self, _: &Service, _: &Context) -> Result<u64, Error> {
        counting::allocated().ok_or_else(|| Error::new("not_counted", "this build does not count allocations"))
    }
}

/// Serves until the process ends.
pub(crate) async fn serve() -> ExitCode {
    let options = nodecast::serve::Options { port: Some(0), ..Default::default() };
    nodecast::Host::new().nodeset::<Service>(()).options(options).serve().await
}
