//! `#[nodeset(…)]` on a struct or an enum.

use proc_macro2::{Span, TokenStream};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Item, LitStr, Path};

use super::words::Shared;
use super::{default_krate, doc, first_word, foreign, krate, no_generics, snake_name_or};
use crate::attr::{self, Arg, Said};
use crate::errors::Errors;
use crate::model::{Exclusivity, Listed, Name, Nodeset, Parallelism, SessionRule, Sessions, Target};
use crate::symbol::{
    self, ALL, AS_STRING, CACHE_SCOPE, CFG, COERCE, CONTAINERS, CRATE, EXCLUSIVE, ICONS, INSTRUCTIONS, KEPT, LINKED,
    META, MODERN, NAME, NODES, NODESET, NONE, PAGE_SIZE, PANEL, PANEL_TOOLS, PARALLELISM, PREFIX, PROMPTS, REJECT,
    REPLICATED, REQUIRED, RESOURCES, SESSIONS, SHARED, SHOW_ERRORS, Symbol, TITLE, TTL_MS,
};

const WORDS: &[Symbol] = &[
    NAME,
    PREFIX,
    TITLE,
    INSTRUCTIONS,
    PARALLELISM,
    EXCLUSIVE,
    MODERN,
    SESSIONS,
    AS_STRING,
    SHOW_ERRORS,
    COERCE,
    LINKED,
    PAGE_SIZE,
    TTL_MS,
    CACHE_SCOPE,
    ICONS,
    META,
    NODES,
    RESOURCES,
    PROMPTS,
    CONTAINERS,
    PANEL,
    PANEL_TOOLS,
    CRATE,
];

/// Longer pages are more than clients read at once.
const MAX_PAGE: u32 = 1_000;

/// Reads the attribute and its item; the target is whole even when the model is not.
pub(crate) fn nodeset(errors: &mut Errors, args: TokenStream, item: TokenStream) -> (Target, Option<Nodeset>) {
    let mut target = Target { item: item.clone(), krate: default_krate(), subject: None };
    let said = arguments(errors, args);
    if let Some(krate) = &said.krate {
        target.krate = krate.clone();
    }
    let (attrs, ident, generics) = match errors.ok(syn::parse2::<Item>(item)) {
        Some(Item::Struct(item)) => (item.attrs, item.ident, item.generics),
        Some(Item::Enum(item)) => (item.attrs, item.ident, item.generics),
        Some(other) => {
            errors.error(first_word(&other), format!("`#[{NODESET}]` goes on the struct that its nodes share"));
            return (target, None);
        }
        None => return (target, None),
    };
    target.subject = Some((ident.clone(), generics.clone()));
    no_generics(errors, &generics, "a nodeset");
    let model = Nodeset {
        krate: target.krate.clone(),
        name: snake_name_or(said.name, &ident),
        ident,
        prefix: said.prefix.map(|text| Name { text: text.value(), span: text.span() }),
        title: said.title,
        doc: doc::doc(&attrs),
        instructions: said.instructions,
        parallelism: said.parallelism.unwrap_or_default(),
        exclusive: said.exclusive,
        modern_rejected: said.modern_rejected,
        sessions: said.sessions,
        as_string: said.as_string.is_some(),
        show_errors: said.show_errors.is_some(),
        page_size: said.page_size,
        ttl_ms: said.shared.ttl_ms,
        cache_scope: said.shared.cache_scope,
        icons: said.shared.icons.unwrap_or_default(),
        meta: said.shared.meta.unwrap_or_default(),
        coerce: said.coerce.unwrap_or(false),
        linked: said.linked.unwrap_or(true),
        nodes: said.nodes.unwrap_or_default(),
        resources: said.resources.unwrap_or_default(),
        prompts: said.prompts.unwrap_or_default(),
        containers: said.containers.unwrap_or_default(),
        panel: said.panel,
        panel_tools: said.panel_tools.filter(|(said, _)| *said).map(|(_, span)| span),
    };
    (target, Some(model))
}

#[derive(Default)]
struct Written {
    krate: Option<Path>,
    name: Option<LitStr>,
    prefix: Option<LitStr>,
    title: Option<LitStr>,
    instructions: Option<LitStr>,
    parallelism: Option<Parallelism>,
    exclusive: Option<Exclusivity>,
    modern_rejected: Option<Span>,
    sessions: Option<Sessions>,
    as_string: Option<Span>,
    show_errors: Option<Span>,
    page_size: Option<u32>,
    shared: Shared,
    coerce: Option<bool>,
    linked: Option<bool>,
    nodes: Option<Vec<Listed>>,
    resources: Option<Vec<Listed>>,
    prompts: Option<Vec<Listed>>,
    containers: Option<Vec<Listed>>,
    panel: Option<Span>,
    panel_tools: Option<(bool, Span)>,
}

fn arguments(errors: &mut Errors, args: TokenStream) -> Written {
    let mut said = Written::default();
    for arg in attr::arguments(errors, "`#[nodeset]`", WORDS, args) {
        if arg.word == CRATE {
            let path = krate(errors, &arg);
            attr::set(errors, &mut said.krate, &arg, path);
        } else if arg.word == PARALLELISM {
            let value = parallelism(errors, &arg);
            attr::set(errors, &mut said.parallelism, &arg, value);
        } else if arg.word == EXCLUSIVE {
            let value = exclusive(errors, &arg);
            attr::set(errors, &mut said.exclusive, &arg, value);
        } else if arg.word == MODERN {
            let word = attr::one_of(errors, &arg, &[(REJECT, ())], Some("to serve both protocol eras"));
            attr::set(errors, &mut said.modern_rejected, &arg, word.map(|()| place(&arg)));
        } else if arg.word == SESSIONS {
            const WORDS: &[(Symbol, SessionRule)] =
                &[(NONE, SessionRule::None), (KEPT, SessionRule::Kept), (REQUIRED, SessionRule::Required)];
            let value = attr::one_of(errors, &arg, WORDS, Some("for none"));
            attr::set(errors, &mut said.sessions, &arg, value.map(|said| Sessions { said, span: place(&arg) }));
        } else if arg.word == COERCE || arg.word == LINKED {
            let value = attr::flag(errors, &arg);
            let slot = if arg.word == COERCE { &mut said.coerce } else { &mut said.linked };
            attr::set(errors, slot, &arg, value);
        } else if arg.word == PANEL_TOOLS {
            let value = attr::flag(errors, &arg);
            attr::set(errors, &mut said.panel_tools, &arg, value.map(|said| (said, arg.word.span())));
        } else if arg.word == AS_STRING || arg.word == SHOW_ERRORS || arg.word == PANEL {
            let word = attr::alone(errors, &arg);
            let slot = if arg.word == AS_STRING {
                &mut said.as_string
            } else if arg.word == SHOW_ERRORS {
                &mut said.show_errors
            } else {
                &mut said.panel
            };
            attr::set(errors, slot, &arg, word);
        } else if arg.word == PAGE_SIZE {
            let value = attr::whole(errors, &arg, 1..=MAX_PAGE);
            attr::set(errors, &mut said.page_size, &arg, value);
        } else if said.shared.takes(errors, &arg) {
            // Said in words that others have too.
        } else if let Some(list) = LISTS.iter().find(|list| arg.word == list.word) {
            let value = listed(errors, &arg, list);
            let slot = if arg.word == NODES {
                &mut said.nodes
            } else if arg.word == RESOURCES {
                &mut said.resources
            } else if arg.word == PROMPTS {
                &mut said.prompts
            } else {
                &mut said.containers
            };
            attr::set(errors, slot, &arg, value);
        } else {
            let text = attr::string(errors, &arg);
            let slot = if arg.word == NAME {
                &mut said.name
            } else if arg.word == PREFIX {
                &mut said.prefix
            } else if arg.word == TITLE {
                &mut said.title
            } else {
                &mut said.instructions
            };
            attr::set(errors, slot, &arg, text);
        }
    }
    said
}

/// `exclusive`, `exclusive = true`, `exclusive = false` or `exclusive = "all"`.
fn exclusive(errors: &mut Errors, arg: &Arg) -> Option<Exclusivity> {
    match attr::text(arg) {
        Some(text) if text.value() == ALL.0 => Some(Exclusivity::All),
        Some(text) => {
            errors.error(
                text,
                format!(
                    "unknown exclusivity; write `{EXCLUSIVE}` for one MCP client at a time, `{EXCLUSIVE} = \"{ALL}\"` \
                     to gate `/call` too, `{EXCLUSIVE} = false` for any number"
                ),
            );
            None
        }
        None => attr::flag(errors, arg).map(|on| if on { Exclusivity::Mcp } else { Exclusivity::Open }),
    }
}

/// Where the text of an argument stands.
fn place(arg: &Arg) -> Span {
    attr::text(arg).map_or_else(|| arg.word.span(), LitStr::span)
}

fn parallelism(errors: &mut Errors, arg: &Arg) -> Option<Parallelism> {
    let text = attr::string(errors, arg)?;
    let value = text.value();
    if value == SHARED.0 {
        return Some(Parallelism::Shared);
    }
    if value == REPLICATED.0 {
        return Some(Parallelism::Replicated);
    }
    let way_out = match symbol::nearest(&value, &[SHARED, REPLICATED]) {
        Some(word) => format!("write `\"{word}\"`"),
        None => format!("write `\"{REPLICATED}\"` for state that one client drives, `\"{SHARED}\"` for none"),
    };
    errors.error(text, format!("unknown parallelism `{value}`; {way_out}"));
    None
}

/// A list of structs.
struct List {
    word: Symbol,
    /// What each of them is, and its struct.
    what: &'static str,
    example: &'static str,
}

const LISTS: [List; 4] = [
    List { word: NODES, what: "node", example: "SegmentAuto" },
    List { word: RESOURCES, what: "resource", example: "Menu" },
    List { word: PROMPTS, what: "prompt", example: "PlanDinner" },
    List { word: CONTAINERS, what: "container", example: "Memory" },
];

fn listed(errors: &mut Errors, arg: &Arg, List { word, what, example }: &List) -> Option<Vec<Listed>> {
    let Said::List(list) = &arg.said else {
        errors.error(&arg.word, format!("`{word}` takes a list of {what} structs; write `{word}(First, Second)`"));
        return None;
    };
    let mut listed = Vec::new();
    for part in attr::split(errors, list.stream()) {
        let Ok(Entry { attributes, path }) = syn::parse2(part.clone()) else {
            errors.error(part, format!("expected the path of a {what} struct, such as `{example}`"));
            continue;
        };
        for other in attributes.iter().filter(|attribute| !attribute.path().is_ident(CFG.0)) {
            errors.error(
                other,
                format!("only `#[{CFG}(…)]` may stand in `{word}(…)`; move it to the struct of the {what}"),
            );
        }
        listed.push(Listed { cfgs: foreign::cfgs(&attributes), path });
    }
    Some(listed)
}

/// A path in a list with its attributes.
struct Entry {
    attributes: Vec<Attribute>,
    path: Path,
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self { attributes: input.call(Attribute::parse_outer)?, path: input.parse()? })
    }
}
