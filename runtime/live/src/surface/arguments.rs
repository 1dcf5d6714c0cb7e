//! The arguments of the tools, read by hand: what is wrong with them is said in plain text, with what was sent.

use nodecast::Value;
use nodecast::call::Stage;

use crate::encode::compact;
use crate::lines;
use crate::message::Rejected;
use crate::sequence::Asked;

/// So many messages of one call are taken.
pub(super) const MOST_MESSAGES: usize = 200;
/// The longest wait, in milliseconds.
pub(super) const LONGEST_WAIT: u64 = 60_000;

fn refuse<T>(text: String) -> Result<T, Rejected> {
    Err(Rejected::new(Stage::SchemaValidation, text))
}

/// What was sent, in so many characters as help.
fn sent(value: &Value) -> String {
    lines::cut(&compact(value), lines::LONGEST_ARGS)
}

/// `message` with `args`, or `messages`, of which one that is none is refused in its place.
pub(super) fn messages(
    message: Option<Value>,
    args: Option<Value>,
    messages: Option<Value>,
) -> Result<Vec<Result<Asked, Rejected>>, Rejected> {
    match (message, messages) {
        (Some(_), Some(_)) => refuse("send either `message` with its `args`, or `messages`; both were sent".to_owned()),
        (None, None) if args.is_some() => {
            refuse("`message` is missing, only `args` was sent; send the message's name with them".to_owned())
        }
        (None, None) => refuse("send `message` with its `args`, or `messages`; neither was sent".to_owned()),
        (Some(message), None) => Ok(vec![Ok(Asked {
            message: name(&message, "/message")?,
            args: args.unwrap_or_default(),
            pointer: "/args".to_owned(),
        })]),
        (None, Some(_)) if args.is_some() => {
            refuse("`args` belongs to `message`; in `messages` each message has its own".to_owned())
        }
        (None, Some(Value::List(all))) => list(all),
        (None, Some(other)) => {
            refuse(format!("`/messages` must be a list of `{{message, args}}`; sent was {}", sent(&other)))
        }
    }
}

fn list(all: Vec<Value>) -> Result<Vec<Result<Asked, Rejected>>, Rejected> {
    if all.is_empty() {
        return refuse("`/messages` is empty; send a message at least".to_owned());
    }
    if all.len() > MOST_MESSAGES {
        return refuse(format!(
            "`/messages` holds {} messages, and a call takes {MOST_MESSAGES}; send the rest later",
            all.len()
        ));
    }
    Ok(all.into_iter().enumerate().map(|(at, one)| asked(at, one)).collect())
}

fn asked(at: usize, one: Value) -> Result<Asked, Rejected> {
    let Value::Map(mut members) = one else {
        return refuse(format!("`/messages/{at}` must be an object `{{message, args}}`; sent was {}", sent(&one)));
    };
    let (message, args) = (members.remove("message"), members.remove("args"));
    if let Some((key, _)) = members.iter().next() {
        return refuse(format!("`/messages/{at}` has a member {key}, and a message has `message` and `args` alone"));
    }
    match message {
        Some(message) => Ok(Asked {
            message: name(&message, &format!("/messages/{at}/message"))?,
            args: args.unwrap_or_default(),
            pointer: format!("/messages/{at}/args"),
        }),
        None => refuse(format!("`/messages/{at}/message` is missing; send the message's name")),
    }
}

fn name(message: &Value, pointer: &str) -> Result<String, Rejected> {
    match message {
        Value::Text(name) => Ok(name.clone()),
        other => refuse(format!("`{pointer}` must be a string, the message's name; sent was {}", sent(other))),
    }
}

/// `version`.
pub(super) fn version(version: Option<Value>) -> Result<u64, Rejected> {
    match version {
        None => refuse("`version` is missing; send the number of the version to wait for".to_owned()),
        Some(sent_value) => match whole(&sent_value) {
            Some(version) => Ok(version),
            None => refuse(format!("`/version` must be an integer of at least 0; sent was {}", sent(&sent_value))),
        },
    }
}

/// `timeoutMs`, refused and not clamped.
pub(super) fn timeout(timeout: Option<Value>) -> Result<u64, Rejected> {
    let Some(timeout) = timeout else { return Ok(super::catalog::DEFAULT_WAIT) };
    match whole(&timeout).filter(|timeout| *timeout <= LONGEST_WAIT) {
        Some(timeout) => Ok(timeout),
        None => refuse(format!(
            "`/timeoutMs` must be an integer from 0 to {LONGEST_WAIT}, in milliseconds; sent was {}",
            sent(&timeout)
        )),
    }
}

/// A whole number, also where it was written with a point.
fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Int(number) => number.as_u64(),
        Value::Float(number) => nodecast::wire::Integer::from_integral(*number)?.as_u64(),
        _ => None,
    }
}
