//! The flush: effects look at their sources, in creation order and in rounds, until nothing moves.

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
            }
        }
        self.hook.flush_ended();
        self.flushing.set(false);
        if let Some(panic) = panic {
            resume_unwind(panic);
        }
    }

    /// Empties the queue of a flush that never settles; what stood in it runs at its next mark.
    fn give_up(&self, effect: &Rc<Node>) -> Box<dyn std::any::Any + Send> {
        let queue = std::mem::take(&mut *self.queue.borrow_mut());
        let still: Vec<Rc<Node>> = std::iter::once(effect.clone()).chain(queue.into_values()).collect();
        for effect in &still {
            effect.state.set(State::Clean);
            effect.failed.set(true);
        }
        let names: Vec<String> = still.iter().map(|effect| effect.called()).collect();
        let text = format!(
            "the flush still moves after {} rounds, by {}; an effect that writes what it reads has to stop by itself",
            self.limit.get(),
            names.join(", ")
        );
        Box::new(text)
    }
}
