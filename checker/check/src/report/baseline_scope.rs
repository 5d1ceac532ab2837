//! Decides which entries of a baseline a check could have matched: only they may be removed.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sitegate_address::relative::relative_folder;

use crate::contract::Contract;
use crate::raw_finding::{Category, RuleInfo, Severity};
use crate::report::Report;
use crate::report::document_names::below;
use crate::rules::known;

/// The site that a baseline is for. Paths are relative to the folder of the baseline, so that it may be in a repository.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BaselineSite {
    /// The folder of the export, or the URL of a live site.
    root: String,
    /// The contract, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contract: Option<String>,
}

impl BaselineSite {
    /// Returns the site of a report, for a baseline.
    pub fn of(report: &Report, contract: &Contract, baseline: &Path) -> BaselineSite {
        let folder = baseline.parent().unwrap_or(Path::new(""));
        let root = Path::new(&report.root);
        let root = if is_url(&report.root) { report.root.clone() } else { relative(root, folder) };
        BaselineSite { root, contract: contract.file.as_deref().map(|file| relative(file, folder)) }
    }
}

impl fmt::Display for BaselineSite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.contract {
            Some(contract) => write!(f, "`{}` with `{contract}`", self.root),
            None => write!(f, "`{}` without a contract", self.root),
        }
    }
}

/// The findings that a check could have.
pub struct CheckScope<'c> {
    /// The contract of the check.
    pub contract: &'c Contract,
    /// The report of the check.
    pub report: &'c Report,
    /// Whether all external links were requested.
    pub is_external_complete: bool,
}

impl CheckScope<'_> {
    /// Whether the check could find a finding of a rule in a file, with a URL. A rule that no longer exists finds nothing,
    /// so that its entries are fixed.
    pub(super) fn can_find(&self, rule: &str, file: Option<&str>, url: Option<&str>) -> bool {
        let Ok(info) = known(rule) else { return true };
        if self.level(info, file) == Severity::Off {
            return false;
        }
        match info.category {
            Category::External => self.is_external_complete && !self.is_unverified(url),
            Category::Live => is_url(&self.report.root),
            _ => true,
        }
    }

    /// Whether a file is in the export. A live site has no list of its files.
    pub(super) fn has_file(&self, file: &str) -> bool {
        is_url(&self.report.root) || Path::new(&self.report.root).join(file).exists()
    }

    /// Returns the level of a rule in a file, or the highest of all files.
    fn level(&self, info: &RuleInfo, file: Option<&str>) -> Severity {
        let stated = self.contract.rules.iter().find(|setting| setting.id.value == info.id);
        let default = stated.and_then(|setting| setting.level).unwrap_or(info.default);
        let html = self.contract.site.host_profile().added_html();
        let levels = self.contract.overrides.iter().filter_map(|entry| {
            let level = entry.levels.iter().rfind(|(id, _)| id.value == info.id)?.1;
            let is_of_file = match file {
                Some(file) => entry.paths.has_file(file.as_bytes(), html),
                None => level != Severity::Off,
            };
            is_of_file.then_some(level)
        });
        levels.fold(default, |_, level| level)
    }

    /// Whether the host of a URL did not answer all requests, so that a broken link may be unverified now.
    fn is_unverified(&self, url: Option<&str>) -> bool {
        let hosts = self.report.external.iter().flat_map(|external| &external.hosts);
        let mut unverified = hosts.filter(|host| host.counts.unverified > 0).peekable();
        match url {
            Some(url) => unverified.any(|host| url.contains(&host.host)),
            None => unverified.peek().is_some(),
        }
    }
}

fn is_url(root: &str) -> bool {
    root.starts_with("http://") || root.starts_with("https://")
}

/// Returns a path relative to a folder, with `/`.
fn relative(path: &Path, folder: &Path) -> String {
    let plain = |given: &Path| below(given, Path::new("/"));
    relative_folder(&plain(folder), &plain(path))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::relative;

    #[test]
    fn paths_are_relative_to_the_folder_of_the_baseline() {
        for (path, folder, expected) in [
            ("dist", "", "dist"),
            ("dist/", ".", "dist"),
            ("a/dist", "a/known", "../dist"),
            (".", "", "."),
            ("/x/dist", "/y", "../x/dist"),
        ] {
            assert_eq!(relative(Path::new(path), Path::new(folder)), expected, "{path} {folder}");
        }
    }
}
