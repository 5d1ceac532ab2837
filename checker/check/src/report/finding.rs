//! A finding in the report: its place, its source line, and where it was written.

use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::excerpt::Snippet;
use crate::raw_finding::{Category, Severity};

/// A finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Finding {
    /// The rule's id.
    pub rule: Arc<str>,
    /// What the rule is about.
    pub category: Category,
    /// How much it weighs.
    #[serde(serialize_with = "write_severity", deserialize_with = "read_severity")]
    #[schemars(with = "String", extend("enum" = ["error", "warning"]))]
    pub severity: Severity,
    /// What is wrong, in one sentence.
    pub message: Arc<str>,
    /// The file of the export, by its path there; else the contract, or the baseline.
    pub file: Arc<str>,
    /// Its line, counted from 1.
    pub line: u32,
    /// Its column in characters, counted from 1.
    pub column: u32,
    /// The bytes that it is about.
    pub span: Span,
    /// The reference as it is written, where it is about one.
    pub url: Option<Arc<str>>,
    /// The way out.
    pub help: Option<Arc<str>>,
    /// The name of what it has in common with others.
    pub cause: Arc<str>,
    /// Where it was written in the sources, where the contract names these and one place is likeliest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<WrittenSource>>,
    /// Where else it may have been written, the likeliest first.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub candidates: Box<[SourcePlace]>,
    /// The line that it ends on, counted from 1.
    pub end_line: u32,
    /// The column behind its last character, counted from 1.
    pub end_column: u32,
    /// The line that it begins on; of a report with very many findings, not every finding has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Arc<Snippet>>,
    /// Whether its file is UTF-16: the span then counts the bytes of its text in UTF-8.
    #[serde(default, skip_serializing_if = "is_false")]
    pub utf16: bool,
    /// What is unusual about its file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<Arc<Document>>,
}

/// What is unusual about the file of a finding.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Document {
    /// The path of a file that is not in the export, such as the contract, from the root of the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The path in the export, percent-encoded, of a file whose name is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

/// A range of bytes of a file, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// The first.
    pub start: u32,
    /// The first behind it.
    pub end: u32,
}

/// A place in the sources, its path from the working directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SourcePlace {
    /// The file.
    pub file: Arc<str>,
    /// Its line, counted from 1.
    pub line: u32,
    /// Its column in characters, counted from 1.
    pub column: u32,
    /// Its characters.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub length: u32,
    /// The file from the root of the repository, where that is another path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Arc<str>>,
    /// The address of the line, where the contract names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Arc<str>>,
}

impl SourcePlace {
    /// The file's path from the root of the repository, with `/`.
    pub fn path(&self) -> &str {
        self.path.as_ref().unwrap_or(&self.file)
    }
}

/// The place in the sources where a finding was written; where that is not certain, the likeliest of the candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Source")]
#[non_exhaustive]
pub struct WrittenSource {
    /// The place.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// Whether it was written there and nowhere else.
    pub certain: bool,
    /// The line there, once for each place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Arc<Snippet>>,
}

/// What findings have in common. Its rule, its severity and its name tell it from all others, from run to run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Cause")]
#[non_exhaustive]
pub struct CommonCause {
    /// The rule's id.
    pub rule: Arc<str>,
    /// How much its findings weigh.
    #[serde(serialize_with = "write_severity", deserialize_with = "read_severity")]
    #[schemars(with = "String", extend("enum" = ["error", "warning"]))]
    pub severity: Severity,
    /// Its name, which its findings give.
    pub cause: Arc<str>,
    /// How many findings it has.
    pub findings: usize,
    /// In how many files.
    pub files: usize,
    /// Whether its name is that of a thing that its findings are about, such as the path that they refer to.
    #[serde(default, skip_serializing_if = "is_false")]
    pub thing: bool,
}

/// A finding that was let pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct IgnoredFinding {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// Who lets it pass.
    #[schemars(extend("enum" = ["page", "contract", "baseline"]))]
    pub by: String,
    /// Why, in the words that were given; the baseline gives none.
    pub reason: Option<String>,
}

/// The findings of one rule that are let pass for one reason, as reports and seals tell them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct IgnoreSummary {
    /// The rule's id.
    pub rule: String,
    /// `page`, `contract` or `baseline`.
    pub by: String,
    /// Where it is excused: the place in the contract, the baseline's file, or the first place of such an exception in a page.
    pub place: String,
    /// Why, in the words that were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How many findings there are.
    pub findings: usize,
    /// In how many files.
    pub files: usize,
}

impl Finding {
    /// The place where it was written, if that is certain.
    pub fn certain_source(&self) -> Option<&SourcePlace> {
        self.source.as_ref().filter(|source| source.certain).map(|source| &source.place)
    }

    /// The places where it may have been written: the certain one, or all candidates.
    pub fn source_places(&self) -> &[SourcePlace] {
        match &self.source {
            Some(source) if source.certain => std::slice::from_ref(&source.place),
            _ => &self.candidates,
        }
    }

    /// The line where it was written, or else the one of the export.
    pub fn shown_snippet(&self) -> Option<&Snippet> {
        let written = self.source.as_ref().and_then(|source| source.snippet.as_deref());
        written.or(self.snippet.as_deref())
    }

    /// Whether two findings are in the same file.
    pub fn is_in_file_of(&self, other: &Finding) -> bool {
        self.file == other.file && self.document == other.document
    }

    /// Whether it is in the export, and not in the contract.
    pub fn is_in_export(&self) -> bool {
        self.document.as_ref().is_none_or(|document| document.path.is_none())
    }

    /// The text that it is about, if that is known and short enough to be shown.
    pub fn marked(&self) -> Option<String> {
        match (&self.url, &self.snippet) {
            (Some(url), _) => (1..=super::excerpt::NEAR).contains(&url.len()).then(|| url.to_string()),
            (None, snippet) => snippet.as_deref().and_then(Snippet::marked),
        }
    }
}

impl Deref for IgnoredFinding {
    type Target = Finding;

    fn deref(&self) -> &Finding {
        &self.finding
    }
}

/// Whether a field is left out of the JSON.
pub(super) fn is_false(value: &bool) -> bool {
    !value
}

fn is_zero(value: &u32) -> bool {
    *value == 0
}

fn write_severity<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.as_str())
}

fn read_severity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
    match &*<std::borrow::Cow<'de, str>>::deserialize(deserializer)? {
        "error" => Ok(Severity::Error),
        "warning" => Ok(Severity::Warn),
        other => Err(serde::de::Error::custom(format!("`{other}` is no severity: write error or warning"))),
    }
}
