//! The graph by itself (`live.md` 2).

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use nodecast_live::{Graph, Memo, Mvu, batch, effect, memo, memo_by, signal};

/// What a panic says.
fn panics(work: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(work)).unwrap_err();
    panic.downcast_ref::<String>().cloned().or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap()
}

/// A place to note what ran.
fn notes<T: 'static>() -> (Rc<RefCell<Vec<T>>>, impl Fn(T) + Clone) {
    let notes = Rc::new(RefCell::new(Vec::new()));
    let own = notes.clone();
    (notes, move |note| own.borrow_mut().push(note))
}

#[test]
fn an_equal_write_wakes_nothing() {
    let g = Graph::new();
    let price = signal(&g, 1);
    let (seen, note) = notes();
    let _ = effect(&g, move || note(price.get()));
    price.set(1);
    price.set(2);
    price.update(|price| price + 1);
    assert_eq!(*seen.borrow(), [1, 2, 3]);
}

#[test]
fn a_memo_is_lazy_and_an_equal_result_stops_there() {
    let g = Graph::new();
    let number = signal(&g, 1);
    let (runs, note) = notes();
    let odd = memo(&g, {
        let note = note.clone();
        move || {
            note("odd");
            number.get() % 2 == 1
        }
    });
    assert!(runs.borrow().is_empty());
    let _ = effect(&g, move || {
        odd.get();
        note("effect");
    });
    number.set(3);
    number.set(4);
    assert_eq!(*runs.borrow(), ["odd", "effect", "odd", "odd", "effect"]);
}

#[test]
fn a_comparer_keeps_the_former_result() {
    let g = Graph::new();
    let exact = signal(&g, 10.2);
    let shown = memo_by(
        &g,
        "whole",
        |one: &f64, other: &f64| one.floor().total_cmp(&other.floor()).is_eq(),
        move || exact.get(),
    );
    let (seen, note) = notes();
    let _ = effect(&g, move || note(shown.get().to_string()));
    exact.set(10.9);
    exact.set(11.0);
    assert_eq!(*seen.borrow(), ["10.2", "11"]);
}

/// No reader sees a mix of old and new, whichever way it reads first.
#[test]
fn a_diamond_is_seen_whole_and_run_once() {
    let g = Graph::new();
    let source = signal(&g, 1);
    let left = memo(&g, move || source.get() + 1);
    let right = memo(&g, move || left.get() * source.get());
    let (seen, note) = notes();
    let _ = effect(&g, move || note((source.get(), left.get(), right.get())));
    source.set(5);
    assert_eq!(*seen.borrow(), [(1, 2, 2), (5, 6, 30)]);
}

#[test]
fn effects_run_in_creation_order_and_their_writes_join_the_flush() {
    let g = Graph::new();
    let (first, second) = (signal(&g, 0), signal(&g, 0));
    let (seen, note) = notes();
    for name in ["a", "b"] {
        let note = note.clone();
        let _ = effect(&g, move || note(format!("{name} {} {}", first.get(), second.get())));
    }
    let _ = effect(&g, move || second.set(first.get() * 10));
    seen.borrow_mut().clear();
    first.set(1);
    assert_eq!(*seen.borrow(), ["a 1 0", "b 1 0", "a 1 10", "b 1 10"]);
}

#[test]
fn r07_nested_batches_flush_once_and_a_panic_closes_them() {
    let g = Graph::new();
    let count = signal(&g, 0);
    let (seen, note) = notes();
    let _ = effect(&g, move || note(count.get()));
    batch(&g, || {
        batch(&g, || count.set(1));
        assert_eq!((count.get(), seen.borrow().len()), (1, 1));
        count.set(2);
    });
    assert_eq!(*seen.borrow(), [0, 2]);
    let said = panics(|| {
        batch(&g, || {
            count.set(3);
            panic!("in the middle");
        });
    });
    assert_eq!(said, "in the middle");
    count.set(4);
    assert_eq!(*seen.borrow(), [0, 2, 3, 4]);
}

#[test]
fn a_failed_update_leaves_the_model() {
    let g = Graph::new();
    let model = Mvu::new(&g, 1_u8, |message: i16, model: &u8| match message {
        0 => panic!("zero"),
        step => u8::try_from(i16::from(*model) + step).map_err(|_| format!("{step} is too far")),
    });
    let doubled = model.select(|model| u16::from(*model) * 2);
    assert_eq!(model.dispatch(-2).unwrap_err().to_string(), "-2 is too far");
    assert_eq!(panics(|| model.dispatch(0).unwrap()), "zero");
    assert_eq!((model.peek(), doubled.get()), (1, 2));
    model.dispatch(4).unwrap();
    assert_eq!((model.peek(), doubled.get()), (5, 10));
}

#[test]
fn a_dispatch_from_an_effect_joins_the_flush() {
    let g = Graph::new();
    let model = Mvu::new(&g, 0, |step: i32, model: &i32| Ok::<_, String>(model + step));
    let (seen, note) = notes();
    let _ = effect(&g, move || note(model.get()));
    let _ = effect(&g, move || {
        if model.get() % 2 == 1 {
            model.dispatch(1).unwrap();
        }
    });
    model.dispatch(1).unwrap();
    assert_eq!(*seen.borrow(), [0, 1, 2]);
}

#[test]
fn what_a_node_made_is_dropped_when_it_runs_again() {
    let g = Graph::new();
    let source = signal(&g, 0);
    let made: Rc<Cell<Option<Memo<i32>>>> = Rc::default();
    let (own, graph) = (made.clone(), g.clone());
    let _ = effect(&g, move || {
        let value = source.get();
        if own.get().is_none() {
            own.set(Some(memo(&graph, move || value).named("inner")));
        }
    });
    let inner = made.get().unwrap();
    assert_eq!((inner.get(), g.node_count()), (0, 3));
    source.set(1);
    assert_eq!(g.node_count(), 2);
    let said = panics(|| _ = inner.get());
    assert!(said.contains("`inner`") && said.contains("graph.rs:") && said.contains("dropped"), "{said}");
    g.clear();
}

#[test]
fn a_memo_that_reads_itself_is_refused_by_name() {
    let g = Graph::new();
    let late: Rc<Cell<Option<Memo<i32>>>> = Rc::default();
    let own = late.clone();
    let first = memo(&g, move || own.get().unwrap().get()).named("first");
    let second = memo(&g, move || first.get()).named("second");
    late.set(Some(second));
    let said = panics(|| _ = second.get());
    assert!(said.contains("`second`") && said.contains("`first`") && said.contains("reads itself"), "{said}");
}

#[test]
fn a_flush_that_never_settles_is_refused_by_name() {
    let g = Graph::new();
    let (count, go) = (signal(&g, 0_u32), signal(&g, false));
    let _ = effect(&g, move || {
        if go.get() {
            count.set(count.get() + 1);
        }
    })
    .named("runaway");
    let said = panics(|| go.set(true));
    assert!(said.contains("1000 rounds") && said.contains("`runaway`"), "{said}");
    // It ends there, and the graph goes on.
    go.set(false);
    assert_eq!(count.get(), 1_000);
}

/// Of that flush: who had no turn in it, and what stands above it, hear of later writes.
#[test]
fn a_flush_that_was_given_up_leaves_nothing_stuck() {
    let g = Graph::new();
    let (count, go) = (signal(&g, 0_u32), signal(&g, false));
    let _ = effect(&g, move || {
        if go.get() {
            count.set(count.get() + 1);
        }
    });
    let half = memo(&g, move || count.get() / 2);
    let (seen, note) = notes();
    let _ = effect(&g, move || note(half.get()));
    panics(|| go.set(true));
    go.set(false);
    count.set(20);
    count.set(40);
    assert_eq!(*seen.borrow(), [0, 10, 20]);
}

/// `live.md` 2: a panic leaves model and values untouched, also where a memo or an effect of the flush panics.
#[test]
fn a_panic_in_the_flush_takes_the_dispatch_back() {
    let g = Graph::new();
    let model = Mvu::new(&g, 1_i32, |message: i32, _: &i32| Ok::<_, String>(message));
    let copied = signal(&g, 0);
    let _ = effect(&g, move || copied.set(model.get()));
    let share = memo(&g, move || 100 / model.get());
    let (seen, note) = notes();
    let _ = effect(&g, move || note(share.get()));
    let said = panics(|| model.dispatch(0).unwrap());
    assert!(said.contains("divide by zero"), "{said}");
    assert_eq!((model.peek(), share.get(), copied.get()), (1, 100, 1));
    model.dispatch(4).unwrap();
    assert_eq!((model.peek(), share.get(), copied.get()), (4, 25, 4));
    let picky = effect(&g, move || assert!(model.get() < 10, "too large for me"));
    assert_eq!(panics(|| model.dispatch(20).unwrap()), "too large for me");
    assert_eq!((model.peek(), share.get(), copied.get()), (4, 25, 4));
    model.dispatch(5).unwrap();
    assert_eq!((share.get(), copied.get()), (20, 5));
    let _ = picky;
    assert_eq!(seen.borrow().last(), Some(&20));
}

#[test]
fn a_handle_of_another_graph_is_refused_by_name() {
    let (g, other) = (Graph::new(), Graph::new());
    let foreign = signal(&other, 1).named("foreign");
    let reads = memo(&g, move || foreign.get());
    assert!(panics(|| _ = reads.get()).contains("`foreign`"));
    let _ = effect(&other, move || _ = foreign.get());
    drop(other);
    assert!(panics(|| _ = foreign.get()).contains("its graph was dropped"));
}

#[test]
fn a_memo_that_panicked_is_asked_again() {
    let g = Graph::new();
    let by = signal(&g, 1);
    let share = memo(&g, move || 100 / by.get());
    let (seen, note) = notes();
    let _ = effect(&g, move || note(share.get()));
    panics(|| by.set(0));
    by.set(2);
    by.set(5);
    assert_eq!(*seen.borrow(), [100, 50, 20]);
}

/// The traced part of `live.md` 8: the same program, the same log.
#[test]
fn the_log_of_a_program_is_the_same_each_time() {
    let run = || {
        let g = Graph::new();
        let source = signal(&g, 1).named("source");
        let doubled = memo(&g, move || source.get() * 2).named("doubled");
        let graph = g.clone();
        let _ = effect(&g, move || {
            let seen = doubled.get();
            let _ = memo(&graph, move || seen);
        });
        (0..20).for_each(|value| batch(&g, || source.set(value / 2)));
        let dump = g.trace_dump();
        g.clear();
        dump
    };
    let first = run();
    assert!(first.contains("Moved 2") && first.contains("2→4") && first.contains("Dropped"), "{first}");
    assert_eq!(first, run());
}
