//! Chance with a seed: the same seed gives the same values on every machine.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::Rng;

/// A generator whose numbers never change between releases, so that a reported seed stays good.
pub(super) struct Dice(Pcg32);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        const STREAM: u64 = 0xa02b_dbf7_bb3c_0a7a;
        Self(Pcg32::new(seed, STREAM))
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `bound`; 0 where there is none. The bias of the remainder is of no weight here.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let drawn = self.0.next_u32() as usize;
        drawn.checked_rem(bound).unwrap_or_default()
    }

    pub(super) fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }

    pub(super) fn pick<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        items.get(self.below(items.len()))
    }

    /// As [`pick`](Self::pick), for texts that are known to be there.
    pub(super) fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.pick(words).copied().unwrap_or_default()
    }

    /// An integer from `low` to `high`, both included.
    pub(super) fn between(&mut self, low: i128, high: i128) -> i128 {
        let span = high.saturating_sub(low).saturating_add(1);
        if span <= 0 { low } else { low + i128::from(self.bits()) % span }
    }
}
