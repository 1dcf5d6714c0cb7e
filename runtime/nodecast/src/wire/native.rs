//! How pictures, arrays, bytes and whole values pass through serde uncopied: past it, on this thread.
//!
//! serde knows no value of ours, only its own data model. While a decode runs, what must not be copied lies in a
//! thread-local slab, and a handle of 16 bytes stands for it in serde's stream. A scope empties the slab when the
//! (synchronous) run ends, so no handle outlives its value. On the way out a value is lent in the same way.
//!
//! Handles carry a nonce of the process and begin with a byte that UTF-8 never has, so no text and no foreign bytes
//! are taken for one.

use std::cell::{Cell, RefCell};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::OnceLock;

use super::{Regime, Value, WireError};

/// The name under which our own types ask our own (de)serializer for a handle.
pub(crate) const NATIVE: &str = "$nodecast::native";

/// Bytes that stand for a value in the slab.
pub(crate) type Handle = [u8; 16];

thread_local! {
    static SLAB: RefCell<Vec<Value>> = const { RefCell::new(Vec::new()) };
    static REGIME: Cell<Option<Regime>> = const { Cell::new(None) };
    static PORTABLE: Cell<bool> = const { Cell::new(false) };
    static KIND: Cell<Option<&'static str>> = const { Cell::new(None) };
    static ASKED: Cell<bool> = const { Cell::new(false) };
    static LENT: Cell<Option<Value>> = const { Cell::new(None) };
}

/// One decode or encode on this thread; scopes nest.
pub(crate) struct Scope {
    slots: usize,
    outer: Option<Regime>,
}

impl Scope {
    pub(crate) fn enter(regime: Regime) -> Self {
        Self { slots: SLAB.with_borrow(Vec::len), outer: REGIME.replace(Some(regime)) }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if SLAB.with_borrow(Vec::len) > self.slots {
            // Dropped outside the borrow: bytes may belong to an owner of the user's, whose drop may call us.
            let own = SLAB.with_borrow_mut(|slab| slab.split_off(self.slots.min(slab.len())));
            drop(own);
        }
        REGIME.set(self.outer);
    }
}

/// The regime of the decode that runs on this thread; none while a foreign format is read.
pub(crate) fn regime() -> Option<Regime> {
    REGIME.get()
}

/// While it lives, who asks for anything gets arrays as the objects that mark them.
pub(crate) struct Portable {
    outer: bool,
}

impl Portable {
    pub(crate) fn enter() -> Self {
        Self { outer: PORTABLE.replace(true) }
    }
}

impl Drop for Portable {
    fn drop(&mut self) {
        PORTABLE.set(self.outer);
    }
}

pub(crate) fn is_portable() -> bool {
    PORTABLE.get()
}

/// Puts a value into the slab.
pub(crate) fn deposit(value: Value) -> Handle {
    let index = SLAB.with_borrow_mut(|slab| {
        slab.push(value);
        slab.len() - 1
    });
    handle(index as u64)
}

/// Takes the value that a handle stands for; none if the bytes are no handle.
///
/// What is shared stays there, since an untagged enum tries a buffered handle more than once. A tree is moved out:
/// only our own types ask for one, and each asks once.
pub(crate) fn withdraw(bytes: &[u8]) -> Option<Value> {
    let (_, index) = bytes.split_first_chunk::<8>()?;
    let index = u64::from_le_bytes(index.try_into().ok()?);
    if bytes != handle(index) {
        return None;
    }
    SLAB.with_borrow_mut(|slab| {
        let slot = slab.get_mut(usize::try_from(index).ok()?)?;
        Some(match slot {
            Value::Array(_) | Value::Image(_) | Value::Bytes(_) | Value::Ext(..) => slot.clone(),
            _ => std::mem::take(slot),
        })
    })
}

fn handle(index: u64) -> Handle {
    static NONCE: OnceLock<[u8; 8]> = OnceLock::new();
    let nonce = NONCE.get_or_init(|| {
        let mut nonce = RandomState::new().build_hasher().finish().to_le_bytes();
        if let Some(first) = nonce.first_mut() {
            *first = 0xff;
        }
        nonce
    });
    let mut handle = [0; 16];
    let (front, back) = handle.split_at_mut(8);
    front.copy_from_slice(nonce);
    back.copy_from_slice(&index.to_le_bytes());
    handle
}

/// Runs `serialize` on one of our own types and takes the value that it lends, uncopied.
///
/// What serde has buffered in between lends nothing; it comes in its portable form.
pub(crate) fn borrow(serialize: impl FnOnce() -> Result<Value, WireError>) -> Result<Value, WireError> {
    ASKED.set(true);
    let portable = serialize();
    ASKED.set(false);
    LENT.take().map_or(portable, Ok)
}

/// Lends a value if our own serializer asked in the very step before; says whether it did.
pub(crate) fn lend(value: impl FnOnce() -> Value) -> bool {
    let asked = ASKED.take();
    if asked {
        LENT.set(Some(value()));
    }
    asked
}

/// Gives the error that `make` builds from a sentence this `kind`, where the error is ours.
pub(crate) fn with_kind<E>(kind: &'static str, make: impl FnOnce() -> E) -> E {
    let outer = KIND.replace(Some(kind));
    let error = make();
    KIND.set(outer);
    error
}

/// The kind of the error that is being built.
pub(crate) fn kind() -> Option<&'static str> {
    KIND.get()
}

#[cfg(test)]
mod tests {
    use super::{Regime, Scope, deposit, withdraw};
    use crate::wire::Value;

    #[test]
    fn no_handle_outlives_its_scope() {
        let scope = Scope::enter(Regime::Json);
        let handle = deposit(Value::from("kept"));
        {
            let _inner = Scope::enter(Regime::Json);
            let inner = deposit(Value::Null);
            assert_ne!(inner, handle);
        }
        assert_eq!(withdraw(&handle), Some(Value::from("kept")));
        drop(scope);
        assert_eq!(withdraw(&handle), None);
    }

    #[test]
    fn foreign_bytes_are_no_handle() {
        let _scope = Scope::enter(Regime::Json);
        let mut handle = deposit(Value::Null);
        assert!(std::str::from_utf8(&handle).is_err());
        handle[3] ^= 1;
        assert_eq!(withdraw(&handle), None);
        assert_eq!(withdraw(&[0; 16]), None);
        assert_eq!(withdraw(&[]), None);
    }
}
