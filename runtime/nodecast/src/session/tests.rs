//! The rules of `mcp.md` 4 on the machine alone, with a clock that is passed in, and on its guards under a paused one.

use std::time::Duration;

use tokio::time::Instant;

use super::{Busy, Handle, Holder, Key, Leases, SharedLeases, Status, Ticket};

const IDLE: Duration = Duration::from_secs(600);

fn holder(label: &str) -> Holder {
    Holder::new(None, label)
}

fn session(id: &str) -> Key {
    Key::Session(id.into())
}

fn lease(bits: u8) -> Key {
    Key::Lease(Handle::new([bits; 16]))
}

fn one() -> (Leases, Instant) {
    (Leases::new(1, IDLE), Instant::now())
}

fn held(leases: &mut Leases, key: Key, now: Instant) -> Ticket {
    let ticket = leases.reserve(holder("holder"), now).unwrap();
    assert!(leases.promote(ticket, key, now));
    ticket
}

#[test]
fn w1_one_reservation_wins() {
    let (mut leases, now) = one();
    assert!(leases.reserve(holder("first"), now).is_ok());
    let busy = leases.reserve(holder("second"), now + Duration::from_secs(60)).unwrap_err();
    let left = Duration::from_secs(540);
    let expected =
        Busy { held_by: "first".to_owned(), held_for: Duration::from_secs(60), frees_in_if_idle: Some(left) };
    assert_eq!((busy.retry_after_s(), busy), (540, expected));
}

#[test]
fn t13_one_lock_over_both_eras() {
    for (first, second) in [(session("a"), lease(1)), (lease(1), session("a")), (Key::Process, lease(1))] {
        let (mut leases, now) = one();
        let ticket = held(&mut leases, first.clone(), now);
        assert!(leases.reserve(holder("second"), now).is_err(), "{first:?} and {second:?}");
        assert_eq!(leases.admit(&second, None, now), None);
        assert_eq!(leases.admit(&first, None, now), Some(ticket));
        assert!(leases.release(ticket));
        held(&mut leases, second, now);
    }
}

#[test]
fn t13_a_failed_handshake_frees_the_reservation() {
    let (mut leases, now) = one();
    let ticket = leases.reserve(holder("a"), now).unwrap();
    assert!(leases.release(ticket));
    assert_eq!(leases.status(), Status::Free);
    let ticket = held(&mut leases, session("b"), now);
    assert!(leases.release(ticket));
    assert_eq!((leases.status(), leases.admit(&session("b"), None, now)), (Status::Free, None));
}

#[test]
fn an_old_ticket_changes_nothing() {
    let (mut leases, now) = one();
    let old = held(&mut leases, session("a"), now);
    assert!(leases.release(old));
    let new = held(&mut leases, session("b"), now);
    leases.end(old, now);
    assert!(!leases.release(old) && !leases.release_unused(old) && !leases.begin(old, now));
    assert!(!leases.promote(old, session("c"), now));
    assert_eq!(leases.admit(&session("b"), None, now), Some(new));
    // A key opens one holding, whoever promotes it.
    let mut several = Leases::new(2, IDLE);
    held(&mut several, session("a"), now);
    let other = several.reserve(holder("b"), now).unwrap();
    assert!(!several.promote(other, session("a"), now));
}

#[test]
fn w2_idle_never_cuts_a_running_call() {
    let (mut leases, now) = one();
    let ticket = held(&mut leases, lease(1), now);
    assert!(leases.begin(ticket, now));
    let ended = now + 3 * IDLE;
    assert_eq!((leases.deadline(), leases.reap(ended)), (None, None));
    leases.end(ticket, ended);
    assert_eq!(leases.reap(ended + IDLE - Duration::from_millis(1)), None);
    assert_eq!(leases.reap(ended + IDLE), Some(lease(1)));
    assert_eq!(leases.status(), Status::Free);
}

#[test]
fn w2_release_during_a_call_drains() {
    let (mut leases, now) = one();
    let ticket = held(&mut leases, lease(1), now);
    assert!(leases.begin(ticket, now) && leases.begin(ticket, now));
    assert!(leases.release(ticket));
    assert_eq!((leases.status(), leases.taken()), (Status::Draining, 1));
    assert!(!leases.release(ticket) && !leases.begin(ticket, now));
    assert_eq!(leases.admit(&lease(1), None, now), None);
    let busy = leases.reserve(holder("b"), now).unwrap_err();
    assert_eq!((busy.frees_in_if_idle, busy.retry_after_s()), (None, 1));
    // Nobody idles it away meanwhile.
    assert_eq!((leases.deadline(), leases.reap(now + 3 * IDLE)), (None, None));
    leases.end(ticket, now);
    assert_eq!(leases.status(), Status::Draining);
    leases.end(ticket, now);
    assert!(leases.reserve(holder("b"), now).is_ok());
}

#[test]
fn messages_put_the_reaper_off() {
    let (mut leases, now) = one();
    held(&mut leases, session("a"), now);
    let later = now + IDLE - Duration::from_secs(1);
    assert!(leases.admit(&session("a"), None, later).is_some());
    assert!(leases.admit(&session("b"), None, later).is_none());
    assert_eq!((leases.reap(now + IDLE), leases.deadline()), (None, Some(later + IDLE)));
}

#[test]
fn t12_a_key_opens_to_its_principal_alone() {
    let (mut leases, now) = one();
    let ticket = leases.reserve(Holder::new(Some("alice".to_owned()), "a"), now).unwrap();
    leases.promote(ticket, lease(1), now);
    let later = now + Duration::from_secs(1);
    for stranger in [None, Some("bob"), Some("")] {
        assert_eq!(leases.admit(&lease(1), stranger, later), None);
    }
    assert_eq!(leases.deadline(), Some(now + IDLE), "a stranger's message is no sign of life");
    assert_eq!(leases.admit(&lease(1), Some("alice"), later), Some(ticket));
}

#[test]
fn the_process_holds_until_it_ends() {
    let (mut leases, now) = one();
    held(&mut leases, Key::Process, now);
    assert_eq!((leases.deadline(), leases.reap(now + 3 * IDLE)), (None, None));
    assert_eq!(leases.reserve(holder("b"), now).unwrap_err().frees_in_if_idle, None);
}

#[test]
fn t13_a_holder_that_never_showed_its_key_can_be_taken_for_gone() {
    let (mut leases, now) = one();
    let ticket = held(&mut leases, session("a"), now);
    assert!(leases.release_unused(ticket));
    let ticket = held(&mut leases, session("b"), now);
    leases.admit(&session("b"), None, now);
    assert!(!leases.release_unused(ticket));
    assert_eq!(leases.status(), Status::Held);
}

#[test]
fn t11_seats_are_bounded_and_come_back() {
    let now = Instant::now();
    let mut leases = Leases::new(3, IDLE);
    for (at, id) in ["a", "b", "c"].into_iter().enumerate() {
        held(&mut leases, session(id), now + Duration::from_secs(at as u64));
    }
    let later = now + Duration::from_secs(10);
    // Who waits is told of the one that is free first.
    assert_eq!(leases.reserve(holder("d"), later).unwrap_err().frees_in_if_idle, Some(Duration::from_secs(590)));
    leases.admit(&session("a"), None, later);
    assert_eq!(leases.deadline(), Some(now + Duration::from_secs(1) + IDLE));
    let reaped: Vec<_> = std::iter::from_fn(|| leases.reap(now + Duration::from_secs(2) + IDLE)).collect();
    assert_eq!(reaped, [session("b"), session("c")]);
    assert_eq!(leases.taken(), 1);
    assert!(leases.reserve(holder("d"), later).is_ok());
}

#[test]
fn a_reservation_that_never_ends_idles_away_too() {
    let (mut leases, now) = one();
    let ticket = leases.reserve(holder("a"), now).unwrap();
    assert_eq!(leases.reap(now + IDLE), None, "there is no key whose session could end");
    assert_eq!(leases.status(), Status::Free);
    assert!(!leases.promote(ticket, session("a"), now));
}

fn shared() -> SharedLeases {
    SharedLeases::new(1, IDLE)
}

fn hold(leases: &SharedLeases, id: &str) -> super::Pass {
    let reservation = leases.reserve(holder(id)).unwrap();
    assert!(reservation.promote(session(id)));
    reservation.keep()
}

#[tokio::test(start_paused = true)]
async fn t13_the_reaper_frees_a_crashed_holder() {
    let leases = shared();
    let start = Instant::now();
    leases.acquire(holder("a"), Handle::new([1; 16])).unwrap();
    assert_eq!(leases.reaped().await, lease(1));
    assert_eq!((start.elapsed(), leases.status()), (IDLE, Status::Free));
}

#[tokio::test(start_paused = true)]
async fn w2_the_reaper_counts_from_the_end_of_the_call() {
    let leases = shared();
    let call = hold(&leases, "a").begin().unwrap();
    let start = Instant::now();
    let reaper = tokio::spawn({
        let leases = leases.clone();
        async move { leases.reaped().await }
    });
    tokio::time::sleep(3 * IDLE).await;
    assert_eq!(leases.status(), Status::Held);
    drop(call);
    assert_eq!(reaper.await.unwrap(), session("a"));
    assert_eq!(start.elapsed(), 4 * IDLE);
}

#[tokio::test(start_paused = true)]
async fn a_reaper_that_waits_for_nobody_sees_the_next_holder() {
    let leases = shared();
    let reaper = tokio::spawn({
        let leases = leases.clone();
        async move { leases.reaped().await }
    });
    tokio::task::yield_now().await;
    hold(&leases, "a");
    assert_eq!(reaper.await.unwrap(), session("a"));
}

#[tokio::test(start_paused = true)]
async fn w2_the_end_waits_for_the_calls() {
    let leases = shared();
    let pass = hold(&leases, "a");
    let call = pass.begin().unwrap();
    assert!(pass.release());
    let ended = tokio::spawn({
        let pass = pass.clone();
        async move { pass.ended().await }
    });
    tokio::task::yield_now().await;
    assert!(!ended.is_finished());
    drop(call);
    ended.await.unwrap();
    pass.ended().await;
}

#[test]
fn t13_a_dropped_reservation_frees_the_seat() {
    let leases = shared();
    let reservation = leases.reserve(holder("a")).unwrap();
    assert!(leases.acquire(holder("b"), Handle::new([1; 16])).is_err());
    drop(reservation);
    let reservation = leases.reserve(holder("a")).unwrap();
    reservation.promote(session("a"));
    drop(reservation);
    assert!(leases.find(&session("a")).is_none());
    assert_eq!(leases.status(), Status::Free);
}

#[test]
fn t20_a_panic_in_a_call_ends_it() {
    let leases = shared();
    let pass = hold(&leases, "a");
    let call = pass.begin().unwrap();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(move || {
        let _call = call;
        panic!("in the node");
    }));
    assert!(panicked.is_err());
    assert!(pass.release());
    assert_eq!(leases.status(), Status::Free);
}

/// Threads that take, use and give back at once: never two holders, and free in the end.
#[test]
fn t13_a_thousand_rounds_of_fifty_takers() {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    let leases = shared();
    let (barrier, holders) = (Barrier::new(50), AtomicUsize::new(0));
    let won: usize = std::thread::scope(|scope| {
        let takers = (0..50_u8).map(|at| {
            let (leases, barrier, holders) = (&leases, &barrier, &holders);
            scope.spawn(move || {
                let mut won = 0;
                for _ in 0..1_000 {
                    barrier.wait();
                    // Both eras at once.
                    let taken = if at.is_multiple_of(2) {
                        leases.acquire(holder("modern"), Handle::new([at; 16])).ok()
                    } else {
                        leases.reserve(holder("older")).ok().map(|reservation| {
                            reservation.promote(session(&at.to_string()));
                            reservation.keep()
                        })
                    };
                    if taken.is_some() {
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0, "two holders");
                        won += 1;
                    }
                    // Until all have tried.
                    barrier.wait();
                    if let Some(pass) = taken {
                        holders.fetch_sub(1, Ordering::SeqCst);
                        assert!(pass.release());
                    }
                }
                won
            })
        });
        takers.collect::<Vec<_>>().into_iter().map(|taker| taker.join().unwrap()).sum()
    });
    assert_eq!((won, leases.status()), (1_000, Status::Free));
}
