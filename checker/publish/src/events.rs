//! What happens in a publish or a rollback, told while it happens.

/// What happens, as it happens.
#[derive(Clone, Debug, serde::Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'e> {
    /// The target was taken.
    InferredSetting {
        /// The run's number.
        run: u64,
        /// The release that it makes live.
        release: &'e str,
    },
    /// An object was written.
    Written {
        /// Its key.
        key: &'e str,
        /// How many are done.
        done: usize,
        /// Of how many.
        total: usize,
    },
    /// All pages are switched.
    Live {
        /// The release that is live.
        release: &'e str,
    },
    /// Something that the user should know and that stops nothing.
    Warning {
        /// What.
        message: &'e str,
    },
}

/// Who wants to know.
pub type Listener<'l> = &'l (dyn Fn(&Event<'_>) + Sync);
