//! Runs cases of a test at once, because they mostly wait.

#![cfg(unix)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Number of cases that run at once.
const WORKERS: usize = 6;

/// Tests all cases. Each worker has a fixture of its own. A case that fails ends the test.
pub fn for_each_case<T: Sync, W>(cases: &[T], fixture: impl Fn() -> W + Sync, test: impl Fn(&W, &T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..WORKERS.min(cases.len()) {
            scope.spawn(|| {
                let fixture = fixture();
                while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    test(&fixture, case);
                }
            });
        }
    });
}
