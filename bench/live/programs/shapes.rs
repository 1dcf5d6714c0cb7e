//! Graphs of three shapes, in ours and in two others in the same process: nanoseconds for each node that moves.

use std::hint::black_box;
use std::time::Instant;

const WIDE: usize = 10_000;
const DEEP: usize = 1_000;
const DIAMONDS: usize = 1_000;

/// Moves the source so often, and shows what each moved node took.
fn measured(shape: &str, whose: &str, nodes: usize, mut write: impl FnMut(u64)) {
    let rounds = (2_000_000 / nodes).max(20) as u64;
    (1..=rounds / 10).for_each(&mut write);
    let begun = Instant::now();
    (1..=rounds).for_each(|value| write(value + 1_000_000));
    let each = begun.elapsed().as_nanos() as f64 / (rounds as f64 * nodes as f64);
    println!("{shape}\t{whose}\t{each:.0}");
}

/// Takes a value that a node has.
fn look(value: u64) {
    black_box(value);
}

mod ours {
    use nodecast_live::{Graph, Memo, effect, memo, signal};

    pub fn run() {
        let g = Graph::new();
        let source = signal(&g, 0_u64);
        let memos: Vec<Memo<u64>> = (0..super::WIDE as u64).map(|at| memo(&g, move || source.get() + at)).collect();
        let _ = effect(&g, move || memos.iter().for_each(|memo| super::look(memo.get())));
        super::measured("wide", "nodecast-live", super::WIDE, |value| source.set(value));

        let g = Graph::new();
        let source = signal(&g, 0_u64);
        let mut last = memo(&g, move || source.get());
        for _ in 1..super::DEEP {
            let before = last;
            last = memo(&g, move || before.get() + 1);
            last.get();
        }
        let _ = effect(&g, move || super::look(last.get()));
        super::measured("deep", "nodecast-live", super::DEEP, |value| source.set(value));

        let g = Graph::new();
        let source = signal(&g, 0_u64);
        let joins: Vec<Memo<u64>> = (0..super::DIAMONDS as u64)
            .map(|at| {
                let (left, right) = (memo(&g, move || source.get() + at), memo(&g, move || source.get() * 2));
                memo(&g, move || left.get() + right.get())
            })
            .collect();
        let _ = effect(&g, move || joins.iter().for_each(|memo| super::look(memo.get())));
        super::measured("diamond", "nodecast-live", super::DIAMONDS * 3, |value| source.set(value));
    }
}

mod sycamore {
    use sycamore_reactive::{ReadSignal, create_effect, create_memo, create_root, create_signal};

    pub fn run() {
        let _ = create_root(|| {
            let source = create_signal(0_u64);
            let memos: Vec<ReadSignal<u64>> =
                (0..super::WIDE as u64).map(|at| create_memo(move || source.get() + at)).collect();
            create_effect(move || memos.iter().for_each(|memo| super::look(memo.get())));
            super::measured("wide", "sycamore-reactive", super::WIDE, |value| source.set(value));
        });
        let _ = create_root(|| {
            let source = create_signal(0_u64);
            let mut last = create_memo(move || source.get());
            for _ in 1..super::DEEP {
                let before = last;
                last = create_memo(move || before.get() + 1);
            }
            create_effect(move || super::look(last.get()));
            super::measured("deep", "sycamore-reactive", super::DEEP, |value| source.set(value));
        });
        let _ = create_root(|| {
            let source = create_signal(0_u64);
            let joins: Vec<ReadSignal<u64>> = (0..super::DIAMONDS as u64)
                .map(|at| {
                    let (left, right) = (create_memo(move || source.get() + at), create_memo(move || source.get() * 2));
                    create_memo(move || left.get() + right.get())
                })
                .collect();
            create_effect(move || joins.iter().for_each(|memo| super::look(memo.get())));
            super::measured("diamond", "sycamore-reactive", super::DIAMONDS * 3, |value| source.set(value));
        });
    }
}

mod leptos {
    use reactive_graph::computed::Memo;
    use reactive_graph::owner::Owner;
    use reactive_graph::prelude::*;
    use reactive_graph::signal::RwSignal;

    pub fn run() {
        let owner = Owner::new();
        owner.set();
        let source = RwSignal::new(0_u64);
        let memos: Vec<Memo<u64>> = (0..super::WIDE as u64).map(|at| Memo::new(move |_| source.get() + at)).collect();
        // An effect that reads them all is told of each by itself, so one read after the write stands for the flush.
        super::measured("wide", "reactive_graph", super::WIDE, |value| {
            source.set(value);
            memos.iter().for_each(|memo| super::look(memo.get_untracked()));
        });

        let source = RwSignal::new(0_u64);
        let mut last = Memo::new(move |_| source.get());
        for _ in 1..super::DEEP {
            let before = last;
            last = Memo::new(move |_| before.get() + 1);
            last.get_untracked();
        }
        // An effect of its own would run at once, while the chain is still being marked, once more for each link.
        super::measured("deep", "reactive_graph", super::DEEP, |value| {
            source.set(value);
            super::look(last.get_untracked());
        });

        let source = RwSignal::new(0_u64);
        let joins: Vec<Memo<u64>> = (0..super::DIAMONDS as u64)
            .map(|at| {
                let (left, right) = (Memo::new(move |_| source.get() + at), Memo::new(move |_| source.get() * 2));
                Memo::new(move |_| left.get() + right.get())
            })
            .collect();
        super::measured("diamond", "reactive_graph", super::DIAMONDS * 3, |value| {
            source.set(value);
            joins.iter().for_each(|memo| super::look(memo.get_untracked()));
        });
    }
}

fn main() {
    // The deep ones take a frame or two for each node.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        ours::run();
        sycamore::run();
        leptos::run();
    });
    thread.unwrap().join().unwrap();
}
