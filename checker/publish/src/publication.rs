//! The events of a publish or rollback, reported as they happen, and its outcome.

use std::path::PathBuf;

use serde::Serialize;

use crate::plan::Plan;
use crate::target::PublishTarget;

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

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PublishOutcome {
    /// Only planned.
    Planned,
    /// The release was live already. Steps after it, or deletions, may have been completed.
    Unchanged,
    /// The release is live.
    Published,
}

/// A plan and its outcome.
#[derive(Debug)]
pub struct Publication {
    /// The target's URL, as given.
    pub target: String,
    /// The target's folder, if it is one.
    pub folder: Option<PathBuf>,
    /// The plan.
    pub plan: Plan,
    /// The result.
    pub outcome: PublishOutcome,
}

impl Publication {
    pub(crate) fn new(plan: Plan, outcome: PublishOutcome, target: &PublishTarget) -> Publication {
        let folder = target.capabilities().folder.clone();
        Publication { target: target.url.clone(), folder, plan, outcome }
    }

    /// Returns the live release's name. A publish without changes creates no release.
    pub fn release(&self) -> &str {
        match (self.outcome, &self.plan.previous) {
            (PublishOutcome::Unchanged, Some(previous)) => previous,
            _ => &self.plan.manifest.release,
        }
    }
}
