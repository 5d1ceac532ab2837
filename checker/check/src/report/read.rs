//! Reads saved reports.

use std::borrow::Cow;

use serde::Deserialize;
use sitegate_base::sanitize::visible;

use super::{PROGRAM, Report, SCHEMA_VERSION};

/// An error that keeps a saved report from being read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not JSON, or incomplete.
    #[error("is not valid JSON: {0}; was it written completely?")]
    Json(#[source] serde_json::Error),
    /// The JSON is not a report.
    #[error("is not a report: write one with `sitegate check --format json`")]
    NotAReport,
    /// The report has a later schema version.
    #[error(
        "the report has schema version {0}, but this program reads at most version {SCHEMA_VERSION}: update sitegate"
    )]
    Newer(u64),
    /// Fields are missing or have other types, as in reports of an older program.
    #[error("is not a complete report: {0}; write it again with `sitegate check --format json`")]
    Fields(#[source] serde_json::Error),
}

/// The fields that distinguish a report from other JSON.
#[derive(Deserialize)]
struct Head {
    schema_version: u64,
    tool: super::Tool,
}

impl Report {
    /// Parses a report that was saved as JSON.
    ///
    /// # Errors
    /// If the text is not a report, or has a later schema version.
    pub fn from_json(text: &[u8]) -> Result<Report, LoadError> {
        let head: Head = serde_json::from_slice(text).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => LoadError::NotAReport,
            _ => LoadError::Json(error),
        })?;
        if head.tool.name != PROGRAM {
            return Err(LoadError::NotAReport);
        }
        if head.schema_version > u64::from(SCHEMA_VERSION) {
            return Err(LoadError::Newer(head.schema_version));
        }
        let mut report: Report = serde_json::from_slice(text).map_err(LoadError::Fields)?;
        report.make_rules_visible();
        Ok(report)
    }

    /// Escapes invisible characters in the ids of rules, which formats write next to commands and styles. A saved report is
    /// not trusted, and may have any id.
    fn make_rules_visible(&mut self) {
        for finding in &mut self.findings {
            if let Cow::Owned(shown) = visible(&finding.rule) {
                finding.rule = shown.into();
            }
        }
        for cause in &mut self.causes {
            if let Cow::Owned(shown) = visible(&cause.rule) {
                cause.rule = shown.into();
            }
        }
        for ignore in &mut self.ignores {
            if let Cow::Owned(shown) = visible(&ignore.rule) {
                ignore.rule = shown;
            }
        }
    }
}
