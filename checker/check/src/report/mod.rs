//! The report of a check: complete, owned and serializable. All output formats are rendered from it; the JSON format is
//! its serialization.

pub mod baseline;
pub mod baseline_writer;
pub mod causes;
pub mod changes;
pub mod document_names;
pub mod excerpt;
pub mod finding;
pub mod fingerprint;
mod ignore_matching;
pub mod ignores;
pub mod locator;
pub mod result;
mod stable_text;

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::external::ExternalHosts;
use crate::raw_finding::Severity;
use causes::Causes;
use finding::{CommonCause, Finding, IgnoreSummary, IgnoredFinding, ImportPlace, OtherRoot};
use sitegate_base::artifact::{ArtifactRefusal, REPORT};
use sitegate_base::sanitize::visible;

/// Counts of what was checked and found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Summary {
    /// Number of files in the export.
    pub files: usize,
    /// Number of HTML pages among them.
    pub pages: usize,
    /// Number of script files that were read.
    #[serde(default)]
    pub scripts: usize,
    /// Number of references that were resolved.
    pub links: usize,
    /// Number of imports, and of fetches of files, that were not followed, because their URL is computed at run time.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub computed: usize,
    /// Number of findings with severity `error`.
    pub errors: usize,
    /// Number of findings with severity `warning`.
    pub warnings: usize,
    /// Number of findings that a page or the contract ignores.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: usize,
    /// Number of findings that are in the baseline.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub baselined: usize,
}

/// Whether a count is left out of the JSON.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The verdict of a check, which determines the exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No finding with severity `error`; exit code 0.
    #[default]
    Passed,
    /// At least one finding with severity `error`; exit code 1.
    Failed,
    /// Something could not be read, or there is no page to check; exit code 2.
    Incomplete,
}

impl Verdict {
    /// Returns the exit code of the process, which is the same for every output format.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Passed => 0,
            Verdict::Failed => 1,
            Verdict::Incomplete => 2,
        }
    }
}

/// The report of one check. It does not depend on the order of threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Report {
    /// The schema version. It grows when a field is removed or changes its meaning.
    pub schema_version: u32,
    /// The program that wrote the report.
    pub tool: Tool,
    /// Folder of the export, as given.
    pub root: String,
    /// Folder of the export, from the root of the repository; absolute if it is outside the repository.
    pub root_path: String,
    /// Duration of the check in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// Verdict of the check.
    pub verdict: Verdict,
    /// Counts of what was checked and found.
    pub summary: Summary,
    /// Settings of the contract's `[site]` that were inferred from the export, by key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inferred: BTreeMap<String, InferredValue>,
    /// Reasons why parts of a live site were not checked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// Errors for everything that could not be read. If there are any, the verdict is `incomplete`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// The first 20 imports, and fetches of files, that were not followed, because their URL is computed at run time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub computed_imports: Vec<ImportPlace>,
    /// Results of the external checks, if external links were checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<ExternalHosts>,
    /// The most linked pages, and the pages without links.
    pub inbound: InboundLinks,
    /// Causes that findings have in common, the most important first.
    pub causes: Vec<CommonCause>,
    /// The folder that should probably be checked instead, if it explains most errors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_root: Option<OtherRoot>,
    /// All findings, by file and position.
    pub findings: Vec<Finding>,
    /// Summary of the ignored findings, by rule, by what ignores them, and by reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<IgnoreSummary>,
    /// All ignored findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<IgnoredFinding>,
    /// Number of findings in exported files that have no fix, because a generator wrote the files.
    #[serde(skip)]
    pub generated: usize,
}

/// The program that wrote a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Tool {
    /// Name of the program: `sitegate`.
    pub name: String,
    /// Version of the program.
    pub version: String,
    /// URL of the documentation, if the program was built with one. A rule's page is `/rules/RULE.html` below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
}

/// A setting of the contract's `[site]` that the contract does not set, inferred from the export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct InferredValue {
    /// Inferred value, as written in a contract.
    pub value: String,
    /// The evidence for the value.
    pub evidence: String,
}

/// The most linked pages, and the pages without links.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct InboundLinks {
    /// The pages that most other files refer to, at most 15.
    pub most_linked: Vec<LinkedPage>,
    /// Number of pages that no other file refers to, without the home page and the 404 page.
    pub unlinked: usize,
    /// The first 200 pages that no other file refers to.
    pub unlinked_pages: Vec<String>,
}

/// A page, and the number of files that refer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LinkedPage {
    /// Path of the page in the export.
    pub file: String,
    /// Number of other files that refer to it.
    pub files: u32,
}

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

    /// Sets the duration of the check.
    #[must_use]
    pub fn with_elapsed(mut self, elapsed: Duration) -> Report {
        self.elapsed_ms = Some(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// Removes findings, such as fixed ones, and counts the others again.
    pub fn retain(&mut self, is_kept: impl FnMut(&Finding) -> bool) {
        self.findings.retain(is_kept);
        let things: HashSet<(Arc<str>, Arc<str>)> = self
            .causes
            .drain(..)
            .filter(|cause| cause.thing)
            .map(|cause| (cause.rule, cause.cause))
            .collect();
        let findings = &self.findings;
        self.causes = Causes::common(findings, |at| {
            let Finding { rule, cause, .. } = &findings[at];
            things.contains(&(Arc::clone(rule), Arc::clone(cause)))
        });
        self.other_root = None;
        let count = |severity| findings.iter().filter(|found| found.severity == severity).count();
        self.summary.errors = count(Severity::Error);
        self.summary.warnings = count(Severity::Warn);
        if self.verdict == Verdict::Failed && self.summary.errors == 0 {
            self.verdict = Verdict::Passed;
        }
    }

    /// Returns the path of a finding's file from the root of the repository, with `/`. CI systems attach annotations
    /// to it.
    pub fn path(&self, finding: &Finding) -> String {
        match (&finding.document, self.root_path.as_str()) {
            (Some(document), _) if document.path.is_some() => document.path.clone().unwrap_or_default(),
            (_, "") => finding.file.to_string(),
            (_, root) => format!("{}/{}", root.trim_end_matches('/'), finding.file),
        }
    }
}
