//! The one call path: arguments are routed to fields, checked, run, and the reply is checked.

use std::borrow::Cow;
use std::time::Instant;

use tracing::Instrument;

use super::panic::caught;
use super::{
    Arg, Args, Context, Error, FieldCheck, Finding, Origin, Reply, Runner, Stage, Validator, escape, forms, nearest,
    whole,
};
use crate::decl::JsonForm;
use crate::wire::{Regime, Value};

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
}

/// What the call path knows of an entry: how its arguments and outputs are checked.
#[derive(Debug)]
pub struct Signature {
    /// One a field, in declared order.
    pub inputs: Vec<InputCheck>,
    /// What all arguments together must be, beside what each must be; for a hand-written schema.
    pub whole: Option<Validator>,
    /// One a port, in order.
    pub outputs: Vec<OutputCheck>,
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

/// Calls the entry at `index` of `runner`: routes and checks the arguments, runs it, checks the reply.
///
/// A node that panics, is cancelled or is too late answers like one that fails; the node has not run when its
/// arguments are refused.
pub async fn invoke(
    name: &str,
    signature: &Signature,
    (runner, index): (&dyn Runner, usize),
    arguments: RawArguments,
    cx: &Context,
) -> Result<Reply, Error> {
    let span = tracing::info_span!("call", function = name, face = cx.caller().face);
    async {
        let started = Instant::now();
        let outcome = match signature.route(arguments, cx.caller().regime) {
            Ok(args) => run(runner, index, args, cx).await.and_then(|reply| signature.check(reply, cx.caller().regime)),
            Err(refused) => Err(refused),
        };
        log(&outcome, started);
        outcome
    }
    .instrument(span)
    .await
}

async fn run(runner: &dyn Runner, index: usize, args: Args, cx: &Context) -> Result<Reply, Error> {
    // The node's own token: cancelled with the caller's, at the deadline, and when nobody awaits this call any more, so
    // that work which the node handed to a thread learns of it too.
    let token = cx.cancellation().child_token();
    let _cancel_at_the_end = token.clone().drop_guard();
    let inner = cx.clone().with_cancellation(token);
    let node = cx.cancellation().run_until_cancelled(caught(async { runner.run(index, args, &inner).await }));
    let ended = match cx.deadline() {
        Some(deadline) => match tokio::time::timeout_at(deadline, node).await {
            Ok(ended) => ended,
            Err(_) => {
                return Err(Error::at(Stage::Timeout, "timeout", "the call took longer than its deadline").retryable());
            }
        },
        None => node.await,
    };
    ended.unwrap_or_else(|| Err(Error::at(Stage::Cancelled, "cancelled", "the call was cancelled")))
}

/// One line a call; arguments and results stay out of it.
fn log(outcome: &Result<Reply, Error>, started: Instant) {
    // Whole microseconds: more digits are noise.
    let duration_ms = (started.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    match outcome {
        Ok(_) => tracing::info!(outcome = "ok", duration_ms),
        Err(error) => {
            // A declared error is its own cause; only what it does not say itself is worth the line.
            let cause = error.cause().map(|cause| chain(cause)).filter(|cause| cause != error.message());
            let stage = error.stage().as_str();
            let (kind, detail) = (error.kind(), error.message());
            match error.stage() {
                // The caller's mistake, told to the caller.
                Stage::SchemaValidation | Stage::Busy | Stage::Cancelled => {
                    tracing::info!(outcome = "error", duration_ms, stage, kind, detail);
                }
                _ => tracing::warn!(outcome = "error", duration_ms, stage, kind, detail, cause),
            }
        }
    }
}

fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(": ");
        text.push_str(&error.to_string());
        source = error.source();
    }
    text
}

impl Signature {
    /// Gives every argument its slot; all that is wrong is found, not the first alone.
    fn route(&self, arguments: RawArguments, regime: Regime) -> Result<Args, Error> {
        let split = matches!(arguments, RawArguments::Split { .. });
        let mut slots: Vec<Arg> = self
            .inputs
            .iter()
            .map(|field| Arg { name: field.name.clone(), origin: field.origin(split), value: None })
            .collect();
        let mut findings = Vec::new();
        let sections = match arguments {
            RawArguments::Split { inputs, config } => vec![(Origin::Inputs, inputs), (Origin::Config, config)],
            RawArguments::Flat(all) => vec![(Origin::Root, all)],
        };
        for (origin, name, value) in sections
            .into_iter()
            .flat_map(|(origin, entries)| entries.into_iter().map(move |(name, value)| (origin, name, value)))
        {
            match self.inputs.iter().zip(&mut slots).find(|(field, slot)| field.name == name && slot.origin == origin) {
                // Editors and models send null for "unset".
                Some((field, _)) if value == Value::Null && (field.optional || field.config) => {}
                Some((_, slot)) => slot.value = Some(value),
                None => findings.push(self.unknown(origin, &name)),
            }
        }
        let together = self.whole.as_ref().map(|whole| whole::findings(whole, &mut slots)).unwrap_or_default();
        for (field, slot) in self.inputs.iter().zip(&mut slots) {
            let at = slot.pointer();
            match &mut slot.value {
                Some(value) => {
                    let wrong = field.check.findings(value, regime);
                    if wrong.is_empty() {
                        field.check.read(value, regime);
                    }
                    findings.extend(wrong.into_iter().map(|mut finding| {
                        let pointer = format!("{at}{}", finding.pointer);
                        finding.detail = finding.detail.replace(&named(&finding.pointer), &named(&pointer));
                        finding.pointer = pointer;
                        finding
                    }));
                }
                None => match &field.default {
                    Some(default) => slot.value = Some(default.clone()),
                    None if field.optional => {}
                    None => findings.push(field.missing(slot)),
                },
            }
        }
        whole::add(&mut findings, together);
        if findings.is_empty() { Ok(Args::new(slots, regime)) } else { Err(Error::refused(findings)) }
    }

    fn unknown(&self, origin: Origin, name: &str) -> Finding {
        let split = origin != Origin::Root;
        let here = |field: &&InputCheck| field.origin(split) == origin;
        let known: Vec<String> = self.inputs.iter().filter(here).map(|field| field.name.to_string()).collect();
        let elsewhere = self.inputs.iter().find(|field| !here(field) && field.name == name);
        let nearest = nearest(name, known.iter().map(String::as_str)).map(str::to_owned);
        let way_out = match (elsewhere, &nearest) {
            (Some(field), _) => format!("; send it under `{}`", if field.config { "config" } else { "inputs" }),
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
    fn check(&self, mut reply: Reply, regime: Regime) -> Result<Reply, Error> {
        if reply.values().len() != self.outputs.len() {
            let detail = format!("the node returned {} outputs of {}", reply.values().len(), self.outputs.len());
            return Err(Error::at(Stage::AdapterExecution, "bad_output", detail));
        }
        let mut findings = Vec::new();
        for (port, value) in self.outputs.iter().zip(reply.values()) {
            findings.extend(port.validator.findings(value).into_iter().map(|mut finding| {
                finding.kind = "bad_output";
                let pointer = format!("/outputs/{}{}", escape(&port.name), finding.pointer);
                let detail = finding.detail.replace(&named(&finding.pointer), &named(&pointer));
                finding.detail = format!("the node broke its own declaration: {detail}");
                finding.pointer = pointer;
                finding
            }));
        }
        if !findings.is_empty() {
            return Err(Error::refused(findings).stage_of(Stage::AdapterExecution));
        }
        if regime == Regime::Json {
            for (port, value) in self.outputs.iter().zip(reply.values_mut()) {
                forms::write(value, port.form);
            }
        }
        Ok(reply)
    }
}

impl InputCheck {
    fn origin(&self, split: bool) -> Origin {
        match (split, self.config) {
            (false, _) => Origin::Root,
            (true, false) => Origin::Inputs,
            (true, true) => Origin::Config,
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

/// How a finding's sentence names a place.
fn named(pointer: &str) -> String {
    format!("`{pointer}`")
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
