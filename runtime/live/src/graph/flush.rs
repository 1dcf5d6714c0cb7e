//! The flush: effects look at their sources, in creation order and in rounds, until nothing moves.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use super::Inner;
use super::node::{Node, State};

impl Inner {
    /// Flushes, unless a batch, a run or a flush goes on, whose end does it.
    pub(super) fn settle(&self) {
        let is_outermost = self.batches.get() == 0 && !self.flushing.get();
        if is_outermost && !self.queue.borrow().is_empty() && self.frames.borrow().is_empty() {
            self.flush();
        }
    }

    /// Writes a model by `write`, and puts `before` back where something panics in the flush that follows.
    ///
    /// Inside of a batch, a run or a flush there is none of its own, and nothing is put back.
    pub(super) fn attempt(&self, model: &Rc<Node>, before: Rc<dyn Any>, write: impl FnOnce()) {
        let is_outermost = self.batches.get() == 0 && !self.flushing.get() && self.frames.borrow().is_empty();
        self.attempting.set(is_outermost);
        let done = catch_unwind(AssertUnwindSafe(write));
        self.attempting.set(false);
        let Err(panic) = done else { return };
        let now = model.value();
        if is_outermost && now.as_ref().is_none_or(|now| !Rc::ptr_eq(now, &before)) {
            // What panics again was broken before.
            let _ = catch_unwind(AssertUnwindSafe(|| self.put(model, now, before)));
        }
        resume_unwind(panic);
    }

    fn flush(&self) {
        self.flushing.set(true);
        self.hook.flush_started();
        let (mut rounds, mut last, mut panic) = (0, None, None);
        loop {
            let next = self.queue.borrow_mut().pop_first();
            let Some((turn, effect)) = next else { break };
            if last.is_none_or(|last| turn <= last) {
                rounds += 1;
                if rounds > self.limit.get() {
                    panic = Some(self.give_up(&effect));
                    break;
                }
            }
            last = Some(turn);
            // One that panics takes no other's turn.
            if let Err(own) = catch_unwind(AssertUnwindSafe(|| self.refresh(&effect))) {
                panic.get_or_insert(own);
                if self.attempting.get() {
                    // It looks again when the model is put back, and so do those that had no turn.
                    self.queue.borrow_mut().insert(effect.turn(), effect);
                    break;
                }
            }
        }
        self.hook.flush_ended();
        self.flushing.set(false);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Empties the queue of a flush that never settles; what stood in it runs at its next mark.
    fn give_up(&self, effect: &Rc<Node>) -> Box<dyn Any + Send> {
        let queue = std::mem::take(&mut *self.queue.borrow_mut());
        let still: Vec<Rc<Node>> = std::iter::once(effect.clone()).chain(queue.into_values()).collect();
        still.iter().for_each(set_back);
        let names: Vec<String> = still.iter().map(|effect| effect.called()).collect();
        Box::new(format!(
            "the flush still moves after {} rounds, by {}; an effect that writes what it reads has to stop by itself",
            self.limit.get(),
            names.join(", ")
        ))
    }
}

/// Lets a node, and what stands above it and is not up to date, run at its next look, and lets marks through to it.
fn set_back(node: &Rc<Node>) {
    node.state.set(State::Clean);
    node.failed.set(true);
    node.sources.borrow().iter().filter(|source| source.state.get() != State::Clean).for_each(set_back);
}
