//! What is too much for a client: large pictures, long texts, arrays; and a nodeset that prints.

use nodecast::prelude::*;

/// Shows too much.
#[nodeset(name = "shown", nodes(Wide, Exact, Many, Measure, Long, Pages, Anything, Loose, Prints))]
struct Shows;

impl Lifecycle for Shows {
    type Settings = ();

    #[allow(clippy::print_stdout, reason = "this is what the test is about")]
    async fn start((): (), _: &Context) -> Result<Self, Error> {
        println!("printed at the start");
        Ok(Self)
    }
}

fn strip(width: u32, height: u32) -> Result<Image, Error> {
    Ok(Image::gray8(width, height, vec![128; width as usize * height as usize])?)
}

/// A picture of this size.
#[node(read_only)]
struct Wide {
    width: u32,
    height: u32,
}

#[derive(Outputs)]
struct Viewed {
    view: Image,
    note: String,
}

impl Node<Shows> for Wide {
    type Output = Viewed;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<Viewed, Error> {
        Ok(Viewed { view: strip(self.width, self.height)?, note: "wide".to_owned() })
    }
}

/// The same, at its full size or not at all.
#[node(read_only)]
struct Exact {
    width: u32,
    height: u32,
}

#[derive(Outputs)]
struct Mask {
    #[port(full_size)]
    mask: Image,
}

impl Node<Shows> for Exact {
    type Output = Mask;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<Mask, Error> {
        Ok(Mask { mask: strip(self.width, self.height)? })
    }
}

/// So many pictures.
#[node(read_only)]
struct Many {
    count: u32,
    width: u32,
}

impl Node<Shows> for Many {
    type Output = Vec<Image>;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<Vec<Image>, Error> {
        (0..self.count).map(|_| strip(self.width, 1)).collect()
    }
}

/// The width of a picture.
#[node(read_only)]
struct Measure {
    picture: Image,
}

impl Node<Shows> for Measure {
    type Output = u32;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<u32, Error> {
        Ok(self.picture.width())
    }
}

/// A long text.
#[node(read_only)]
struct Long {
    count: u32,
}

impl Node<Shows> for Long {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<String, Error> {
        let lines: Vec<_> = (0..self.count).map(|line| format!("line {line}\n")).collect();
        Ok(lines.concat())
    }
}

/// Blocks that no client would take.
#[node(read_only)]
struct Pages {
    count: usize,
}

impl Node<Shows> for Pages {
    type Output = Content;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<Content, Error> {
        let pages = Content::new().image(&strip(2, 2)?).text("x".repeat(self.count)).image(&strip(9_000, 2)?);
        Ok(pages.text("the end"))
    }
}

/// A value of any kind, which may hold pictures and arrays.
#[node(read_only)]
struct Anything {
    value: Option<Value>,
}

#[derive(Outputs)]
struct Whatever {
    any: Value,
}

impl Node<Shows> for Anything {
    type Output = Whatever;
    type Error = Error;

    async fn run(self, _: &Shows, _: &Context) -> Result<Whatever, Error> {
        let picture = || Ok::<_, Error>(Value::from(strip(3, 2)?));
        Ok(Whatever { any: self.value.map_or_else(picture, Ok)? })
    }
}

/// A place.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
struct Place {
    x: u32,
    y: u32,
}

/// Text or a number.
#[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
#[serde(untagged)]
enum Either {
    Number(i64),
    Text(#[schemars(length(max = 2))] String),
}

/// Takes one argument of each kind.
#[node(read_only)]
struct Loose {
    n: Option<u32>,
    share: Option<f64>,
    flag: Option<bool>,
    items: Option<Vec<i64>>,
    place: Option<Place>,
    text: Option<String>,
    either: Option<Either>,
    any: Option<Value>,
    #[config(slider(min = 0.0, max = 8.0, step = 1.0), default = 4)]
    level: u32,
}

impl<S: Sync + 'static> Node<S> for Loose {
    type Output = String;
    type Error = Error;

    async fn run(self, _: &S, _: &Context) -> Result<String, Error> {
        let Self { n, share, flag, items, place, text, either, any, level } = self;
        let place = place.map(|Place { x, y }| (x, y));
        let either = either.map(|either| match either {
            Either::Number(number) => number.to_string(),
            Either::Text(text) => text,
        });
        Ok(format!("{n:?} {share:?} {flag:?} {items:?} {place:?} {text:?} {either:?} {any:?} {level}"))
    }
}

/// Takes text for what it spells.
#[nodeset(name = "lenient", coerce = true, nodes(Loose))]
#[derive(Default)]
struct Lenient;

/// Prints, and answers.
#[node]
struct Prints {
    text: String,
}

impl Node<Shows> for Prints {
    type Output = String;
    type Error = Error;

    #[allow(clippy::print_stdout, reason = "this is what the test is about")]
    async fn run(self, _: &Shows, _: &Context) -> Result<String, Error> {
        println!("printed by a node");
        print!("and half a line");
        let child = std::process::Command::new("echo").arg("printed by a process").status();
        Ok(format!("{} {}", self.text, child.is_ok_and(|status| status.success())))
    }
}
