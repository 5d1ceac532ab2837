//! Options of the output formats.

use std::path::PathBuf;

use crate::report::causes::Grouping;

/// Options of the output formats.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RenderOptions {
    /// Whether to list every cause and all its locations.
    pub all: bool,
    /// Whether to list only errors.
    pub quiet: bool,
    /// The grouping of findings.
    pub group: Grouping,
    /// The folder that the report is written to, for relative links; empty if it is [`RenderOptions::directory`].
    pub folder: PathBuf,
    /// The folder that source paths in the report are relative to: the working directory of the check.
    pub directory: PathBuf,
}
