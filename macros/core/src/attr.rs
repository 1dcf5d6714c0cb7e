//! The arguments of an attribute: split at commas, matched against the known words, each set at most once.
//!
//! Knows no attribute's meaning.

use std::ops::RangeInclusive;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, ExprLit, Lit, LitStr, Token};

use crate::errors::Errors;
use crate::foreign;
use crate::model::{Literal, Number, Place, Value};
use crate::symbol::{self, MIN, NAME, Symbol};

/// One argument: a word, and what is said about it.
#[derive(Debug)]
pub(crate) struct Arg {
    /// The word as written.
    pub(crate) word: Ident,
    /// What follows it.
    pub(crate) said: Said,
}

/// What follows a word.
#[derive(Debug)]
pub(crate) enum Said {
    /// Nothing: `read_only`.
    Nothing,
    /// A value: `name = "…"`.
    Value(Box<Expr>),
    /// A list: `nodes(…)`.
    List(Group),
}

impl Parse for Arg {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word = input.call(Ident::parse_any)?;
        if input.is_empty() {
            return Ok(Self { word, said: Said::Nothing });
        }
        if input.peek(Token![=]) {
            let equals: Token![=] = input.parse()?;
            if input.is_empty() {
                return Err(syn::Error::new_spanned(equals, "expected a value after `=`"));
            }
            return Ok(Self { word, said: Said::Value(input.parse()?) });
        }
        match input.parse::<TokenTree>()? {
            TokenTree::Group(list) if list.delimiter() == Delimiter::Parenthesis => {
                Ok(Self { word, said: Said::List(list) })
            }
            other => Err(syn::Error::new_spanned(other, format!("expected `,`, `=` or `(…)` after `{word}`"))),
        }
    }
}

/// The known arguments in `tokens`; everything else is reported.
pub(crate) fn arguments(errors: &mut Errors, attribute: &str, words: &[Symbol], tokens: TokenStream) -> Vec<Arg> {
    let mut known = Vec::new();
    for part in split(errors, tokens) {
        if let Some(first) = part.clone().into_iter().next()
            && !matches!(first, TokenTree::Ident(_))
        {
            let way_out = match (first, words.first()) {
                // Most likely what others take without its word.
                (TokenTree::Literal(_), Some(word @ (&NAME | &MIN))) => {
                    format!("; write its word before it, such as `{word} = {part}`")
                }
                _ => String::new(),
            };
            errors.error(part, format!("expected an argument of {attribute}: {}{way_out}", symbol::list(words)));
            continue;
        }
        let Some(arg) = errors.ok(syn::parse2::<Arg>(part)) else { continue };
        if words.iter().any(|word| arg.word == *word) {
            known.push(arg);
        } else {
            let written = arg.word.to_string();
            let way_out = foreign::instead(&written, words).unwrap_or_else(|| match symbol::nearest(&written, words) {
                Some(word) => format!("write `{word}`"),
                None => format!("expected {}", symbol::list(words)),
            });
            errors.error(&arg.word, format!("unknown argument `{written}` of {attribute}; {way_out}"));
        }
    }
    known
}

/// The parts between the commas of the top level; a comma at the end is allowed.
pub(crate) fn split(errors: &mut Errors, tokens: TokenStream) -> Vec<TokenStream> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ',' => {
                if part.is_empty() {
                    errors.error(punct, "expected an argument before `,`");
                } else {
                    parts.push(part.drain(..).collect());
                }
            }
            other => part.push(other),
        }
    }
    if !part.is_empty() {
        parts.push(part.into_iter().collect());
    }
    parts
}

/// Puts `value` into `slot`, unless the word was said before.
pub(crate) fn set<T>(errors: &mut Errors, slot: &mut Option<T>, arg: &Arg, value: Option<T>) {
    match slot {
        Some(_) => errors.error(&arg.word, format!("duplicate argument `{}`; leave one out", arg.word)),
        None => *slot = value,
    }
}

/// `word = "…"`.
pub(crate) fn string(errors: &mut Errors, arg: &Arg) -> Option<LitStr> {
    match &arg.said {
        Said::Value(value) => match plain(value) {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
                if !text.suffix().is_empty() {
                    errors.error(text, "expected a string literal without a suffix");
                }
                Some(text.clone())
            }
            other => {
                errors.error(other, format!("expected a string literal; write `{} = \"…\"`", arg.word));
                None
            }
        },
        Said::Nothing | Said::List(_) => {
            errors.error(&arg.word, format!("`{0}` needs a value; write `{0} = \"…\"`", arg.word));
            None
        }
    }
}

/// The string that follows a word, where one does.
pub(crate) fn text(arg: &Arg) -> Option<&LitStr> {
    let Said::Value(value) = &arg.said else { return None };
    match plain(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// `word`, `word = true` or `word = false`.
pub(crate) fn flag(errors: &mut Errors, arg: &Arg) -> Option<bool> {
    match &arg.said {
        Said::Nothing => Some(true),
        Said::Value(value) => match plain(value) {
            Expr::Lit(ExprLit { lit: Lit::Bool(said), .. }) => Some(said.value),
            other => {
                errors.error(other, format!("expected `true` or `false`; write `{0}` or `{0} = false`", arg.word));
                None
            }
        },
        Said::List(list) => {
            errors.at(list.span_open(), format!("`{0}` takes no list; write `{0}` or `{0} = false`", arg.word));
            None
        }
    }
}

/// `word` with nothing behind it; where it stands.
pub(crate) fn alone(errors: &mut Errors, arg: &Arg) -> Option<Span> {
    match &arg.said {
        Said::Nothing => return Some(arg.word.span()),
        Said::Value(value) => {
            errors.error(value, format!("`{0}` takes no value; write `{0}`, or leave it out", arg.word));
        }
        Said::List(list) => errors.at(list.span_open(), format!("`{0}` takes no list; write `{0}`", arg.word)),
    }
    None
}

/// `word = 3`, within `range`.
pub(crate) fn whole(errors: &mut Errors, arg: &Arg, range: RangeInclusive<u32>) -> Option<u32> {
    let Literal { value, place } = literal(errors, arg)?;
    let (low, high) = (*range.start(), *range.end());
    let nearest = match value {
        Value::Int(value) => u32::try_from(value.clamp(low.into(), high.into())).unwrap_or(low),
        Value::Bool(_) | Value::Float(_) | Value::Text(_) => low,
    };
    if value == Value::Int(nearest.into()) {
        return Some(nearest);
    }
    errors.error(place, format!("`{}` is a whole number from {low} to {high}; write {nearest}", arg.word));
    None
}

/// `word = "…"`, one of these; `left_out` says what it means to say none, where that is a way out.
pub(crate) fn one_of<T: Copy>(errors: &mut Errors, arg: &Arg, of: &[(Symbol, T)], left_out: Option<&str>) -> Option<T> {
    let text = string(errors, arg)?;
    let value = text.value();
    if let Some((_, found)) = of.iter().find(|(word, _)| word.0 == value) {
        return Some(*found);
    }
    let words: Vec<Symbol> = of.iter().map(|(word, _)| *word).collect();
    let mut way_out = if let Some(word) = symbol::nearest(&value, &words) {
        format!("write `\"{word}\"`")
    } else {
        let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
        format!("write {}", words.join(" or "))
    };
    if let Some(meaning) = left_out {
        way_out = format!("{way_out}, or leave it out {meaning}");
    }
    errors.error(text, format!("unknown value `{value}` of `{}`; {way_out}", arg.word));
    None
}

/// `word = 0.5`.
pub(crate) fn number(errors: &mut Errors, arg: &Arg) -> Option<Number> {
    let Literal { value, place } = literal(errors, arg)?;
    match value {
        Value::Int(value) => {
            // Bounds are numbers of an editor; beyond 2^53 the nearest double is what it shows.
            #[allow(clippy::cast_precision_loss, reason = "a bound is shown as a double")]
            let value = value as f64;
            Some(Number { value, place })
        }
        Value::Float(value) if value.is_finite() => Some(Number { value, place }),
        Value::Float(_) => {
            errors.error(place, "this number is too large for 64 bits; write a finite one");
            None
        }
        Value::Bool(_) | Value::Text(_) => {
            errors.error(place, format!("expected a number; write `{} = 0.5`", arg.word));
            None
        }
    }
}

/// `word = ` a literal, possibly negative.
pub(crate) fn literal(errors: &mut Errors, arg: &Arg) -> Option<Literal> {
    let Said::Value(value) = &arg.said else {
        errors.error(&arg.word, format!("`{0}` needs a value; write `{0} = …`", arg.word));
        return None;
    };
    match literal_of(value) {
        Ok(literal) => Some(literal),
        Err(error) => {
            errors.push(error);
            None
        }
    }
}

/// The literal that an expression is, possibly negative.
pub(crate) fn literal_of(expr: &Expr) -> syn::Result<Literal> {
    let expr = plain(expr);
    let place = place(expr);
    let value = match expr {
        Expr::Lit(ExprLit { lit, .. }) => match lit {
            Lit::Bool(lit) => Value::Bool(lit.value),
            Lit::Str(lit) => Value::Text(lit.value()),
            // Of a `char`, which is text of one character on every face.
            Lit::Char(lit) => Value::Text(lit.value().to_string()),
            Lit::Int(lit) => Value::Int(lit.base10_parse()?),
            Lit::Float(lit) => Value::Float(lit.base10_parse()?),
            other => return Err(not_a_literal(other)),
        },
        Expr::Unary(negated) if matches!(negated.op, syn::UnOp::Neg(_)) => match literal_of(&negated.expr)?.value {
            Value::Int(value) => Value::Int(-value),
            Value::Float(value) => Value::Float(-value),
            Value::Bool(_) | Value::Text(_) => return Err(not_a_literal(expr)),
        },
        other => return Err(not_a_literal(other)),
    };
    Ok(Literal { value, place })
}

fn not_a_literal(tokens: impl ToTokens) -> syn::Error {
    syn::Error::new_spanned(tokens, "expected a literal: `true`, a number or a string")
}

/// The expression inside parentheses and inside the invisible groups of `macro_rules!`.
fn plain(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => plain(&group.expr),
        Expr::Paren(paren) => plain(&paren.expr),
        other => other,
    }
}

fn place(expr: &Expr) -> Place {
    let mut spans = expr.to_token_stream().into_iter().map(|token| token.span());
    let first = spans.next().unwrap_or_else(Span::call_site);
    Place { first, last: spans.last().unwrap_or(first) }
}
