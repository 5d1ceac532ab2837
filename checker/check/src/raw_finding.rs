//! Defines the findings that rules make: rule, severity, location, message and cause.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::report::excerpt::{Position, Snippet};
use crate::walk::FileId;

/// The severity of a finding. Only [`Severity::Error`] fails the check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Not reported.
    Off,
    /// Reported; the check still passes.
    Warn,
    /// Reported; the check fails.
    Error,
}

impl Severity {
    /// Returns the word that every output format uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Off => "off",
            Severity::Warn => "warning",
            Severity::Error => "error",
        }
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The category of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Category {
    /// Broken internal links and missing assets.
    Links,
    /// Requirements of `sitegate.toml`.
    Contract,
    /// Files of the export, such as damaged or unpublishable ones.
    Files,
    /// The way the host maps URLs to files: redirects, slashes, headers.
    Hosting,
    /// The content of pages.
    Content,
    /// Metadata for browsers and search engines, such as titles, canonical URLs and sitemaps.
    Metadata,
    /// The syntax of URLs.
    Urls,
    /// Risks for visitors.
    Security,
    /// External links, which are checked on request only.
    External,
    /// Responses of the server of a live site.
    Live,
    /// Content that must not be published, ignores, and the baseline.
    Policy,
}

impl fmt::Display for Category {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Category::Links => "links",
            Category::Contract => "contract",
            Category::Files => "files",
            Category::Hosting => "hosting",
            Category::Content => "content",
            Category::Metadata => "metadata",
            Category::Urls => "urls",
            Category::Security => "security",
            Category::External => "external",
            Category::Live => "live",
            Category::Policy => "policy",
        })
    }
}

/// The id, texts and default severity of a rule.
///
/// `sitegate explain` shows its two examples, and `tests/examples.rs` checks them. An example has one of three forms:
/// - the HTML of a page. It is a whole page if it begins with `<!doctype`, `<html` or `<head`, otherwise a part of a
///   page without other problems.
/// - several files. Each has a line with its path and a colon, then its content, indented by two spaces. HTML has the
///   first form. `sitegate.toml` is the contract. `elsewhere` lists the answers of external hosts, one URL per line.
///   `live` lists wrong responses of the server of a live site (see `tests/folders/live.rs`).
/// - shell commands, each after `$ `, which run in the folder of the export.
#[non_exhaustive]
pub struct RuleInfo {
    /// The id of the rule, which names the problem.
    pub id: &'static str,
    /// The category of the rule.
    pub category: Category,
    /// The severity, unless the contract sets another.
    pub default: Severity,
    /// A summary of one line.
    pub summary: &'static str,
    /// The reason why the problem matters, and the standard that it violates.
    pub why: &'static str,
    /// An example with the problem.
    pub bad: &'static str,
    /// The same example, fixed.
    pub good: &'static str,
}

/// Returns the URL of the documentation, without a slash at its end, if `SITEGATE_DOCS` was set at build time.
pub fn documentation() -> Option<&'static str> {
    option_env!("SITEGATE_DOCS").and_then(without_slash)
}

/// Returns a URL without a slash at its end, or nothing if it is empty.
fn without_slash(url: &str) -> Option<&str> {
    Some(url.trim_end_matches('/')).filter(|url| !url.is_empty())
}

impl RuleInfo {
    /// Returns the URL of the rule's page in the documentation, if the program was built with one.
    pub fn page(&self) -> Option<String> {
        documentation().map(|documentation| self.page_below(documentation))
    }

    fn page_below(&self, documentation: &str) -> String {
        format!("{documentation}/rules/{}.html", self.id)
    }
}

impl fmt::Debug for RuleInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// The document of a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentId {
    /// A file of the export.
    File(FileId),
    /// The contract (`sitegate.toml`), for requirements that no file of the export meets.
    Contract,
    /// A file that the contract extends, by its index in [`crate::contract::Contract::bases`].
    Base(u16),
    /// The baseline, for entries that match no finding.
    Baseline,
    /// The host's configuration file that the contract names.
    HostConfig,
    /// A path in the export that was not read, such as a special file or a link out of the tree.
    Path(Box<str>),
}

/// The location of a finding: a document, and a range of bytes in it.
///
/// Line and column are computed for the report (see [`crate::report::locator`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The document.
    pub document: DocumentId,
    /// The range in bytes; empty if the finding is about the whole document.
    pub span: Range<u32>,
}

impl Location {
    /// Returns the location of a range of bytes in a file of the export.
    pub fn in_file(file: FileId, span: Range<u32>) -> Self {
        Location { document: DocumentId::File(file), span }
    }

    /// Returns the location of a range of bytes in the contract.
    pub fn in_contract(span: Range<usize>) -> Self {
        Location { document: DocumentId::Contract, span: span.start as u32..span.end as u32 }
    }
}

/// The whole document.
impl From<DocumentId> for Location {
    fn from(document: DocumentId) -> Location {
        Location { document, span: 0..0 }
    }
}

/// A whole file of the export.
impl From<FileId> for Location {
    fn from(file: FileId) -> Location {
        DocumentId::File(file).into()
    }
}

/// A range of bytes in a file of the export.
impl From<(FileId, Range<u32>)> for Location {
    fn from((file, span): (FileId, Range<u32>)) -> Location {
        Location::in_file(file, span)
    }
}

/// A range of bytes in a file of the export.
impl From<(FileId, &Range<u32>)> for Location {
    fn from((file, span): (FileId, &Range<u32>)) -> Location {
        Location::in_file(file, span.clone())
    }
}

/// The cause of a finding. Findings of one rule with the same cause are fixed together, so reports group them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The target of the reference, or the message if the reference has no target.
    Target,
    /// The message.
    Message,
    /// The text at the location, such as a title that several pages share.
    Marked,
    /// A thing that the rule names, such as a host, an image or an id.
    Thing(Box<str>),
    /// A kind of problem whose messages differ, although one setting or template causes them all.
    Kind(Box<str>),
}

impl Cause {
    /// Returns a kind of problem as a cause.
    pub fn kind(kind: impl Into<Box<str>>) -> Cause {
        Cause::Kind(kind.into())
    }
}

impl From<Box<str>> for Cause {
    fn from(thing: Box<str>) -> Cause {
        Cause::Thing(thing)
    }
}

impl From<&str> for Cause {
    fn from(thing: &str) -> Cause {
        Cause::Thing(thing.into())
    }
}

impl From<String> for Cause {
    fn from(thing: String) -> Cause {
        Cause::Thing(thing.into())
    }
}

/// How sure it is that a fix is what the author meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Certainty {
    /// Probable: other values are possible, or the meaning changes. Applied only on request.
    Likely,
    /// Nothing else can be meant.
    Certain,
}

impl Certainty {
    /// Returns `Certain` if a condition holds, else `Likely`.
    pub(crate) fn certain_if(condition: bool) -> Certainty {
        if condition { Certainty::Certain } else { Certainty::Likely }
    }
}

impl fmt::Display for Certainty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Certainty::Likely => "likely",
            Certainty::Certain => "certain",
        })
    }
}

/// A fix at the location of a finding, as a rule proposes it. The report turns it into an edit of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedFix {
    /// How sure it is.
    pub certainty: Certainty,
    /// Why this is the fix.
    pub reason: &'static str,
    /// What changes.
    pub change: ReferenceChange,
}

/// Maximum length in bytes of references and fragments that have fixes. Longer ones are generated, and many of them would
/// take much memory.
pub const MAX_FIXED: usize = 1_024;

/// A change of a reference. All texts are decoded: without character references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReferenceChange {
    /// Another reference.
    Whole {
        /// The new reference, in the style of the present one.
        new: Box<str>,
        /// The path that the present reference points to, and that of the file that the new one points to, both below
        /// the root of the export. `None` if the reference is external, or if its path stays the same.
        paths: Option<Box<(String, String)>>,
    },
    /// The destination of the redirects of the reference. It must not be written into the definition of a redirect.
    Destination {
        /// The new reference, as in [`ReferenceChange::Whole`].
        new: Box<str>,
        /// The paths, as in [`ReferenceChange::Whole`].
        paths: Option<Box<(String, String)>>,
    },
    /// Another fragment; both without `#` and percent-decoded.
    Fragment {
        /// The present fragment.
        old: Box<str>,
        /// The new fragment.
        new: Box<str>,
    },
    /// The target does not exist, and the export contains no file that was probably meant. The sources may.
    MissingTarget,
    /// The reference stays; other markup changes.
    Markup(MarkupChange),
}

/// A change of markup at a location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkupChange {
    /// The start tag at the location gets an attribute; or a list in an attribute gets more words.
    Attribute {
        /// The name.
        name: Box<str>,
        /// The value, or the words to add, separated by spaces.
        value: Box<str>,
        /// Whether the value is a list of words.
        is_list: bool,
    },
    /// The image at the location gets one dimension of its file.
    Dimension {
        /// Whether it is the width, and not the height.
        is_width: bool,
        /// The image.
        file: FileId,
    },
    /// The tag of `html` at the location gets the language of the home page.
    Language,
    /// The head of the page starts with the declaration of UTF-8.
    Charset,
    /// The ignore at the location is removed.
    Removal,
}

/// The text at the location of a finding, and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// The position of its first character.
    pub start: Position,
    /// The position after its last character.
    pub end: Position,
    /// The text of its span: that of a reference, or else one that is short enough to be shown.
    pub text: Option<Box<str>>,
    /// The line, or the part of it around the span.
    pub snippet: Option<Snippet>,
    /// Whether the span counts bytes of the text in UTF-8, because the file has another encoding.
    pub is_transcoded: bool,
    /// The thing that caused it, if the cause is [`Cause::Target`] or [`Cause::Marked`], and not the message.
    pub thing: Option<Box<str>>,
}

impl Located {
    /// Locates a finding about a whole document.
    pub(crate) fn of_document(is_reference: bool) -> Located {
        let start = Position { line: 1, column: 1 };
        let text = is_reference.then(Box::default);
        Located { start, end: start, text, snippet: None, is_transcoded: false, thing: None }
    }
}

/// A finding as a rule makes it, until it becomes a [`Finding`](crate::report::finding::Finding) of the report.
#[derive(Clone, Debug)]
pub struct RawFinding {
    /// The rule that found it.
    pub rule: &'static RuleInfo,
    /// The problem, in one sentence without a full stop.
    pub message: Arc<str>,
    /// The location of the problem.
    pub location: Location,
    /// How to fix the problem, in words.
    pub(crate) help: Option<Box<str>>,
    /// How to change the reference, if it is known.
    pub(crate) fix: Option<Box<ProposedFix>>,
    /// Whether the text at the location is a reference, which the report shows as `url`.
    pub(crate) is_reference: bool,
    /// The cause, by which reports group findings.
    pub(crate) cause: Cause,
    /// The severity: that of the rule, or a higher one that is certain, until the contract gives it another at its
    /// location.
    pub severity: Severity,
    /// The text at its location; `None` if the document has to be read for it.
    pub(crate) located: Option<Box<Located>>,
}

impl RawFinding {
    /// Creates a finding that is not about one reference.
    pub(crate) fn new(
        rule: &'static RuleInfo,
        location: impl Into<Location>,
        message: impl Into<Arc<str>>,
    ) -> Self {
        RawFinding {
            rule,
            message: message.into(),
            location: location.into(),
            help: None,
            fix: None,
            is_reference: false,
            cause: Cause::Message,
            severity: rule.default,
            located: None,
        }
    }

    /// Creates a finding whose location is the raw text of a reference.
    pub(crate) fn reference(
        rule: &'static RuleInfo,
        location: impl Into<Location>,
        message: impl Into<Arc<str>>,
    ) -> Self {
        RawFinding { is_reference: true, cause: Cause::Target, ..RawFinding::new(rule, location, message) }
    }

    /// Makes it an error, because no reader accepts it, although the rule warns of others. A level in the contract still
    /// decides.
    #[must_use]
    pub(crate) fn certain_error(self) -> Self {
        RawFinding { severity: Severity::Error, ..self }
    }

    /// Sets the cause, if it is neither the target of the reference nor the message. A string names a thing:
    /// `.cause(host)`.
    #[must_use]
    pub(crate) fn cause(mut self, cause: impl Into<Cause>) -> Self {
        self.cause = cause.into();
        self
    }

    /// Returns the name of the cause: `thing`, or else the kind of problem, or the message.
    pub(crate) fn cause_name<'n>(&'n self, thing: Option<&'n str>) -> &'n str {
        match (thing, &self.cause) {
            (Some(thing), _) => thing,
            (None, Cause::Kind(kind)) => kind,
            (None, _) => &self.message,
        }
    }

    /// Sets the fix of the reference at the location, if it is not longer than `MAX_FIXED`.
    #[must_use]
    pub(crate) fn fix(mut self, fix: Option<ProposedFix>) -> Self {
        let is_short = |proposed: &ProposedFix| match &proposed.change {
            ReferenceChange::Whole { new, .. }
            | ReferenceChange::Destination { new, .. }
            | ReferenceChange::Fragment { new, .. } => new.len() <= MAX_FIXED,
            ReferenceChange::MissingTarget | ReferenceChange::Markup(_) => true,
        };
        self.fix = fix.filter(is_short).map(Box::new);
        self
    }

    /// Sets a fix of the markup at the location.
    #[must_use]
    pub(crate) fn markup_fix(
        mut self,
        certainty: Certainty,
        reason: &'static str,
        change: MarkupChange,
    ) -> Self {
        let change = ReferenceChange::Markup(change);
        self.fix = Some(Box::new(ProposedFix { certainty, reason, change }));
        self
    }

    /// Sets the help: how to fix the problem.
    #[must_use]
    pub(crate) fn help(self, help: impl Into<Box<str>>) -> Self {
        self.help_if(Some(help))
    }

    /// Sets the help, if there is any.
    #[must_use]
    pub(crate) fn help_if(mut self, help: Option<impl Into<Box<str>>>) -> Self {
        self.help = help.map(Into::into).or(self.help);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::without_slash;
    use crate::rules::RULES;

    #[test]
    fn rules_have_pages_if_documentation_has_a_url() {
        let rule = RULES[0].info;
        let page = format!("https://docs.example.org/gate/rules/{}.html", rule.id);
        assert_eq!(
            without_slash("https://docs.example.org/gate/").map(|url| rule.page_below(url)),
            Some(page)
        );
        assert_eq!(without_slash(""), None);
    }
}
