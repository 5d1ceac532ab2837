//! Handles stop requests, by Ctrl-C or SIGTERM: a publisher ends its lease first.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::watch;

use crate::failure::{Failure, FailureKind};

/// The stop request, if there is one. A signal concerns the whole process, hence the static.
static REQUEST: LazyLock<watch::Sender<Option<FailureKind>>> = LazyLock::new(|| watch::Sender::new(None));

/// Number of runs that stop by themselves.
static ACTIVE_RUNS: AtomicUsize = AtomicUsize::new(0);

/// Requests all runs to end their leases and stop. `exit` is [`FailureKind::Sigint`] or [`FailureKind::Sigterm`].
/// Returns whether there is a run; if not, the process can exit at once.
pub fn request_stop(kind: FailureKind) -> bool {
    REQUEST.send_replace(Some(kind));
    ACTIVE_RUNS.load(Ordering::SeqCst) > 0
}

/// Marks work that a stop must not cut off.
#[derive(Debug)]
pub(crate) struct StopGuard(());

impl StopGuard {
    pub(crate) fn begin() -> StopGuard {
        ACTIVE_RUNS.fetch_add(1, Ordering::SeqCst);
        StopGuard(())
    }

    /// Returns the stop request as a failure.
    pub(crate) fn requested() -> Option<Failure> {
        (*REQUEST.borrow()).map(|kind| Failure::new(kind, "stopped, and released the target"))
    }

    /// Waits for a stop request.
    pub(crate) async fn wait(&self) -> Failure {
        let mut request = REQUEST.subscribe();
        loop {
            if let Some(failure) = StopGuard::requested() {
                return failure;
            }
            if request.changed().await.is_err() {
                // No sender is left, so no request can come.
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for StopGuard {
    fn drop(&mut self) {
        ACTIVE_RUNS.fetch_sub(1, Ordering::SeqCst);
    }
}
