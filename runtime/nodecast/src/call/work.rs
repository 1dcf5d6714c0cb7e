//! What may take long leaves the async workers, so that a health check and other calls need not wait for it
//! (`wire.md` 9.1). What cannot take long stays: the way to another thread and back costs more than a small call.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, spawn_blocking};
use tracing::Span;

use super::{Args, Arguments, BoxFuture, Stage};
use crate::Error;
use crate::wire::{MAX_LIGHT, Regime, Value};

/// What a number or the frame of a list weighs, in bytes of text.
const SCALAR: usize = 8;
/// What msgpack carries as it is, is copied at most: so many bytes of it weigh as much as one that is converted.
const COPIED: usize = 64;
/// How a PNG and a JPEG begin, as themselves and in base64. A few bytes of either may unfold to millions of pixels.
const PICTURES: [&[u8]; 2] = [b"\x89PNG", b"\xff\xd8\xff"];
const PICTURES_IN_TEXT: [&str; 2] = ["iVBORw", "/9j/"];

/// Whether reading, checking or writing these values may take long.
pub(crate) fn is_heavy<'v>(values: impl IntoIterator<Item = &'v Value>, regime: Regime) -> bool {
    let mut left = MAX_LIGHT;
    values.into_iter().any(|value| !spend(value, regime, &mut left))
}

/// Takes what a value weighs from what is left; false where that is not enough.
fn spend(value: &Value, regime: Regime, left: &mut usize) -> bool {
    let carried = |length: usize| match regime {
        Regime::Json => length,
        Regime::Msgpack => length / COPIED,
    };
    let own = match value {
        Value::Text(text) if PICTURES_IN_TEXT.iter().any(|head| text.starts_with(head)) => return false,
        Value::Bytes(bytes) if PICTURES.iter().any(|head| bytes.starts_with(head)) => return false,
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) | Value::Ext(_, bytes) => carried(bytes.len()),
        Value::Array(array) => carried(array.data().len()),
        Value::Image(image) => carried(image.pixels().len()),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::List(_) | Value::Map(_) => 0,
    };
    let Some(rest) = left.checked_sub(own + SCALAR) else { return false };
    *left = rest;
    match value {
        Value::List(items) => items.iter().all(|item| spend(item, regime, left)),
        Value::Map(map) => map.iter().all(|(key, value)| spend(key, regime, left) && spend(value, regime, left)),
        _ => true,
    }
}

/// As much work as there are cores is done at once: each has its picture unpacked, and more would only take turns.
static SEATS: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(seats()));

fn seats() -> usize {
    available_parallelism().map_or(2, |cores| cores.get().max(2))
}

/// Work that is handed to another thread. Where it has not begun when nobody waits for it any more, it never does.
struct Begun<T>(JoinHandle<T>);

impl<T> Drop for Begun<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Does work off the async workers; where there are none, at once. Its panic is one of the future. Where nobody waits for
/// it any more before its turn comes, it is not begun.
pub(crate) async fn off_the_workers<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    if Handle::try_current().is_err() {
        return Ok(work());
    }
    // Nobody closes it.
    let seat = SEATS.acquire().await.map_err(|_| stopped())?;
    let seated = move || {
        let _seat = seat;
        work()
    };
    on_a_thread(seated).await
}

/// Runs what may wait as long as it likes, as a node that blocks does: on a thread that nothing else waits for, so that it
/// takes no turn from work that ends by itself. Its panic is one of the future.
pub(super) async fn on_a_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let span = Span::current();
    let mut task = Begun(spawn_blocking(move || span.in_scope(work)));
    (&mut task.0).await.map_err(|failed| match failed.try_into_panic() {
        // Caught once, where every call's panic is caught.
        Ok(panic) => resume_unwind(panic),
        Err(_) => stopped(),
    })
}

/// The node of these arguments, decoded off the workers where that may take long: a picture unfolds here.
pub(super) async fn decoded<N: Arguments>(mut args: Args) -> Result<N, Error> {
    if !args.is_heavy() {
        return entered(&mut args);
    }
    let node = unfolded(boxed::<N>, args).await?.downcast::<N>();
    // It is what has just been put in, so the error is out of reach.
    node.map(|node| *node).map_err(|_| Error::at(Stage::InternalRuntime, "defect", "the arguments are another node's"))
}

fn boxed<N: Arguments>(mut args: Args) -> Result<Box<dyn Any + Send>, Error> {
    Ok(Box::new(entered::<N>(&mut args)?))
}

/// The node of arguments that nothing can be wrong with any more.
pub(super) fn entered<N: Arguments>(args: &mut Args) -> Result<N, Error> {
    let node = N::decode(args)?;
    args.enter();
    Ok(node)
}

// Not generic, so it is compiled once rather than once per node.
fn unfolded(
    decode: fn(Args) -> Result<Box<dyn Any + Send>, Error>,
    args: Args,
) -> BoxFuture<'static, Result<Box<dyn Any + Send>, Error>> {
    Box::pin(async move { off_the_workers(move || decode(args)).await? })
}

/// The end of what the nodeset or its host no longer does.
pub(super) fn stopped() -> Error {
    Error::at(Stage::Busy, "draining", "the nodeset has stopped").retryable()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Bytes, DType, Image, Map, Tensor};

    #[test]
    fn what_is_small_is_light() {
        let map: Map = [("text", Value::from("a word")), ("n", Value::from(5_i64))].into_iter().collect();
        let dot = Image::rgb8(2, 2, vec![0; 12]).unwrap();
        let values = [Value::Null, map.into(), Value::List(vec![Value::from(0.5); 1000]), Value::Image(dot)];
        for regime in [Regime::Json, Regime::Msgpack] {
            assert!(!is_heavy(&values, regime), "{regime:?}");
        }
    }

    #[test]
    fn what_unfolds_or_is_long_is_heavy() {
        let png = Bytes::from(b"\x89PNG\r\n\x1a\n".to_vec());
        let deep = Value::List(vec![Value::List(vec![Value::from("iVBORw0KGgo=")])]);
        let long = Value::from("x".repeat(MAX_LIGHT));
        let many = Value::List(vec![Value::Null; MAX_LIGHT]);
        for value in [deep, Value::from("/9j/4AAQ"), Value::Bytes(png), long, many] {
            for regime in [Regime::Json, Regime::Msgpack] {
                assert!(is_heavy([&value], regime), "{regime:?}: {value:?}");
            }
        }
    }

    #[test]
    fn an_array_weighs_where_it_is_written_as_text() {
        let array = Tensor::new(DType::UInt8, vec![MAX_LIGHT], vec![0; MAX_LIGHT]).unwrap();
        assert!(is_heavy([&Value::Array(array.clone())], Regime::Json));
        assert!(!is_heavy([&Value::Array(array)], Regime::Msgpack));
    }

    #[test]
    fn without_workers_it_is_done_at_once() {
        use futures_util::FutureExt as _;

        assert_eq!(off_the_workers(|| 7).now_or_never().map(Result::ok), Some(Some(7)));
    }

    /// Calls that are over must not leave work in a queue, whose arguments would stay in memory.
    #[tokio::test]
    async fn what_nobody_waits_for_is_not_begun() {
        let (done, gate) = std::sync::mpsc::channel::<()>();
        let gate = std::sync::Arc::new(std::sync::Mutex::new(gate));
        let taken = (0..seats()).map(|_| {
            let gate = gate.clone();
            tokio::spawn(off_the_workers(move || drop(gate.lock().map(|gate| gate.recv()))))
        });
        let taken: Vec<_> = taken.collect();
        while SEATS.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let begun = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let late = begun.clone();
        let waiting = off_the_workers(move || late.store(true, std::sync::atomic::Ordering::Relaxed));
        assert!(tokio::time::timeout(std::time::Duration::from_millis(20), waiting).await.is_err());
        drop(done);
        for task in taken {
            task.await.unwrap().unwrap();
        }
        assert!(!begun.load(std::sync::atomic::Ordering::Relaxed));
    }

    #[tokio::test]
    async fn it_is_done_on_another_thread_and_its_panic_comes_back() {
        let own = std::thread::current().id();
        let other = off_the_workers(|| std::thread::current().id()).await.ok();
        assert!(other.is_some_and(|other| other != own));
        let ended = tokio::spawn(async { off_the_workers(|| -> u8 { panic!("the text of it") }).await.is_ok() }).await;
        assert!(ended.is_err_and(|error| error.is_panic()));
    }
}
