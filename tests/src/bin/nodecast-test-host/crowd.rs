//! A nodeset that is made at run time: 120 of everything, on pages of 100. What is declared has nothing that it lacks.

use nodecast::__private::linkme::{self, distributed_slice};
use nodecast::Error;
use nodecast::call::{Args, BoxFuture, Context, End, Offer, Partial, Reply, Runner};
use nodecast::catalog::{Catalog, Completion, Linked, NODESETS, Settings};
use nodecast::prelude::Value;

use crate::shelf::Shelf;

/// So many of each.
const MANY: usize = 120;

#[distributed_slice(NODESETS)]
#[linkme(crate = linkme)]
static CROWD: Linked = Linked {
    name: "crowd",
    catalog,
    settings: Settings::of::<Shelf>,
    start: |_, _| Box::pin(std::future::ready(Ok(Box::new(Crowd) as Box<dyn Runner>))),
    path: std::any::type_name::<Shelf>,
};

fn catalog() -> Result<Catalog, Error> {
    let seed = Catalog::of::<Shelf>()?;
    let ([find, ..], [index, _, book, ..], [_, compare, ..]) = (&*seed.entries, &*seed.resources, &*seed.prompts)
    else {
        return Err(Error::new("no_seed", "the shelf is empty"));
    };
    let mut crowd = Catalog { name: "crowd".into(), prefix: "crowd".into(), page_size: None, ..seed.clone() };
    crowd.entries.clear();
    crowd.resources.clear();
    crowd.prompts.clear();
    for number in 0..MANY {
        let (mut find, mut compare) = (find.clone(), compare.clone());
        let (mut index, mut book) = (index.clone(), book.clone());
        find.full_name = format!("crowd__find_{number}").into();
        compare.full_name = format!("crowd__compare_{number}").into();
        for argument in &mut compare.arguments {
            argument.completion = Completion::Asked;
        }
        index.uri = format!("crowd://index/{number}").into();
        book.uri = format!("crowd://books/{number}/{{title}}/{{edition}}").into();
        crowd.entries.push(find);
        crowd.prompts.push(compare);
        crowd.resources.extend([index, book]);
    }
    Ok(crowd)
}

struct Crowd;

impl Runner for Crowd {
    fn run<'a>(&'a self, index: usize, _: Args, _: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        let reply = Reply::from_values(vec![format!("tool {index}").into()]);
        Box::pin(std::future::ready(Ok(reply)))
    }

    fn answer<'a>(&'a self, offer: Offer, args: Args, _: &'a Context) -> BoxFuture<'a, Result<Reply, Error>> {
        let said = |what: &str| {
            let text = |value: &Value| value.as_text().map_or_else(|| value.to_string(), str::to_owned);
            let values: Vec<String> = args.slots().iter().filter_map(|slot| slot.value.as_ref()).map(text).collect();
            Value::from(format!("{what} {}", values.join(" ")))
        };
        let value = match offer {
            Offer::Resource(index) => Value::List(vec![map([("text", said(&format!("resource {index}")))])]),
            Offer::Prompt(index) => {
                let content = map([("type", "text".into()), ("text", said(&format!("prompt {index}")))]);
                map([("messages", Value::List(vec![map([("role", "user".into()), ("content", content)])]))])
            }
        };
        Box::pin(std::future::ready(Ok(Reply::from_values(vec![value]))))
    }

    fn complete<'a>(
        &'a self,
        offer: Offer,
        index: usize,
        partial: &'a Partial,
        _: &'a Context,
    ) -> BoxFuture<'a, Result<Vec<String>, Error>> {
        Box::pin(std::future::ready(Ok(vec![format!("{offer:?} {index} {}", partial.value())])))
    }

    fn stop(&self) -> BoxFuture<'_, End> {
        Box::pin(std::future::ready(End::Stopped))
    }
}

fn map<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Map(members.into_iter().collect())
}
