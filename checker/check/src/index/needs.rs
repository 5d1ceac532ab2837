//! Declares the data that rules need beyond the facts that are always collected.

use crate::parse::ContentNeeds;
use sitegate_address::PathPatterns;

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

/// The files whose sizes are needed.
#[derive(Clone, Debug, Default)]
pub struct SizeNeeds {
    /// Single files.
    pub files: PathPatterns,
    /// Pages with everything they load.
    pub pages: PathPatterns,
    /// Files whose gzip size is needed, too.
    pub gzip_files: PathPatterns,
    /// Pages whose gzip size is needed, too.
    pub gzip_pages: PathPatterns,
}
