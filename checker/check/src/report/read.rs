//! Reads a saved report back.

use serde::Deserialize;

use super::{PROGRAM, Report, SCHEMA_VERSION};

/// Why a text is no report that this program can use.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It is no JSON, or ends early.
    #[error("is not valid JSON: {0}; was it written completely?")]
    Json(#[source] serde_json::Error),
    /// It is JSON of another kind.
    #[error("is not a report: write one with `sitegate check --format json`")]
    NotAReport,
    /// It is of a later version.
    #[error(
        "the report's schema version {0} is later than {SCHEMA_VERSION}, the last that this program reads: update sitegate"
    )]
    Newer(u64),
    /// Fields are missing or have other types, as in reports of an older program.
    #[error("is not a complete report: {0}; write it anew with `sitegate check --format json`")]
    Fields(#[source] serde_json::Error),
}

/// What distinguishes a report from other JSON.
#[derive(Deserialize)]
struct Head {
    schema_version: u64,
    tool: super::Tool,
}

impl Report {
    /// Reads the JSON that a report was saved as.
    ///
    /// # Errors
    /// When it is no report, or one of a later version.
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
        serde_json::from_slice(text).map_err(LoadError::Fields)
    }
}
