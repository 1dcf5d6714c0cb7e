//! What holds one value: the first rows of `wire.md` 1.1, and the types of std that serde knows.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroIsize, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64,
    NonZeroUsize, Wrapping,
};
use std::ops::{Bound, Range, RangeInclusive};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Case, cases};

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Nothing;

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Metres(f64);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Name {
    text: String,
}

#[derive(Serialize, Deserialize, JsonSchema)]
pub(crate) struct Boxed(Box<Name>);

/// A date as text, told by its format.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Day(#[schemars(extend("format" = "date"))] String);

#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub(crate) struct Moment(#[schemars(extend("format" = "date-time"))] String);

pub(crate) fn cases() -> Vec<Case> {
    cases![
        (),
        bool,
        char,
        String,
        i8,
        i16,
        i32,
        i64,
        isize,
        u8,
        u16,
        u32,
        u64,
        usize,
        f32,
        f64,
        NonZeroI8,
        NonZeroI16,
        NonZeroI32,
        NonZeroI64,
        NonZeroIsize,
        NonZeroU8,
        NonZeroU16,
        NonZeroU32,
        NonZeroU64,
        NonZeroUsize,
        Wrapping<u8>,
        Cell<u16>,
        RefCell<String>,
        Mutex<i8>,
        Box<u32>,
        Box<str>,
        Cow<'static, str>,
        Cow<'static, [u8]>,
        PathBuf,
        Duration,
        Option<Duration>,
        SystemTime,
        IpAddr,
        Ipv4Addr,
        Ipv6Addr,
        Range<u8>,
        RangeInclusive<f32>,
        Bound<i8>,
        Result<u8, String>,
        Option<bool>,
        Option<char>,
        Option<String>,
        Option<i64>,
        Option<u64>,
        Option<f32>,
        Option<NonZeroU8>,
        Option<IpAddr>,
        Option<Range<u8>>,
        Option<Box<str>>,
        Option<()>,
        Nothing,
        Metres,
        Name,
        Boxed,
        Day,
        Moment,
        Option<Name>,
        Option<Nothing>,
        serde_json::Value,
        Option<serde_json::Value>,
        serde_json::Map<String, serde_json::Value>,
        serde_json::Number,
    ]
}
