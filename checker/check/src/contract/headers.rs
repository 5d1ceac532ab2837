//! `[[headers]]`: response headers by path.

use std::collections::BTreeMap;

use globset::GlobSet;
use serde::Deserialize;
use toml::Spanned;

use super::error::Fault;
use super::pattern::globs;

/// `[[headers]]`: response headers for the files whose path matches.
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
    /// Names and values, by name.
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
    /// Whether it is about a file, by its path with a leading slash.
    pub fn is_about(&self, path: &str) -> bool {
        self.paths.is_match(path)
    }
}

/// A header that is not what the contract sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnlikeHeader<'c> {
    /// Its name, in lower case.
    pub name: String,
    /// What was sent; empty where it was not.
    pub found: String,
    /// What the contract sets.
    pub wanted: &'c str,
}

/// The headers of an answer that are not what was set, by name. `header` gives what was sent, by a name in lower case.
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
