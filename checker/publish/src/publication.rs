//! How a publish or a rollback ended.

use std::path::PathBuf;

use serde::Serialize;

use crate::plan::Plan;
use crate::target::PublishTarget;

/// How far it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reached {
    /// Nothing was done.
    Planned,
    /// Everything was in place already.
    Unchanged,
    /// The release is live.
    Published,
}

/// What was planned, and what came of it.
#[derive(Debug)]
pub struct Publication {
    /// The target's URL, as it was given.
    pub target: String,
    /// The folder, where the target is one.
    pub folder: Option<PathBuf>,
    /// The plan.
    pub plan: Plan,
    /// How far it went.
    pub reached: Reached,
    /// How many operations were asked of the store.
    pub requests: usize,
}

impl Publication {
    pub(crate) fn new(plan: Plan, reached: Reached, target: &PublishTarget) -> Publication {
        let folder = target.folder().map(std::path::Path::to_path_buf);
        Publication { target: target.url.clone(), folder, plan, reached, requests: target.requests() }
    }

    /// The live release's name: a publish without changes makes no new one.
    pub fn release(&self) -> &str {
        match (self.reached, &self.plan.previous) {
            (Reached::Unchanged, Some(previous)) => previous,
            _ => &self.plan.manifest.release,
        }
    }
}
