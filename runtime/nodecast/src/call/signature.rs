//! What the call path knows of an entry: how arguments find their fields, and how they and the reply are checked.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::work::is_heavy;
use super::{
    Arg, Args, Error, FieldCheck, Finding, MAX_FINDINGS, Origin, OwnFunctions, Reply, Stage, Validator, escape, forms,
    nearest, shown, whole,
};
use crate::decl::JsonForm;
use crate::wire::{self, Regime, Value};

/// The arguments of a call as a face received them: names and values in the order sent.
#[derive(Clone, Debug)]
pub enum RawArguments {
    /// Ports under `inputs`, config fields under `config`.
    Split {
        /// Values of ports.
        inputs: Vec<(String, Value)>,
        /// Values of config fields.
        config: Vec<(String, Value)>,
    },
    /// Ports and config fields together.
    Flat(Vec<(String, Value)>),
    /// Ports and config fields together, and further config fields under `config`.
    Beside {
        /// Values of both.
        inputs: Vec<(String, Value)>,
        /// Values of config fields.
        config: Vec<(String, Value)>,
    },
    /// All as text, as a URI and a prompt carry them.
    Spelled(Vec<(String, String)>),
}

impl RawArguments {
    /// Whether checking them may take long.
    pub(super) fn is_heavy(&self, regime: Regime) -> bool {
        let values = |named: &[(String, Value)]| is_heavy(named.iter().map(|(_, value)| value), regime);
        match self {
            Self::Flat(all) => values(all),
            Self::Split { inputs, config } | Self::Beside { inputs, config } => values(inputs) || values(config),
            // They came in a URI, or for a prompt.
            Self::Spelled(_) => false,
        }
    }
}

/// What the call path knows of an entry: how its arguments and outputs are checked.
#[derive(Debug)]
pub struct Signature {
    /// One a field, in declared order.
    pub inputs: Vec<InputCheck>,
    /// What all arguments together must be, beside what each must be; for a hand-written schema.
    pub whole: Option<Validator>,
    /// How the reply is checked.
    pub outputs: ReplyCheck,
    /// Whether callers read the text of errors that no node declares.
    pub show_errors: bool,
    /// Drops what it does not know, where a graph may send it.
    pub lenient: Option<Dropped>,
}

/// The names that were dropped, each of which is said once in the log.
#[derive(Debug, Default)]
pub struct Dropped(Mutex<BTreeSet<String>>);

/// So many names are remembered; whoever sends more makes them up.
const MAX_DROPPED: usize = 256;

impl Dropped {
    /// A name that stood below this pointer is dropped; the log says so once a name.
    pub(crate) fn note(&self, pointer: &str, name: &str) {
        let mut dropped = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if dropped.len() < MAX_DROPPED && dropped.insert(format!("{pointer}/{name}")) {
            tracing::info!(argument = &*shown(name), "an argument that is not declared is dropped");
        }
    }
}

/// How a reply is checked.
#[derive(Debug)]
pub enum ReplyCheck {
    /// One check a port, in order.
    Ports(Vec<OutputCheck>),
    /// A fire list, which may name these functions of its own nodeset.
    FireList(OwnFunctions),
    /// Made by a type of ours, which says nothing that a face could not pass on.
    Made,
}

/// How one argument is checked.
#[derive(Debug)]
pub struct InputCheck {
    /// The field's name.
    pub name: Cow<'static, str>,
    /// A config field, not a port.
    pub config: bool,
    /// May be left out, and then has no value.
    pub optional: bool,
    /// Takes text for the value that it spells, since no text is a value of it.
    pub coerce: bool,
    /// Its value when left out.
    pub default: Option<Value>,
    /// What its values must be, in a few words.
    pub expected: String,
    /// What its values must be, in both regimes.
    pub check: FieldCheck,
}

/// How one output is checked.
#[derive(Debug)]
pub struct OutputCheck {
    /// The port's name.
    pub name: Cow<'static, str>,
    /// How JSON carries its numbers.
    pub form: JsonForm,
    /// What its values must be.
    pub validator: Validator,
}

impl Signature {
    /// Gives every argument its slot; all that is wrong is found, not the first alone.
    pub fn route(&self, arguments: RawArguments, regime: Regime) -> Result<Args, Error> {
        let spelled = matches!(arguments, RawArguments::Spelled(_));
        // Where a value is missed that was sent nowhere, what was sent there, and what under `config`.
        let (home, inputs, config) = match arguments {
            RawArguments::Split { inputs, config } => (Origin::Inputs, inputs, config),
            RawArguments::Beside { inputs, config } => (Origin::Root, inputs, config),
            RawArguments::Flat(all) => (Origin::Root, all, Vec::new()),
            RawArguments::Spelled(all) => {
                let all = all.into_iter().map(|(name, text)| (name, Value::Text(text))).collect();
                (Origin::Root, all, Vec::new())
            }
        };
        let slot = |field: &InputCheck| Arg { name: field.name.clone(), origin: home, value: None };
        let mut slots: Vec<Arg> = self.inputs.iter().map(slot).collect();
        let (mut findings, mut unlooked) = (Vec::new(), 0);
        for (origin, name, value) in [(home, inputs), (Origin::Config, config)]
            .into_iter()
            .flat_map(|(origin, entries)| entries.into_iter().map(move |(name, value)| (origin, name, value)))
        {
            match self.inputs.iter().zip(&mut slots).find(|(field, _)| field.name == name && field.is_at(origin)) {
                // Editors and models send null for "unset". A schema that a person wrote says itself where it may stand.
                Some((field, _))
                    if value == Value::Null && (field.config || field.optional && self.whole.is_none()) => {}
                // Forms of prompts send no text for it.
                Some((field, _)) if spelled && field.optional && field.check.is_unset(&value) => {}
                Some((_, slot)) if slot.value.is_some() => findings.push(twice(origin, &name)),
                Some((_, slot)) => (slot.origin, slot.value) = (origin, Some(value)),
                None => match &self.lenient {
                    Some(dropped) => dropped.note(origin.pointer(), &name),
                    // More are not shown, and each costs a look at all names.
                    None if findings.len() < MAX_FINDINGS => findings.push(self.unknown(origin, &name)),
                    None => unlooked += 1,
                },
            }
        }
        for (_, slot) in self.inputs.iter().zip(&mut slots).filter(|(field, _)| field.coerce) {
            if let Some(spelt) = slot.value.as_ref().and_then(spelt) {
                slot.value = Some(spelt);
            }
        }
        let together = self.whole.as_ref().map(|whole| whole::findings(whole, &mut slots)).unwrap_or_default();
        for (field, slot) in self.inputs.iter().zip(&mut slots) {
            match &mut slot.value {
                Some(value) => {
                    let wrong = if spelled {
                        field.check.read_spelled(value)
                    } else {
                        let wrong = field.check.findings(value, regime);
                        if wrong.is_empty() {
                            field.check.read(value, regime);
                        }
                        wrong
                    };
                    if !wrong.is_empty() {
                        let at = slot.pointer();
                        findings.extend(wrong.into_iter().map(|finding| finding.under(&at)));
                    }
                }
                None => match &field.default {
                    Some(default) => slot.value = Some(default.clone()),
                    None if field.optional => {}
                    None => findings.push(field.missing(slot)),
                },
            }
        }
        whole::add(&mut findings, together);
        if findings.is_empty() {
            return Ok(Args::new(slots, regime));
        }
        Err(Error::refused(findings).and_more(unlooked))
    }

    fn unknown(&self, origin: Origin, name: &str) -> Finding {
        let here = |field: &&InputCheck| field.is_at(origin);
        let known: Vec<String> = self.inputs.iter().filter(here).map(|field| field.name.to_string()).collect();
        let elsewhere = self.inputs.iter().find(|field| !field.is_at(origin) && field.name == name);
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        let name = &*shown(name);
        let way_out = match (elsewhere, &nearest) {
            (Some(field), _) if field.config => "; send it under `config`".to_owned(),
            (Some(_), _) => "; send it with the inputs".to_owned(),
            (None, Some(nearest)) => format!("; did you mean `{nearest}`?"),
            (None, None) if known.is_empty() => "; there are none".to_owned(),
            (None, None) => format!("; known are {}", quoted(&known)),
        };
        let what = match origin {
            Origin::Root => "argument",
            Origin::Inputs => "input",
            Origin::Config => "config field",
        };
        Finding {
            kind: "unknown_field",
            pointer: format!("{}/{}", origin.pointer(), escape(name)),
            detail: format!("unknown {what} `{name}`{way_out}"),
            expected: None,
            known,
            nearest,
        }
    }

    /// A reply that breaks its own declaration is the node's failure, never passed on; one that keeps it leaves in the
    /// form of the regime.
    pub(super) fn check(&self, mut reply: Reply, regime: Regime) -> Result<Reply, Error> {
        let findings = match (&self.outputs, reply.values()) {
            (ReplyCheck::Ports(ports), values) if ports.len() == values.len() => {
                ports.iter().zip(values).flat_map(|(port, value)| port.findings(value)).collect()
            }
            (ReplyCheck::FireList(functions), [list]) => functions.findings(list),
            (ReplyCheck::Made, [_]) => Vec::new(),
            (ReplyCheck::Ports(_) | ReplyCheck::FireList(_) | ReplyCheck::Made, values) => {
                let detail = format!("the node returned {} values, and declares another number", values.len());
                vec![Finding { kind: "bad_output", detail, ..Finding::default() }]
            }
        };
        if !findings.is_empty() {
            return Err(Error::refused(findings).stage_of(Stage::AdapterExecution));
        }
        if let (Regime::Json, ReplyCheck::Ports(ports)) = (regime, &self.outputs) {
            for (port, value) in ports.iter().zip(reply.values_mut()) {
                forms::write(value, port.form);
            }
        }
        Ok(reply)
    }
}

/// What a type may send that its schema does not know, and what to do about it.
const TAG: &str = "; if that is the tag of a struct which is flattened into another, its schema does not hold it: make the \
                   struct an enum of one variant with that tag";

impl OutputCheck {
    fn findings(&self, value: &Value) -> impl Iterator<Item = Finding> {
        self.validator.findings(value).into_iter().map(|finding| {
            let finding = finding.under(&format!("/outputs/{}", escape(&self.name)));
            let mut detail = format!("the node broke its own declaration: {}", finding.detail);
            if finding.kind == "unknown_field" {
                detail.push_str(TAG);
            }
            Finding { kind: "bad_output", detail, ..finding }
        })
    }
}

impl InputCheck {
    /// Whether it may stand there.
    fn is_at(&self, origin: Origin) -> bool {
        match origin {
            Origin::Root => true,
            Origin::Inputs => !self.config,
            Origin::Config => self.config,
        }
    }

    fn missing(&self, slot: &Arg) -> Finding {
        Finding {
            kind: "missing_field",
            pointer: slot.pointer(),
            detail: format!("`{}` is missing; send {}", self.name, self.expected),
            expected: Some(self.expected.clone()),
            ..Finding::default()
        }
    }
}

fn twice(origin: Origin, name: &str) -> Finding {
    Finding {
        kind: "duplicate_key",
        pointer: format!("{}/{}", origin.pointer(), escape(name)),
        detail: format!("`{name}` is sent twice"),
        ..Finding::default()
    }
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The number, bool, list or object that a text spells, as clients send it that quote what they should not.
fn spelt(value: &Value) -> Option<Value> {
    let spelt = wire::json::decode(value.as_text()?.as_bytes()).ok()?;
    // A quoted text is no more than that, and "null" may be a word.
    (!matches!(spelt, Value::Text(_) | Value::Null)).then_some(spelt)
}
