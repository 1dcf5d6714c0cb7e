//! Completion: what an argument of a prompt, or a variable of a URI, could become as it is typed.

use super::{Answering, BoxFuture, Context};
use crate::Error;

/// Knows what could be typed: `#[complete(Dishes)]` on a field of a prompt or of a resource.
///
/// ```
/// use nodecast::prelude::*;
///
/// /// A cook book.
/// #[nodeset(resources(Recipe))]
/// struct Book {
///     dishes: Vec<String>,
/// }
///
/// /// One recipe of the book.
/// #[resource(uri = "book://recipes/{dish}", mime = "text/markdown")]
/// struct Recipe {
///     /// Which dish.
///     #[complete(Dishes)]
///     dish: String,
/// }
///
/// /// The dishes of the book.
/// struct Dishes;
///
/// impl Complete<Book> for Dishes {
///     async fn complete(partial: &Partial, book: &Book, _: &Context) -> Result<Vec<String>, Error> {
///         Ok(partial.matching(&book.dishes))
///     }
/// }
/// # impl Resource<Book> for Recipe {
/// #     type Error = Error;
/// #     async fn read(self, _: &Book, _: &Context) -> Result<Contents, Error> { Ok(Contents::text(self.dish)) }
/// # }
/// # impl Default for Book {
/// #     fn default() -> Self { Self { dishes: Vec::new() } }
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` completes nothing of the nodeset `{S}`",
    label = "no completion for `{S}`",
    note = "write `impl Complete<{S}> for {Self}`, or `#[complete]` alone for the values of the field's own type"
)]
pub trait Complete<S> {
    /// What it could become, the likeliest first; clients are sent the first hundred.
    fn complete(partial: &Partial, set: &S, cx: &Context)
    -> impl Answering<Output = Result<Vec<String>, Error>> + Send;
}

/// What has been typed so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    argument: String,
    value: String,
    chosen: Vec<(String, String)>,
}

impl Partial {
    /// So much of `argument`, and what the arguments before it were set to.
    pub fn new(argument: impl Into<String>, value: impl Into<String>, chosen: Vec<(String, String)>) -> Self {
        Self { argument: argument.into(), value: value.into(), chosen }
    }

    /// The name of the argument that is being typed.
    pub fn argument(&self) -> &str {
        &self.argument
    }

    /// The text so far; empty at first.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// What another argument has been set to, where the client says so.
    pub fn chosen(&self, argument: &str) -> Option<&str> {
        self.chosen.iter().find(|(name, _)| name == argument).map(|(_, value)| value.as_str())
    }

    /// Those of `values` that begin with the text so far, and behind them those that hold it; case does not count.
    pub fn matching<T: AsRef<str>>(&self, values: impl IntoIterator<Item = T>) -> Vec<String> {
        let typed = self.value.to_lowercase();
        let (mut first, mut then) = (Vec::new(), Vec::new());
        for value in values {
            let value = value.as_ref();
            let folded = value.to_lowercase();
            if folded.starts_with(&typed) {
                first.push(value.to_owned());
            } else if folded.contains(&typed) {
                then.push(value.to_owned());
            }
        }
        first.append(&mut then);
        first
    }
}

/// How a field is completed.
#[derive(Debug)]
pub enum Completer<S: 'static> {
    /// Not at all.
    None,
    /// With the values that the schema of its type lists.
    Known,
    /// By asking the nodeset.
    Asked(Ask<S>),
}

/// Asks a nodeset, under a read lock.
pub type Ask<S> = for<'a> fn(&'a S, &'a Partial, &'a Context) -> BoxFuture<'a, Result<Vec<String>, Error>>;

/// How the fields of a prompt or of a resource are completed, made by their macros; one a field, or none at all.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a resource nor a prompt",
    label = "not declared as one",
    note = "add `#[nodecast::resource(uri = \"…\")]` or `#[nodecast::prompt]` to the struct"
)]
pub trait Completes<S: 'static> {
    /// One a field, in declared order; empty where none is completed.
    const BY: &'static [Completer<S>] = &[];
}

/// Completion by `C`.
pub const fn completer<S: Sync + 'static, C: Complete<S>>() -> Completer<S> {
    Completer::Asked(ask::<S, C>)
}

fn ask<'a, S: Sync, C: Complete<S>>(
    set: &'a S,
    partial: &'a Partial,
    cx: &'a Context,
) -> BoxFuture<'a, Result<Vec<String>, Error>> {
    Box::pin(async move { C::complete(partial, set, cx).await })
}

#[cfg(test)]
mod tests {
    use super::Partial;

    #[test]
    fn what_begins_so_comes_first() {
        let partial = Partial::new("dish", "so", vec![("course".to_owned(), "first".to_owned())]);
        assert_eq!(partial.matching(["Miso", "Soup", "Salad", "sorbet"]), ["Soup", "sorbet", "Miso"]);
        assert_eq!((partial.chosen("course"), partial.chosen("dish")), (Some("first"), None));
        assert_eq!(Partial::default().matching(["b", "a"]), ["b", "a"]);
    }
}
