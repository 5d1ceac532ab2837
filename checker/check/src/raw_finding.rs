//! What a rule says: a finding with its rule, its weight and its place.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::walk::FileId;

/// How much a finding weighs. Only [`Severity::Error`] fails the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Not reported.
    Off,
    /// Reported; the gate still passes.
    Warn,
    /// Reported; the gate fails.
    Error,
}

impl Severity {
    /// The word used in every output format.
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

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Category {
    /// References that do not lead where they say.
    Links,
    /// What `sitegate.toml` demands.
    Contract,
    /// The files of the export themselves.
    Files,
    /// How the host gets from a reference to a file.
    Hosting,
    /// What pages are made of.
    Content,
    /// What pages say of themselves and of each other, to browsers and search engines.
    Metadata,
    /// How references are written.
    Urls,
    /// What puts readers at risk.
    Security,
    /// References to other hosts, which are only asked where that is wanted.
    External,
    /// What only the server of a live site can answer.
    Live,
    /// What must not go live, exceptions from the rules, and the baseline.
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

/// What is known of a rule without running it.
///
/// `sitegate explain` shows its two examples, and `tests/examples.rs` checks them. An example is one of
/// - the HTML of a page: a whole page where it begins with `<!doctype`, `<html` or `<head`, otherwise a part of a page
///   that has no other fault;
/// - several files: for each a line with its path and a colon, then its content, indented by two spaces. HTML is
///   written as above, `sitegate.toml` is the contract, `elsewhere` what other hosts say of addresses, a line for each, and `live` what the
///   server of a live site answers otherwise than it should (`tests/folders/live.rs` says how);
/// - commands, each behind `$ `, for a shell in the folder of the export.
#[non_exhaustive]
pub struct RuleInfo {
    /// Its id, which names the fault.
    pub id: &'static str,
    /// What it is about.
    pub category: Category,
    /// How much it weighs where the contract says nothing.
    pub default: Severity,
    /// One line.
    pub summary: &'static str,
    /// Why the fault matters, and the standard it goes against.
    pub why: &'static str,
    /// An example that it finds.
    pub bad: &'static str,
    /// The same, put right.
    pub good: &'static str,
}

/// Where the documentation stands, as who builds the program says by `SITEGATE_DOCS`.
const DOCUMENTATION: Option<&str> = option_env!("SITEGATE_DOCS");

impl RuleInfo {
    /// The address of its page in the documentation, where the program was built with one.
    pub fn page(&self) -> Option<String> {
        self.page_below(DOCUMENTATION.unwrap_or_default())
    }

    fn page_below(&self, documentation: &str) -> Option<String> {
        let documentation = documentation.trim_end_matches('/');
        (!documentation.is_empty()).then(|| format!("{documentation}/rules/{}.html", self.id))
    }
}

impl fmt::Debug for RuleInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// The document a location lies in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentId {
    /// A file of the export.
    File(FileId),
    /// The contract itself (`sitegate.toml`), where a demand has nothing in the export to point at.
    Contract,
    /// A file that the contract extends, by its place in [`crate::contract::Contract::bases`].
    Base(u16),
    /// A path in the export that was not read: a special file, a link out of the tree.
    Path(Box<str>),
}

/// Where a finding stands: a document, and a range of bytes in it.
///
/// Line and column are computed only for what is printed (see [`crate::report::finding_reader::FindingReader`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The document.
    pub document: DocumentId,
    /// Bytes from its start; empty where the finding is about the whole document.
    pub span: Range<u32>,
}

impl Location {
    /// A range of bytes in a file of the export.
    pub fn in_file(file: FileId, span: Range<u32>) -> Self {
        Location { document: DocumentId::File(file), span }
    }

    /// A range of bytes in the contract.
    pub fn in_contract(span: Range<usize>) -> Self {
        Location { document: DocumentId::Contract, span: span.start as u32..span.end as u32 }
    }
}

/// What makes findings of one rule one thing to mend: those with the same cause are told as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// What the reference leads to; the message, where that is nothing.
    Target,
    /// The message.
    Message,
    /// The text that the location marks, such as the title that pages share.
    Marked,
    /// Something that the rule names: a host, a picture, an id.
    Thing(Box<str>),
    /// A way to go wrong that messages word in different ways; one setting or template makes all of them.
    Kind(Box<str>),
}

impl Cause {
    /// A way to go wrong.
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

/// A finding as a rule makes it. It becomes a [`LocatedFinding`](crate::report::stages::LocatedFinding), then a
/// [`RatedFinding`](crate::report::stages::RatedFinding), then a [`Finding`](crate::report::finding::Finding) of the report.
#[derive(Clone, Debug)]
pub struct RawFinding {
    /// The rule that found it.
    pub rule: &'static RuleInfo,
    /// What is wrong, in one sentence without a full stop; findings that say the same may share it.
    pub message: Arc<str>,
    /// Where.
    pub location: Location,
    /// What to do about it, where that is known.
    pub help: Option<Box<str>>,
    /// Whether the location's bytes are a reference, to be shown as `url`.
    pub is_reference: bool,
    /// What it shares with others of its rule that are mended with it.
    pub cause: Cause,
}

impl RawFinding {
    /// A finding that is about something other than one reference.
    pub fn new(rule: &'static RuleInfo, location: Location, message: impl Into<Arc<str>>) -> Self {
        RawFinding {
            rule,
            message: message.into(),
            location,
            help: None,
            is_reference: false,
            cause: Cause::Message,
        }
    }

    /// A finding whose location is the raw text of a reference.
    pub fn reference(rule: &'static RuleInfo, location: Location, message: impl Into<Arc<str>>) -> Self {
        RawFinding { is_reference: true, cause: Cause::Target, ..RawFinding::new(rule, location, message) }
    }

    /// Says what causes it, where that is not what its reference leads to, or what its message says. A text names
    /// the thing: `.cause(host)`.
    #[must_use]
    pub fn cause(mut self, cause: impl Into<Cause>) -> Self {
        self.cause = cause.into();
        self
    }

    /// The name of its cause: the thing that it is about, or else a way to go wrong, or its message.
    pub fn cause_name<'n>(&'n self, thing: Option<&'n str>) -> &'n str {
        match (thing, &self.cause) {
            (Some(thing), _) => thing,
            (None, Cause::Kind(kind)) => kind,
            (None, _) => &self.message,
        }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn help(mut self, help: impl Into<Box<str>>) -> Self {
        self.help = Some(help.into());
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::RULES;

    #[test]
    fn a_rule_has_a_page_where_the_documentation_stands_somewhere() {
        let rule = RULES[0].info;
        let page = format!("https://docs.example.org/gate/rules/{}.html", rule.id);
        assert_eq!(rule.page_below("https://docs.example.org/gate/"), Some(page));
        assert_eq!(rule.page_below(""), None);
    }
}
