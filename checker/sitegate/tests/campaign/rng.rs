//! Random choices that a seed repeats.

/// A row of random numbers (`SplitMix64`, by Steele, Lea and Flood).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The row of a round: seed and number give the same choices each time.
    pub fn for_round(seed: u64, round: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ round);
        rng.next();
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + (self.next() % (high - low + 1) as u64) as usize
    }

    /// True so many times in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.between(1, 100) <= percent
    }

    pub fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.between(0, choices.len() - 1)].clone()
    }
}
