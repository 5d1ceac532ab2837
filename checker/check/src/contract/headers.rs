//! Parses `[[headers]]`: response headers by path.

use std::collections::BTreeMap;

use globset::GlobSet;
use serde::Deserialize;
use toml::Spanned;

use super::error::Fault;
use super::pattern::globs;

/// `[[headers]]` as parsed from TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawHeaders {
    paths: Vec<Spanned<String>>,
    set: BTreeMap<String, String>,
}

/// Response headers for the files that match.
#[derive(Clone, Debug)]
pub struct HeaderRule {
    paths: GlobSet,
    /// The patterns as written.
    pub patterns: Vec<String>,
    /// Header values, by name.
    pub set: BTreeMap<String, String>,
}

impl RawHeaders {
    pub fn build(self) -> Result<HeaderRule, Fault> {
        let paths = globs(&self.paths)?;
        let patterns = self.paths.into_iter().map(Spanned::into_inner).collect();
        Ok(HeaderRule { paths, patterns, set: self.set })
    }
}

impl HeaderRule {
    /// Returns whether the entry applies to a file, by its path with a leading slash.
    pub fn is_about(&self, path: &str) -> bool {
        self.paths.is_match(path)
    }
}

/// A header that differs from the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlikeHeader<'c> {
    /// The name, in lower case.
    pub name: String,
    /// The value that was sent; empty if it was missing.
    pub found: String,
    /// The value that the contract sets.
    pub wanted: &'c str,
}

/// Returns the headers that differ from the contract. `header` returns the value that was sent, by lower-case name.
pub fn unlike<'c, 'h>(
    set: &BTreeMap<&str, &'c str>,
    header: impl Fn(&str) -> &'h str,
) -> impl Iterator<Item = UnlikeHeader<'c>> {
    set.iter().filter_map(move |(name, wanted)| {
        let name = name.to_ascii_lowercase();
        let found = header(&name);
        (found != *wanted).then(|| UnlikeHeader { found: found.to_owned(), wanted, name })
    })
}
