//! Bringing one node up to date: what it reads, whether it has to run, what its run moves.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use super::node::{Kind, Node, State};
use super::{ACTIVE, Inner};
use crate::hook::Hook;

/// A run that has begun.
pub(super) struct Frame {
    /// What runs, and so reads; none for code whose reads are nobody's.
    pub(super) node: Option<Rc<Node>>,
    /// So many of its earlier sources were read again, in the same order.
    matched: usize,
    /// Whether it has read another one since.
    diverged: bool,
}

impl Inner {
    /// Reads for whatever runs: subscribes it, unless it only peeks, and brings the node up to date.
    #[track_caller]
    pub(crate) fn read(&self, node: &Rc<Node>, subscribes: bool) {
        if node.running.get() {
            self.refuse_cycle(node);
        }
        if subscribes {
            self.subscribe(node);
        } else if let Some(reader) = self.runs() {
            self.hook.peeked(node, &reader);
        }
        self.refresh(node);
        // A memo that writes has its flush when all reads have ended.
        self.settle();
    }

    /// The innermost node that runs, for who listens.
    pub(super) fn runs(&self) -> Option<Rc<Node>> {
        if Hook::ON { self.frames.borrow().iter().rev().find_map(|frame| frame.node.clone()) } else { None }
    }

    /// The node is a source of what runs.
    fn subscribe(&self, source: &Rc<Node>) {
        let mut frames = self.frames.borrow_mut();
        let Some(Frame { node: Some(observer), matched, diverged }) = frames.last_mut() else { return };
        let run = (observer.key.id, observer.runs.get());
        if source.read_by.replace(run) == run {
            return;
        }
        let mut sources = observer.sources.borrow_mut();
        if !*diverged {
            if sources.get(*matched).is_some_and(|known| Rc::ptr_eq(known, source)) {
                *matched += 1;
                return;
            }
            *diverged = true;
            for former in sources.drain(*matched..) {
                former.forget(observer);
                self.hook.edge_removed(&former, observer);
            }
        }
        // Another run may have read it in between, so that its mark is gone.
        if !sources.iter().any(|known| Rc::ptr_eq(known, source)) {
            sources.push(source.clone());
            source.observers.borrow_mut().push(observer.clone());
            self.hook.edge_added(source, observer);
        }
    }

    /// Brings a node up to date.
    pub(super) fn refresh(&self, node: &Rc<Node>) {
        let state = if node.failed.get() { State::Dirty } else { node.state.get() };
        match state {
            State::Clean => return,
            State::Check => {
                self.hook.check_started(node);
                let checked = catch_unwind(AssertUnwindSafe(|| self.refresh_sources(node)));
                let is_clean = checked.is_ok() && node.state.get() != State::Dirty;
                self.hook.check_resolved(node, is_clean);
                if let Err(panic) = checked {
                    // It is not known to be up to date, and the next mark has to reach it.
                    node.failed.set(true);
                    node.state.set(State::Clean);
                    resume_unwind(panic);
                }
                if is_clean {
                    node.state.set(State::Clean);
                    return;
                }
            }
            State::Dirty => {}
        }
        self.run(node);
    }

    /// Brings the sources up to date, until one has moved.
    fn refresh_sources(&self, node: &Rc<Node>) {
        let mut at = 0;
        while node.state.get() != State::Dirty {
            let Some(source) = node.sources.borrow().get(at).cloned() else { return };
            self.refresh(&source);
            at += 1;
        }
    }

    fn run(&self, node: &Rc<Node>) {
        self.drop_owned(node);
        // Whatever moves while it runs marks it anew.
        node.state.set(State::Clean);
        node.failed.set(false);
        node.runs.set(node.runs.get() + 1);
        let Some(mut work) = node.work.take() else { return };
        let before = node.value();
        self.hook.run_started(node);
        node.running.set(true);
        let (done, Frame { matched, diverged, .. }) = self.within(Some(node.clone()), || work(before.as_deref()));
        node.running.set(false);
        if !diverged {
            // What was not read again is no source any more.
            let former: Vec<_> = node.sources.borrow_mut().drain(matched..).collect();
            for former in former {
                former.forget(node);
                self.hook.edge_removed(&former, node);
            }
        }
        if node.dropped.get() {
            // Its owner ran again, by way of what it read.
            for source in node.sources.take() {
                source.forget(node);
            }
            self.drop_owned(node);
        } else {
            *node.work.borrow_mut() = Some(work);
        }
        self.hook.run_ended(node, done.is_ok(), matches!(done, Ok(Some(_))));
        match done {
            Ok(None) => {}
            Ok(Some(value)) => {
                self.hook.moved(node, before.as_deref(), &*value);
                let former = node.value.replace(Some(value));
                node.moves.set(node.moves.get() + 1);
                self.mark_moved(node);
                drop(former);
            }
            Err(panic) => {
                node.failed.set(true);
                resume_unwind(panic);
            }
        }
    }

    /// Runs code of the user's with `node` as its reader.
    pub(super) fn within<T>(
        &self,
        node: Option<Rc<Node>>,
        work: impl FnOnce() -> T,
    ) -> (std::thread::Result<T>, Frame) {
        let frame = Frame { node, matched: 0, diverged: false };
        self.frames.borrow_mut().push(frame);
        let around = ACTIVE.replace(Some(self.number));
        let done = catch_unwind(AssertUnwindSafe(work));
        ACTIVE.set(around);
        let frame = self.frames.borrow_mut().pop();
        // Every push has its pop, so the fallback is out of reach.
        (done, frame.unwrap_or(Frame { node: None, matched: 0, diverged: true }))
    }

    /// Marks what is downstream of a node that was written.
    pub(super) fn mark(&self, written: &Rc<Node>) {
        let observers = written.observers.borrow();
        self.mark_all(
            observers.iter().rev().map(|observer| (written.clone(), observer.clone(), State::Dirty)).collect(),
        );
    }

    /// Tells the observers of a memo, which were marked when its own sources moved, that it has moved.
    fn mark_moved(&self, memo: &Rc<Node>) {
        let mut unmarked = Vec::new();
        for observer in memo.observers.borrow().iter() {
            match observer.state.get() {
                State::Check => {
                    observer.state.set(State::Dirty);
                    self.hook.marked(memo, observer, true);
                }
                // One that runs just now reads the new value; one that is at rest saw the memo fail.
                State::Clean if !observer.running.get() => {
                    unmarked.push((memo.clone(), observer.clone(), State::Dirty));
                }
                State::Clean | State::Dirty => {}
            }
        }
        self.mark_all(unmarked);
    }

    fn mark_all(&self, mut stack: Vec<(Rc<Node>, Rc<Node>, State)>) {
        while let Some((source, node, state)) = stack.pop() {
            let before = node.state.get();
            if before >= state {
                self.hook.mark_skipped(&source, &node, state == State::Dirty);
                continue;
            }
            node.state.set(state);
            self.hook.marked(&source, &node, state == State::Dirty);
            if node.key.kind == Kind::Effect && self.queue.borrow_mut().insert(node.turn(), node.clone()).is_none() {
                self.hook.scheduled(&node);
            }
            if before == State::Clean {
                let observers = node.observers.borrow();
                stack.extend(observers.iter().rev().map(|observer| (node.clone(), observer.clone(), State::Check)));
            }
        }
    }

    #[track_caller]
    #[allow(clippy::panic, reason = "a cycle is the user's mistake, and the panic names it")]
    fn refuse_cycle(&self, node: &Rc<Node>) -> ! {
        let frames = self.frames.borrow();
        let running = frames.iter().filter_map(|frame| frame.node.as_ref());
        let cycle: Vec<String> =
            running.skip_while(|running| !Rc::ptr_eq(running, node)).map(|running| running.called()).collect();
        drop(frames);
        panic!("{} reads itself: {} → {}", node.called(), cycle.join(" → "), node.called());
    }
}
