//! Reads saved reports.

use std::borrow::Cow;

use sitegate_base::artifact::{ArtifactRefusal, REPORT};
use sitegate_base::sanitize::visible;

use super::Report;

/// An error that keeps a saved report from being read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The text is not a report that this program reads.
    #[error(transparent)]
    Refused(#[from] ArtifactRefusal),
    /// Fields are missing or have other types, as in reports of an older program.
    #[error("it is not a complete report: {0}; write it again with `sitegate check --report json=FILE`")]
    Fields(#[source] serde_json::Error),
}

impl Report {
    /// Parses a report that was saved as JSON.
    ///
    /// # Errors
    /// If the text is not a report, or has a later schema version.
    pub fn from_json(text: &[u8]) -> Result<Report, LoadError> {
        REPORT.check_json(text)?;
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
