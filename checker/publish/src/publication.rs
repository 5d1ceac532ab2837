//! The outcome of a publish or rollback.

use std::path::PathBuf;

use serde::Serialize;

use crate::plan::Plan;
use crate::target::PublishTarget;

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
