//! What a format shows of a report.

use std::path::PathBuf;

use crate::report::causes::Grouping;

/// What a format shows of a report, and from where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Every cause, and every place of each.
    pub all: bool,
    /// Errors alone.
    pub quiet: bool,
    /// Which findings are told as one.
    pub group: Grouping,
    /// The folder that the report is written to, for links in it; empty if it is [`RenderOptions::directory`].
    pub folder: PathBuf,
    /// The directory that paths of sources in the report are relative to: the one that the check ran in.
    pub directory: PathBuf,
}
