//! A type as the user wrote it, on one line.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

/// Spaced as rustfmt would; the compiler's own printing differs between its versions.
pub(crate) fn written(ty: &Type) -> String {
    let mut text = String::new();
    write(&mut text, ty.to_token_stream());
    text
}

fn write(text: &mut String, tokens: TokenStream) {
    let mut arrow = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(text, group.stream());
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                let sign = punct.as_char();
                match sign {
                    '-' | '+' | '=' if !text.ends_with(' ') => text.push(' '),
                    _ => {}
                }
                text.push(sign);
                let closes_arrow = arrow && sign == '>';
                arrow = sign == '-' && punct.spacing() == Spacing::Joint;
                if closes_arrow || matches!(sign, ',' | ';' | '+' | '=') {
                    text.push(' ');
                }
            }
            word @ (TokenTree::Ident(_) | TokenTree::Literal(_)) => {
                if text.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    text.push(' ');
                }
                text.push_str(&word.to_string());
            }
        }
    }
    // A trailing comma of the user's formatting is none of the type.
    if text.ends_with(", ") {
        text.truncate(text.len() - 2);
    }
}
