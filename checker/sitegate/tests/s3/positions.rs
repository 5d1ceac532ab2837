//! Runs a test at many positions, several at once, because the tests mostly wait.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::concurrent::WORKERS;
use crate::sample;

/// Tests the sampled positions until one is past the end. Each worker has its own site and server. Returns the number of
/// positions, rounded up to the sample's step.
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
