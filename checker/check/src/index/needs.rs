//! Declares the data that rules need beyond the facts that are always collected.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_address::PathPatterns;

use super::site::Site;
use crate::parse::ContentNeeds;
use crate::walk::FileId;

/// The data that rules need beyond the facts that are always collected.
#[derive(Debug, Default)]
pub struct Needs {
    /// Data from the bytes of files.
    pub content: ContentNeeds,
    /// Whether the facts of an inventory are needed.
    pub inventory: bool,
    /// Whether external hosts are needed.
    pub hosts: bool,
    /// Whether damaged files are needed.
    pub damage: bool,
    /// Whether secrets in files are needed.
    pub leaks: bool,
    /// Whether violations of content security policies are needed.
    pub policies: bool,
    /// Whether broken text fragments are needed.
    pub quotes: bool,
    /// Sizes of files.
    pub sizes: Option<SizeNeeds>,
}

/// The files whose sizes are needed, with their limits.
#[derive(Clone, Debug, Default)]
pub struct SizeNeeds {
    /// Single files.
    pub files: Arc<[(PathPatterns, SizeLimits)]>,
    /// Pages with everything they load.
    pub pages: Arc<[(PathPatterns, SizeLimits)]>,
}

/// Maximum sizes. A size is within a limit if it is not greater.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SizeLimits {
    /// Maximum number of bytes as stored.
    pub raw: Option<usize>,
    /// Maximum number of bytes compressed with gzip, as hosts send it.
    pub gzip: Option<usize>,
}

/// Returns the limits for a file. Every matching budget applies.
pub fn limits_for<'b>(
    budgets: &'b [(PathPatterns, SizeLimits)],
    file: FileId,
    site: &'b Site<'_>,
) -> impl Iterator<Item = SizeLimits> + 'b {
    budgets.iter().filter(move |(paths, _)| site.matches(paths, file)).map(|(_, limits)| *limits)
}
