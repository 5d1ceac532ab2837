//! Events of a publish or rollback, reported as they happen.

/// A step of a publish or rollback.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'e> {
    /// The lease was acquired.
    LeaseAcquired {
        /// The run's number.
        run: u64,
        /// The release that it makes live.
        release: &'e str,
    },
    /// An object was written.
    Written {
        /// Its key.
        key: &'e str,
        /// The number of objects written so far.
        done: usize,
        /// The total number of objects to write.
        total: usize,
    },
    /// All pages are switched.
    Live {
        /// The release that is live.
        release: &'e str,
    },
    /// A problem that does not stop the run.
    Warning {
        /// The text.
        message: &'e str,
    },
}

/// Receives events.
pub type Listener<'l> = &'l (dyn Fn(&Event<'_>) + Sync);
