//! Locks a mutex also if another thread has panicked while it held the lock.
//!
//! The values behind such locks are maps, lists and counters, which are complete after each statement. A second panic, of
//! each waiting thread, would only hide the first.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a mutex.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the value of a mutex that no thread uses any more.
pub fn unlocked<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().unwrap_or_else(PoisonError::into_inner)
}
