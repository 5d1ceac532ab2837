//! The report of a check: complete, owned and serializable. The JSON format is its serialization, and every other format is
//! made of it alone.

pub mod baseline;
pub mod cause_resolver;
pub mod causes;
pub mod changes;
mod contract_ignores;
pub mod excerpt;
pub mod external_hosts;
pub mod finding;
pub mod finding_reader;
pub mod fingerprint;
pub mod ignore_summary;
pub mod ignored;
pub mod ignores;
mod page_ignores;
pub mod read;
pub mod result;
pub mod stages;

use std::collections::BTreeMap;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use external_hosts::ExternalHosts;
use finding::{CommonCause, Finding, IgnoreSummary, IgnoredFinding};

/// The program's name, as reports and seals give it.
pub const PROGRAM: &str = "sitegate";

/// The version of the report's JSON; it grows when a field is removed or changes its meaning.
pub const SCHEMA_VERSION: u32 = 1;

/// What is known of a file's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDigest {
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its content.
    pub sha256: [u8; 32],
}

/// What a run looked at, and what it found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Summary {
    /// Files in the export.
    pub files: usize,
    /// HTML pages among them.
    pub pages: usize,
    /// Script files that were read.
    #[serde(default)]
    pub scripts: usize,
    /// References that were resolved.
    pub links: usize,
    /// Imports whose address is only known when they run, so that they were not followed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub computed: usize,
    /// Findings at error level.
    pub errors: usize,
    /// Findings at warning level.
    pub warnings: usize,
    /// Findings that an exception excuses, and that are not reported.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub ignored: usize,
    /// Findings that the baseline knows, and that are not reported.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub baselined: usize,
}

/// Whether a count is left out of the JSON.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// The conclusion of a check, which decides the exit code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No finding at error level: 0.
    #[default]
    Passed,
    /// At least one finding at error level: 1.
    Failed,
    /// Something could not be read, or there is no page to check, so nothing can be promised: 2.
    Incomplete,
}

impl Verdict {
    /// The process exit code, the same for every output format.
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
    /// The version of this shape: it grows when a field is removed or changes its meaning.
    pub schema_version: u32,
    /// The program that wrote it.
    pub tool: Tool,
    /// The export's folder, as it was given.
    pub root: String,
    /// The export's folder from the root of the repository; absolute if it is not in it.
    pub root_path: String,
    /// How long the check took, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub elapsed_ms: Option<u64>,
    /// The conclusion of the check.
    pub verdict: Verdict,
    /// Counts of what was checked and found.
    pub summary: Summary,
    /// Where the site lives, by the keys of the contract's `[site]`, as far as that was taken from the export.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inferred: BTreeMap<String, InferredValue>,
    /// Why not all of a live site was looked at, a line for each reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<String>,
    /// What could not be read: then nothing can be promised of the export.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
    /// What other hosts said, where they were asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<ExternalHosts>,
    /// Which pages other files refer to.
    pub inbound: InboundLinks,
    /// What findings have in common, most important first.
    pub causes: Vec<CommonCause>,
    /// Every finding, by file and place.
    pub findings: Vec<Finding>,
    /// What was let pass, counted by who excuses it and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<IgnoreSummary>,
    /// Every finding that was let pass.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<IgnoredFinding>,
}

/// The program that wrote a report.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Tool {
    /// `sitegate`.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// A setting of the contract's `[site]` that it leaves open, and what the export says of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct InferredValue {
    /// What was taken, as the contract would write it.
    pub value: String,
    /// What says so.
    pub evidence: String,
}

/// Which pages other files refer to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct InboundLinks {
    /// The pages that most other files refer to, at most 15.
    pub most_linked: Vec<LinkedPage>,
    /// Number of pages that no other file refers to, without the front page and the 404 page.
    pub unlinked: usize,
    /// The first 200 of these.
    pub unlinked_pages: Vec<String>,
}

/// A page, and how many other files refer to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct LinkedPage {
    /// Its path in the export.
    pub file: String,
    /// Number of other files that refer to it.
    pub files: u32,
}

impl Report {
    /// The same report, of a check that took so long.
    #[must_use]
    pub fn with_elapsed(mut self, elapsed: Duration) -> Report {
        self.elapsed_ms = Some(u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX));
        self
    }

    /// The path of a finding's file from the root of the repository, with `/`: what CI systems attach annotations by.
    pub fn path(&self, finding: &Finding) -> String {
        match (&finding.document, self.root_path.as_str()) {
            (Some(document), _) if document.path.is_some() => document.path.clone().unwrap_or_default(),
            (_, "") => finding.file.to_string(),
            (_, root) => format!("{}/{}", root.trim_end_matches('/'), finding.file),
        }
    }
}
