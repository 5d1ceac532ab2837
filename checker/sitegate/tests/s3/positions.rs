//! Tries something at one position after the other, several in parallel: most of the time is spent waiting.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::sample;

/// Number of parallel positions.
const WORKERS: usize = 6;

/// Tries the sampled positions until one is beyond the end. Each worker has its own site. Returns the number of
/// positions, up to the sample's step.
pub fn at_each_position<W>(
    external: impl Fn() -> W + Sync,
    meets: impl Fn(&W, usize) -> bool + Sync,
) -> usize {
    let (next, end) = (AtomicUsize::new(0), AtomicUsize::new(usize::MAX));
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let external = external();
                loop {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    let Some(k) = sample::positions().nth(nth) else { break };
                    if k >= end.load(Ordering::Relaxed) {
                        break;
                    }
                    if !meets(&external, k) {
                        end.fetch_min(k, Ordering::Relaxed);
                        break;
                    }
                }
            });
        }
    });
    end.into_inner() - 1
}
