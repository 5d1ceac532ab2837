//! Defines the findings of the report, with their locations, snippets and source locations.

use std::ops::Deref;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::excerpt::{Snippet, is_false};
use crate::raw_finding::{Category, Certainty, Severity};
use sitegate_sources::edits::Edit;

/// A problem that a rule found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Finding {
    /// Id of the rule.
    pub rule: Arc<str>,
    /// Category of the rule.
    pub category: Category,
    /// Severity of the finding.
    #[serde(serialize_with = "write_severity", deserialize_with = "read_severity")]
    #[schemars(with = "String", extend("enum" = ["error", "warning"]))]
    pub severity: Severity,
    /// The problem, in one sentence.
    pub message: Arc<str>,
    /// Path of the file in the export; or the name of the contract or of the baseline.
    pub file: Arc<str>,
    /// Line where the finding begins, counted from 1.
    pub line: u32,
    /// Column where the finding begins, in characters, counted from 1.
    pub column: u32,
    /// Range of the finding in bytes.
    pub span: Span,
    /// The reference as written, if the finding is about one.
    pub url: Option<Arc<str>>,
    /// How to fix the problem.
    pub help: Option<Arc<str>>,
    /// Edits that fix the problem, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<Box<Fix>>,
    /// Name of the cause. Findings with the same rule, severity and cause are fixed together.
    pub cause: Arc<str>,
    /// Location in the sources, if the contract configures source mapping and one location ranks first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<WrittenSource>>,
    /// Possible locations in the sources if none is certain, the most likely first.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub candidates: Box<[SourcePlace]>,
    /// Line where the finding ends, counted from 1.
    pub end_line: u32,
    /// Column after the last character, counted from 1.
    pub end_column: u32,
    /// The line on which the finding begins. In a report with many thousands of findings, some have no snippet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Arc<Snippet>>,
    /// Whether the file is UTF-16, or declares another encoding than UTF-8. The span then counts bytes of its text in
    /// UTF-8.
    #[serde(default, skip_serializing_if = "is_false")]
    pub utf16: bool,
    /// Details of the file, if it is not in the export or its name is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<Arc<Document>>,
}

/// Details of a file that is not in the export, or whose name is not UTF-8.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Document {
    /// Path from the root of the repository, for a file that is not in the export, such as the contract.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Percent-encoded path in the export, for a file whose name is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
}

/// A range of bytes in a file, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

/// A location in the authored sources.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct SourcePlace {
    /// Path of the file from the working directory.
    pub file: Arc<str>,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
    /// Length in characters.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub length: u32,
    /// Path of the file from the root of the repository, if it differs from `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Arc<str>>,
    /// URL of the line, if the contract configures one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Arc<str>>,
}

impl SourcePlace {
    /// Returns the URL of the line, if it is one of the web. A saved report is not trusted, and other schemes run code.
    pub(crate) fn web_link(&self) -> Option<&str> {
        let is_web = |link: &&str| {
            let has_scheme =
                |scheme: &str| link.get(..scheme.len()).is_some_and(|own| own.eq_ignore_ascii_case(scheme));
            has_scheme("https://") || has_scheme("http://")
        };
        self.link.as_deref().filter(is_web)
    }

    /// Returns the file's path from the root of the repository, with `/`.
    pub fn path(&self) -> &str {
        self.path.as_ref().unwrap_or(&self.file)
    }
}

/// A fix of a finding: edits of the authored sources. The edits of all findings with certain fixes can be applied
/// together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Fix {
    /// How sure it is that this is what the author meant.
    pub certainty: Certainty,
    /// Why this is the fix.
    pub reason: Arc<str>,
    /// The edits, in the order of their files and locations. They do not overlap.
    pub edits: Box<[SourceEdit]>,
}

/// A replacement of a part of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Edit")]
#[non_exhaustive]
pub struct SourceEdit {
    /// Path of the file from the working directory.
    pub file: Arc<str>,
    /// Path of the file from the root of the repository, if it differs from `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<Arc<str>>,
    /// Line where the edit begins, counted from 1.
    pub line: u32,
    /// Column where it begins, in characters, counted from 1.
    pub column: u32,
    /// Offset of the first byte of the line.
    pub line_start: usize,
    /// Offset of the first byte to replace.
    pub start: usize,
    /// Offset after the last byte to replace.
    pub end: usize,
    /// The text to replace; empty for an insertion.
    pub old: Arc<str>,
    /// The new text; empty for a removal.
    pub new: Arc<str>,
}

impl From<&SourceEdit> for Edit {
    fn from(edit: &SourceEdit) -> Edit {
        Edit { start: edit.start, end: edit.end, new: edit.new.to_string() }
    }
}

impl SourceEdit {
    /// Returns the line and the column after the text to replace, which begins at `column` of its line. `width` returns
    /// the number of columns of a text.
    pub(crate) fn end(&self, column: usize, width: impl Fn(&str) -> usize) -> (u32, usize) {
        let lines = self.old.matches('\n').count() as u32;
        let last = self.old.rsplit('\n').next().unwrap_or_default();
        (self.line + lines, width(last) + if lines == 0 { column } else { 1 })
    }
}

/// The location of a finding in the authored sources. If it is not certain, it is the most likely candidate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Source")]
#[non_exhaustive]
pub struct WrittenSource {
    /// The location.
    #[serde(flatten)]
    pub place: SourcePlace,
    /// Whether the location is certain: the finding cannot come from anywhere else.
    pub certain: bool,
    /// The line at this location. Only the first finding of a cause in a file has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snippet: Option<Arc<Snippet>>,
}

/// The common cause of findings. Rule, severity and name identify it from check to check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Cause")]
#[non_exhaustive]
pub struct CommonCause {
    /// Id of the rule.
    pub rule: Arc<str>,
    /// Severity of the findings.
    #[serde(serialize_with = "write_severity", deserialize_with = "read_severity")]
    #[schemars(with = "String", extend("enum" = ["error", "warning"]))]
    pub severity: Severity,
    /// Name of the cause, the same as in its findings.
    pub cause: Arc<str>,
    /// Number of findings.
    pub findings: usize,
    /// Number of files with these findings.
    pub files: usize,
    /// Whether the cause is a thing that the findings refer to, such as a missing path, and not a message.
    #[serde(default, skip_serializing_if = "is_false")]
    pub thing: bool,
}

/// The location of an import, or of a fetch of a file, whose URL is computed at run time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ImportPlace {
    /// Path of the script, or of the page that contains it, in the export.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Column in characters, counted from 1.
    pub column: u32,
}

/// A folder that should probably be checked instead: most missing files are there, and most links of its pages work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct OtherRoot {
    /// Path of the folder, relative to the same folder as `root`.
    pub folder: String,
    /// The causes whose files are there, by their index in `causes`.
    pub causes: Vec<usize>,
}

/// An ignored finding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct IgnoredFinding {
    /// The finding.
    #[serde(flatten)]
    pub finding: Finding,
    /// What ignores it: a page, the contract or the baseline.
    #[schemars(extend("enum" = ["page", "contract", "baseline"]))]
    pub by: String,
    /// The reason given. The baseline gives none.
    pub reason: Option<String>,
}

/// A summary of the findings of one rule that are ignored for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct IgnoreSummary {
    /// Id of the rule.
    pub rule: String,
    /// What ignores them: `page`, `contract` or `baseline`.
    pub by: String,
    /// Location of the ignore: file and line in the contract, the baseline's path, or the first such ignore in a page.
    pub place: String,
    /// The reason given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Number of ignored findings.
    pub findings: usize,
    /// Number of files with these findings.
    pub files: usize,
}

impl Finding {
    /// Returns the path of the file: in the export; or from the root of the repository, for the contract or the
    /// baseline.
    ///
    /// With [`line`](Self::line) and [`column`](Self::column), it locates the finding.
    pub fn path(&self) -> &str {
        let outside = self.document.as_ref().and_then(|document| document.path.as_deref());
        outside.unwrap_or(&self.file)
    }

    /// Returns the location in the sources, if it is certain.
    pub fn certain_source(&self) -> Option<&SourcePlace> {
        self.source.as_ref().filter(|source| source.certain).map(|source| &source.place)
    }

    /// Returns the possible locations in the sources: the certain one, or all candidates.
    pub fn source_places(&self) -> &[SourcePlace] {
        match &self.source {
            Some(source) if source.certain => std::slice::from_ref(&source.place),
            _ => &self.candidates,
        }
    }

    /// Returns the line in the sources, or else the one in the export.
    pub(crate) fn shown_snippet(&self) -> Option<&Snippet> {
        let written = self.source.as_ref().and_then(|source| source.snippet.as_deref());
        written.or(self.snippet.as_deref())
    }

    /// Whether two findings are in the same file.
    pub(crate) fn is_in_file_of(&self, other: &Finding) -> bool {
        self.file == other.file && self.document == other.document
    }

    /// Whether the finding is in the export, and not in the contract.
    pub fn is_in_export(&self) -> bool {
        self.document.as_ref().is_none_or(|document| document.path.is_none())
    }

    /// Returns the text that the finding is about, if it is known and not too long to be shown.
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

/// Whether a count is left out of the JSON.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn write_severity<S: Serializer>(severity: &Severity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(severity.as_str())
}

fn read_severity<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Severity, D::Error> {
    match &*<std::borrow::Cow<'de, str>>::deserialize(deserializer)? {
        "error" => Ok(Severity::Error),
        "warning" => Ok(Severity::Warn),
        other => {
            Err(serde::de::Error::custom(format!("`{other}` is not a severity: write `error` or `warning`")))
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use serde_json::{Value, json};

    use super::Finding;

    fn finding(file: &str, document: &Value) -> Finding {
        let value = json!({
            "rule": "broken-link", "category": "links", "severity": "error", "message": "m", "file": file,
            "line": 3, "column": 5, "end_line": 3, "end_column": 9, "span": { "start": 40, "end": 44 },
            "url": null, "help": null, "cause": "/gone", "document": document,
        });
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn path_is_below_the_export_or_below_the_repository() {
        assert_eq!(finding("a/index.html", &Value::Null).path(), "a/index.html");
        assert_eq!(
            finding("sitegate.toml", &json!({ "path": "docs/sitegate.toml" })).path(),
            "docs/sitegate.toml"
        );
        assert_eq!(finding("caf\u{fffd}.html", &json!({ "uri": "caf%E9.html" })).path(), "caf\u{fffd}.html");
    }
}
