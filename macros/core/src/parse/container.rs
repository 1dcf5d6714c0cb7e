//! `#[derive(Container)]` on a struct.

use proc_macro2::TokenStream;
use syn::{Attribute, Data, DeriveInput, Expr, Fields, LitStr, Path};

use super::{default_krate, doc, foreign, inside, krate, name_or, no_generics, snake_name_or};
use crate::attr::{self, Arg, Said};
use crate::errors::Errors;
use crate::model::{Container, Initial, InitialValue, Lifetime, LifetimeRule, MaxSize, State, Target};
use crate::symbol::{
    CONTAINER, CONTAINER_DERIVE, CRATE, CUSTOM, EPISODE, FOREVER, ID, INITIAL, LABEL, LIFETIME, MAX_SIZE, NAME,
    RESET_ON, RUN, STATE, STEP, Symbol, VALUE_TYPE,
};

const WORDS: &[Symbol] = &[ID, LABEL, CRATE];
const STATE_WORDS: &[Symbol] = &[NAME, LIFETIME, RESET_ON, INITIAL, MAX_SIZE, VALUE_TYPE];
const LIFETIMES: &[(Symbol, LifetimeRule)] = &[
    (FOREVER, LifetimeRule::Forever),
    (STEP, LifetimeRule::Step),
    (EPISODE, LifetimeRule::Episode),
    (RUN, LifetimeRule::Run),
    (CUSTOM, LifetimeRule::Custom),
];

/// Reads the item; the target is whole even when the model is not.
pub(crate) fn container(errors: &mut Errors, item: TokenStream) -> (Target, Option<Container>) {
    let mut target = Target { item: TokenStream::new(), krate: default_krate(), subject: None };
    let Some(item) = errors.ok(syn::parse2::<DeriveInput>(item)) else { return (target, None) };
    target.subject = Some((item.ident.clone(), item.generics.clone()));
    let said = arguments(errors, &item.attrs);
    if let Some(path) = said.krate {
        target.krate = path;
    }
    no_generics(errors, &item.generics, "a container");
    let example = "write `{ name: LastWrite<Type> }`";
    let states = match &item.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) if !named.named.is_empty() => {
                named.named.iter().filter_map(|field| state(errors, field)).collect()
            }
            Fields::Named(_) | Fields::Unit => {
                errors.error(&item.ident, format!("a container without states remembers nothing; {example}"));
                return (target, None);
            }
            Fields::Unnamed(unnamed) => {
                errors.error(unnamed, format!("a container needs named fields, since states go by name; {example}"));
                return (target, None);
            }
        },
        Data::Enum(data) => {
            let message = format!("`{CONTAINER_DERIVE}` goes on a struct, one field a state; write `struct`");
            errors.error(data.enum_token, message);
            return (target, None);
        }
        Data::Union(data) => {
            let message = format!("`{CONTAINER_DERIVE}` goes on a struct, one field a state; write `struct`");
            errors.error(data.union_token, message);
            return (target, None);
        }
    };
    let model = Container {
        krate: target.krate.clone(),
        id: snake_name_or(said.id, &item.ident),
        ident: item.ident,
        label: said.label,
        doc: doc::doc(&item.attrs),
        states,
    };
    (target, Some(model))
}

#[derive(Default)]
struct Written {
    id: Option<LitStr>,
    label: Option<LitStr>,
    krate: Option<Path>,
}

fn arguments(errors: &mut Errors, attrs: &[Attribute]) -> Written {
    let mut said = Written::default();
    for attribute in attrs.iter().filter(|attribute| attribute.path().is_ident(CONTAINER.0)) {
        let Some(tokens) = inside(errors, attribute, CONTAINER) else { continue };
        for arg in attr::arguments(errors, "`#[container]`", WORDS, tokens) {
            if arg.word == CRATE {
                let path = krate(errors, &arg);
                attr::set(errors, &mut said.krate, &arg, path);
            } else {
                let text = attr::string(errors, &arg);
                attr::set(errors, if arg.word == ID { &mut said.id } else { &mut said.label }, &arg, text);
            }
        }
    }
    said
}

/// What `#[state(…)]` says.
#[derive(Default)]
struct OfState {
    name: Option<LitStr>,
    lifetime: Option<Lifetime>,
    reset_on: Option<Vec<LitStr>>,
    initial: Option<Initial>,
    max_size: Option<MaxSize>,
    value_type: Option<LitStr>,
}

fn state(errors: &mut Errors, field: &syn::Field) -> Option<State> {
    let ident = field.ident.clone()?;
    let mut said = OfState::default();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident(STATE.0)) {
        let Some(tokens) = inside(errors, attribute, STATE) else { continue };
        for arg in attr::arguments(errors, "`#[state]`", STATE_WORDS, tokens) {
            said.take(errors, &arg);
        }
    }
    Some(State {
        cfgs: foreign::cfgs(&field.attrs),
        name: name_or(said.name, &ident),
        ident,
        doc: doc::doc(&field.attrs),
        ty: field.ty.clone(),
        lifetime: said.lifetime,
        reset_on: said.reset_on.unwrap_or_default(),
        initial: said.initial,
        max_size: said.max_size,
        value_type: said.value_type,
    })
}

impl OfState {
    fn take(&mut self, errors: &mut Errors, arg: &Arg) {
        let span = arg.word.span();
        if arg.word == LIFETIME {
            let said = attr::one_of(errors, arg, LIFETIMES, None).map(|said| Lifetime { said, span });
            attr::set(errors, &mut self.lifetime, arg, said);
        } else if arg.word == RESET_ON {
            let signals = signals(errors, arg);
            attr::set(errors, &mut self.reset_on, arg, signals);
        } else if arg.word == INITIAL {
            let said = initial(errors, arg).map(|said| Initial { said, span });
            attr::set(errors, &mut self.initial, arg, said);
        } else if arg.word == MAX_SIZE {
            let said = attr::whole(errors, arg, 1..=u32::MAX).map(|entries| MaxSize { entries, span });
            attr::set(errors, &mut self.max_size, arg, said);
        } else {
            let text = attr::string(errors, arg);
            attr::set(errors, if arg.word == NAME { &mut self.name } else { &mut self.value_type }, arg, text);
        }
    }
}

/// `reset_on("sunset", "moved")`.
fn signals(errors: &mut Errors, arg: &Arg) -> Option<Vec<LitStr>> {
    let Said::List(list) = &arg.said else {
        errors.error(&arg.word, format!("`{RESET_ON}` takes its signals in a list; write `{RESET_ON}(\"moved\")`"));
        return None;
    };
    let mut found = Vec::new();
    for part in attr::split(errors, list.stream()) {
        match syn::parse2::<LitStr>(part.clone()) {
            Ok(signal) => found.push(signal),
            Err(_) => errors.error(part, "expected the name of a signal, such as `\"moved\"`"),
        }
    }
    Some(found)
}

/// `initial = 5`, or `initial("a", "b")`.
fn initial(errors: &mut Errors, arg: &Arg) -> Option<InitialValue> {
    let Said::List(list) = &arg.said else { return attr::literal(errors, arg).map(InitialValue::One) };
    let mut entries = Vec::new();
    for part in attr::split(errors, list.stream()) {
        let literal = syn::parse2::<Expr>(part).and_then(|expr| attr::literal_of(&expr));
        entries.extend(errors.ok(literal));
    }
    Some(InitialValue::Entries(entries))
}
