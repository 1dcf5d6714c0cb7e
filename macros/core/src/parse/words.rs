//! Words that several attributes share: icons, `_meta`, how long a result may be kept.

use syn::parse::{Parse, ParseStream};
use syn::{Expr, LitStr, Token};

use crate::attr::{self, Arg, Said};
use crate::errors::Errors;
use crate::model::{CacheScope, Icon, IconTheme, MetaEntry};
use crate::symbol::{CACHE_SCOPE, DARK, ICON, ICONS, LIGHT, META, MIME, PRIVATE, PUBLIC, SIZE, SRC, THEME, TTL_MS};

/// What has been said in these words.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) ttl_ms: Option<u32>,
    pub(crate) cache_scope: Option<CacheScope>,
    pub(crate) icons: Option<Vec<Icon>>,
    pub(crate) meta: Option<Vec<MetaEntry>>,
}

impl Shared {
    /// Takes an argument that is one of these words; false for any other.
    pub(crate) fn takes(&mut self, errors: &mut Errors, arg: &Arg) -> bool {
        if arg.word == TTL_MS {
            let value = attr::whole(errors, arg, 0..=u32::MAX);
            attr::set(errors, &mut self.ttl_ms, arg, value);
        } else if arg.word == CACHE_SCOPE {
            let scopes = [(PUBLIC, CacheScope::Public), (PRIVATE, CacheScope::Private)];
            let value = attr::one_of(errors, arg, &scopes, None);
            attr::set(errors, &mut self.cache_scope, arg, value);
        } else if arg.word == ICONS {
            let value = icons(errors, arg);
            attr::set(errors, &mut self.icons, arg, value);
        } else if arg.word == META {
            let value = meta(errors, arg);
            attr::set(errors, &mut self.meta, arg, value);
        } else {
            return false;
        }
        true
    }
}

/// `icons("https://…", icon(src = "…", theme = "dark"))`.
fn icons(errors: &mut Errors, arg: &Arg) -> Option<Vec<Icon>> {
    let Said::List(list) = &arg.said else {
        errors.error(&arg.word, format!("`{ICONS}` takes a list; write `{ICONS}(\"https://…\")`"));
        return None;
    };
    let mut found = Vec::new();
    for part in attr::split(errors, list.stream()) {
        if let Ok(src) = syn::parse2::<LitStr>(part.clone()) {
            found.push(Icon { src, mime: None, size: None, theme: None });
            continue;
        }
        match syn::parse2::<Arg>(part.clone()) {
            Ok(Arg { word, said: Said::List(list) }) if word == ICON => {
                found.extend(icon(errors, &word, list.stream()));
            }
            _ => {
                let message = format!(
                    "expected an icon: `\"https://…\"` or `{ICON}({SRC} = \"https://…\", {THEME} = \"{DARK}\")`"
                );
                errors.error(part, message);
            }
        }
    }
    Some(found)
}

fn icon(errors: &mut Errors, word: &proc_macro2::Ident, inside: proc_macro2::TokenStream) -> Option<Icon> {
    let (mut src, mut mime, mut size, mut theme) = (None, None, None, None);
    for arg in attr::arguments(errors, &format!("`{ICON}`"), &[SRC, MIME, SIZE, THEME], inside) {
        if arg.word == THEME {
            let value = attr::one_of(errors, &arg, &[(LIGHT, IconTheme::Light), (DARK, IconTheme::Dark)], None);
            attr::set(errors, &mut theme, &arg, value);
            continue;
        }
        let text = attr::string(errors, &arg);
        let slot = if arg.word == SRC {
            &mut src
        } else if arg.word == MIME {
            &mut mime
        } else {
            &mut size
        };
        attr::set(errors, slot, &arg, text);
    }
    let Some(src) = src else {
        errors.error(word, format!("an icon needs its address; write `{ICON}({SRC} = \"https://…\")`"));
        return None;
    };
    Some(Icon { src, mime, size, theme })
}

/// `meta("com.example/team" = "pastry", "com.example/level" = 3)`.
fn meta(errors: &mut Errors, arg: &Arg) -> Option<Vec<MetaEntry>> {
    let Said::List(list) = &arg.said else {
        errors.error(
            &arg.word,
            format!("`{META}` takes its members in a list; write `{META}(\"com.example/key\" = \"…\")`"),
        );
        return None;
    };
    let mut found = Vec::new();
    for part in attr::split(errors, list.stream()) {
        let Ok(Member { key, value }) = syn::parse2(part.clone()) else {
            errors.error(
                part,
                "expected a member: `\"com.example/key\" = \"value\"`, or a number or a bool in its place",
            );
            continue;
        };
        if let Some(value) = errors.ok(attr::literal_of(&value)) {
            found.push(MetaEntry { key, value });
        }
    }
    Some(found)
}

/// A key and what is said of it.
struct Member {
    key: LitStr,
    value: Expr,
}

impl Parse for Member {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { key, value: input.parse()? })
    }
}
