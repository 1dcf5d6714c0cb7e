//! Resources and prompts without a prelude, among hostile names, of several nodesets, and under another path of the crate.

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, missing_docs, unused_qualifications, unreachable_pub)]

use ::std::iter::Iterator as _;

mod vendored {
    pub(crate) use ::nodecast as cast;
}

#[allow(dead_code, reason = "the names are here to be in the way")]
mod core {}
#[allow(dead_code, reason = "the names are here to be in the way")]
mod __rt {}

/// A kitchen.
#[::nodecast::nodeset(
    page_size = 1,
    ttl_ms = 0,
    cache_scope = "private",
    icons("https://example.com/a.svg", icon(src = "data:,", theme = "dark", size = "any", mime = "image/png")),
    meta("com.example/a" = -1, "b" = "c", "d" = false, "e" = 0.5),
    nodes(Cook),
    resources(Menu, Recipe, #[cfg(any())] Gone),
    prompts(Plan)
)]
#[derive(::std::default::Default)]
pub struct Kitchen;

/// Another.
#[::nodecast::nodeset(name = "bar", resources(Recipe), prompts(Plan))]
#[derive(::std::default::Default)]
pub struct Bar;

/// What both have.
pub trait Cooks: ::std::marker::Send + ::std::marker::Sync {}
impl Cooks for Kitchen {}
impl Cooks for Bar {}

/// Cooks.
#[::nodecast::node(task = "required", waits, fallback, icons("https://example.com/a.svg"), meta("a" = 1))]
pub struct Cook;

impl ::nodecast::Node<Kitchen> for Cook {
    type Output = ();
    type Error = ::std::convert::Infallible;

    async fn run(self, _: &Kitchen, _: &::nodecast::Context) -> ::std::result::Result<(), ::std::convert::Infallible> {
        ::std::result::Result::Ok(())
    }
}

/// The menu.
#[::nodecast::resource(uri = "kitchen://menu", mime = "text/plain; charset=utf-8", ttl_ms = 1, cache_scope = "public")]
#[deprecated(since = "0.1.0", note = "read the recipes")]
pub struct Menu;

#[allow(deprecated, reason = "it is still served")]
impl ::nodecast::Resource<Kitchen> for Menu {
    type Error = ::std::convert::Infallible;

    async fn read(
        self,
        _: &Kitchen,
        _: &::nodecast::Context,
    ) -> ::std::result::Result<::nodecast::Contents, ::std::convert::Infallible> {
        ::std::result::Result::Ok(::nodecast::Contents::text("soup"))
    }
}

/// A recipe.
#[::nodecast::resource(crate = "crate::vendored::cast", uri = "kitchen://{type}/{args}/{größe}", title = "Recipe")]
pub struct Recipe {
    r#type: ::std::string::String,
    /// Which.
    #[complete(Names)]
    #[argument(title = "Arguments")]
    args: u128,
    #[complete]
    größe: bool,
}

/// Knows names.
pub struct Names;

impl<__Set: Cooks> ::nodecast::Complete<__Set> for Names {
    async fn complete(
        partial: &::nodecast::Partial,
        _: &__Set,
        _: &::nodecast::Context,
    ) -> ::std::result::Result<::std::vec::Vec<::std::string::String>, ::nodecast::Error> {
        ::std::result::Result::Ok(partial.matching(["1", "2"]))
    }
}

impl<S: Cooks> ::nodecast::Resource<S> for Recipe {
    type Error = ::nodecast::Error;

    async fn read(
        self,
        _: &S,
        _: &::nodecast::Context,
    ) -> ::std::result::Result<::nodecast::Contents, ::nodecast::Error> {
        ::std::result::Result::Ok(::nodecast::Contents::text(::std::format!(
            "{} {} {}",
            self.r#type,
            self.args,
            self.größe
        )))
    }
}

/// Plans.
#[::nodecast::prompt(name = "plan-it", meta("a" = 1), crate = "vendored::cast")]
pub struct Plan {
    #[argument(name = "who")]
    r#match: ::std::option::Option<::std::vec::Vec<i8>>,
    #[cfg(any())]
    gone: u8,
}

impl<S: Cooks> ::nodecast::Prompt<S> for Plan {
    type Error = ::nodecast::Error;

    async fn get(
        self,
        _: &S,
        _: &::nodecast::Context,
    ) -> ::std::result::Result<::nodecast::Messages, ::nodecast::Error> {
        let who: i8 = self.r#match.unwrap_or_default().iter().sum();
        ::std::result::Result::Ok(::nodecast::Messages::new().user(::std::format!("{who}")))
    }
}

#[test]
fn what_is_offered_reaches_the_table() {
    use ::nodecast::call::Completer;
    use ::nodecast::decl::{CacheScope, IconTheme, Literal, TaskMode};
    use ::std::option::Option::Some;
    use ::std::{assert, assert_eq, matches};

    let table = <Kitchen as ::nodecast::Nodeset>::TABLE;
    let decl = table.decl;
    assert_eq!((decl.page_size, decl.cache.ttl_ms, decl.cache.scope), (Some(1), Some(0), Some(CacheScope::Private)));
    assert_eq!((decl.icons[1].theme, decl.icons[1].size, decl.icons.len()), (Some(IconTheme::Dark), Some("any"), 2));
    assert_eq!(decl.meta[0], ("com.example/a", Literal::Int(-1)));
    assert_eq!(decl.meta[3], ("e", Literal::Float(0.5)));
    let cook = table.rows[0].decl;
    assert_eq!((cook.task, cook.waits, cook.fallback), (Some(TaskMode::Required), true, true));
    assert_eq!((table.resources.len(), table.prompts.len()), (2, 1));
    let (menu, recipe) = (&table.resources[0], &table.resources[1]);
    assert_eq!((menu.decl.uri, menu.decl.cache.ttl_ms), ("kitchen://menu", Some(1)));
    assert!(menu.decl.deprecated.is_some() && menu.complete.is_empty());
    let names: ::std::vec::Vec<&str> = recipe.decl.fields.iter().map(|field| field.name).collect();
    assert_eq!(names, ["type", "args", "größe"]);
    assert_eq!((recipe.decl.title, recipe.decl.fields[1].title), (Some("Recipe"), Some("Arguments")));
    assert!(matches!(recipe.complete, [Completer::None, Completer::Asked(_), Completer::Known]));
    assert_eq!((table.prompts[0].decl.name, table.prompts[0].decl.fields[0].name), ("plan-it", "who"));
    assert_eq!(<Bar as ::nodecast::Nodeset>::TABLE.resources.len(), 1);
}
