//! Tries something at one position after the other, several at once: most of that time is spent waiting.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Positions that are tried at once.
const WORKERS: usize = 6;

/// Tries the positions from 1 on until one tells that there was nothing to meet there. Each worker has a world of its own.
/// Gives how many positions there were.
pub fn at_each_position<W>(world: impl Fn() -> W + Sync, meets: impl Fn(&W, usize) -> bool + Sync) -> usize {
    let (next, end) = (AtomicUsize::new(1), AtomicUsize::new(usize::MAX));
    thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                let world = world();
                loop {
                    let k = next.fetch_add(1, Ordering::Relaxed);
                    if k >= end.load(Ordering::Relaxed) {
                        break;
                    }
                    if !meets(&world, k) {
                        end.fetch_min(k, Ordering::Relaxed);
                        break;
                    }
                }
            });
        }
    });
    end.into_inner() - 1
}
