//! Parses the contract's assertions: requirements for the elements of pages.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use regex::Regex;
use schemars::JsonSchema;
use serde::Deserialize;
use sitegate_html::selectors::Selector;

use super::access::Access;
use super::error::Fault;
use super::patterns::{Groups, OneOrMany, PageSet, checked_pages, expand_groups};
use super::schema::Spanned;
use super::setting::{ResolvedSetting, Setting};

/// One `[[assert]]` as parsed from TOML.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(inline)]
pub(crate) struct RawAssertion {
    /// The assertion's name in findings.
    name: Option<String>,
    /// The pages, by path, glob or @group.
    pages: Spanned<OneOrMany>,
    /// Pages to exclude.
    except: Option<Spanned<OneOrMany>>,
    /// A CSS selector.
    select: Spanned<String>,
    /// Required number of matches on each page.
    count: Option<usize>,
    /// Minimum number of matches on each page. Default: 1.
    min: Option<Spanned<usize>>,
    /// Maximum number of matches on each page.
    max: Option<Spanned<usize>>,
    /// Required text of each match.
    text: Option<String>,
    /// Text that each match must contain.
    contains: Option<String>,
    /// Start of each match's text.
    starts_with: Option<String>,
    /// End of each match's text.
    ends_with: Option<String>,
    /// A regular expression that must match a part of each match's text.
    matches: Option<Spanned<String>>,
    /// Required texts of all matches, in document order.
    texts: Option<Vec<String>>,
    /// Whether the texts must start with 1, 2, 3 … in document order.
    #[serde(default)]
    numbered: bool,
    /// Required attributes of each match: a value, true (present) or false (absent).
    attributes: Option<BTreeMap<String, Spanned<RawExpected>>>,
    /// Tokens that each match's attributes must contain.
    tokens: Option<BTreeMap<String, Vec<String>>>,
    /// Required values of an attribute over all matches, in document order.
    values: Option<BTreeMap<String, Vec<String>>>,
    /// Attributes that must be equal in all matches on all pages.
    same: Option<Vec<String>>,
    /// How to fix a failure. Shown with the finding.
    help: Option<String>,
}

impl RawAssertion {
    /// The assertion's span, which also identifies its file.
    pub fn start(&self) -> usize {
        self.select.span().start
    }

    /// Returns the error of an assertion that no page can fail.
    fn accepts_everything(&self, min: usize, max: Option<usize>) -> Option<String> {
        let parts = [
            ("contains", &self.contains),
            ("starts-with", &self.starts_with),
            ("ends-with", &self.ends_with),
        ];
        let empty = parts.into_iter().find(|(_, text)| text.as_ref().is_some_and(String::is_empty));
        if let Some((key, _)) = empty {
            return Some(format!(
                "`assert.{key}` is empty, so every text passes; write a text, or remove it"
            ));
        }
        let lists = [
            ("texts", self.texts.as_ref().map(Vec::is_empty), "for pages without a match, write `count = 0`"),
            (
                "attributes",
                self.attributes.as_ref().map(BTreeMap::is_empty),
                "name an attribute, or remove it",
            ),
            ("tokens", self.tokens.as_ref().map(BTreeMap::is_empty), "name an attribute, or remove it"),
            ("values", self.values.as_ref().map(BTreeMap::is_empty), "name an attribute, or remove it"),
            ("same", self.same.as_ref().map(Vec::is_empty), "name an attribute, or remove it"),
        ];
        if let Some((key, _, help)) = lists.into_iter().find(|(_, is_empty, _)| *is_empty == Some(true)) {
            return Some(format!("`assert.{key}` is empty, so it requires nothing; {help}"));
        }
        let words = |of: &Option<BTreeMap<String, Vec<String>>>| {
            of.iter().flatten().find(|(_, list)| list.is_empty()).map(|(name, _)| name.clone())
        };
        if let Some(name) = words(&self.tokens) {
            return Some(format!(
                "`assert.tokens.{name}` is empty, so every value passes; list words, or remove it"
            ));
        }
        if let Some(name) = words(&self.values) {
            return Some(format!(
                "`assert.values.{name}` is empty, so it requires nothing; list values, or remove it"
            ));
        }
        let tests_matches = self.text.is_some()
            || self.contains.is_some()
            || self.starts_with.is_some()
            || self.ends_with.is_some()
            || self.matches.is_some()
            || self.texts.is_some()
            || self.numbered
            || self.attributes.is_some()
            || self.tokens.is_some()
            || self.values.is_some()
            || self.same.is_some();
        (min == 0 && max.is_none() && !tests_matches).then(|| {
            let name = self.name.as_ref().unwrap_or(self.select.get_ref());
            format!(
                "the assertion \u{201c}{name}\u{201d} cannot fail: `min = 0` accepts any number of matches; add \
                 `max`, or a requirement for the matches"
            )
        })
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(untagged, expecting = "a string, true (present), false (absent), or { file, pointer }")]
enum RawExpected {
    Present(bool),
    Value(Setting),
}

/// The expected value of an attribute.
#[derive(Clone, Debug)]
pub enum Expected {
    /// The attribute has exactly this value.
    Value(ResolvedSetting),
    /// The attribute is present, with any value.
    Present,
    /// The attribute is absent.
    Absent,
}

/// A test of each match's text, after white space is collapsed.
#[derive(Clone, Debug)]
pub enum TextTest {
    /// The text equals this.
    Equals(String),
    /// The text contains this.
    Contains(String),
    /// The text starts with this.
    StartsWith(String),
    /// The text ends with this.
    EndsWith(String),
    /// The regular expression matches a part of the text.
    Matches(Regex),
}

impl TextTest {
    /// Returns whether the text passes the test.
    pub fn accepts(&self, text: &str) -> bool {
        match self {
            TextTest::Equals(wanted) => text == wanted,
            TextTest::Contains(wanted) => text.contains(wanted.as_str()),
            TextTest::StartsWith(wanted) => text.starts_with(wanted.as_str()),
            TextTest::EndsWith(wanted) => text.ends_with(wanted.as_str()),
            TextTest::Matches(pattern) => pattern.is_match(text),
        }
    }

    /// Returns the requirement for messages, to follow "the text ".
    pub fn requirement(&self) -> String {
        match self {
            TextTest::Equals(wanted) if wanted.is_empty() => "must be empty".to_owned(),
            TextTest::Equals(wanted) => format!("must be \u{201c}{}\u{201d}", shorten_value(wanted)),
            TextTest::Contains(wanted) => format!("must contain \u{201c}{}\u{201d}", shorten_value(wanted)),
            TextTest::StartsWith(wanted) => {
                format!("must start with \u{201c}{}\u{201d}", shorten_value(wanted))
            }
            TextTest::EndsWith(wanted) => format!("must end with \u{201c}{}\u{201d}", shorten_value(wanted)),
            TextTest::Matches(pattern) => format!("must match /{pattern}/"),
        }
    }
}

/// Whether a regular expression matches every text, as far as samples show: the empty text, each ASCII character, and a
/// long text of many characters. `^$`, which requires an empty element, does not.
fn matches_everything(pattern: &Regex) -> bool {
    let mut ascii = (' '..='~').map(String::from);
    let long = || (' '..='\u{24f}').cycle().take(4_000).collect::<String>();
    pattern.is_match("") && ascii.all(|character| pattern.is_match(&character)) && pattern.is_match(&long())
}

/// Shortens a value of the contract for messages: every failing element repeats it.
pub fn shorten_value(wanted: &str) -> Cow<'_, str> {
    const LIMIT: usize = 500;
    match wanted.char_indices().nth(LIMIT) {
        None => Cow::Borrowed(wanted),
        Some((end, _)) => Cow::Owned(format!("{}…", &wanted[..end])),
    }
}

/// An assertion: a selector, the pages that it applies to, and the requirements for its matches.
pub struct Assertion {
    /// The name in findings: `name`, or the selector.
    pub name: String,
    /// The pages.
    pub pages: PageSet,
    /// The selector of the elements.
    pub selector: Selector,
    /// The selector as written.
    pub select: String,
    /// The assertion's span in the contract, in bytes.
    pub span: Range<usize>,
    /// The assertion's location in messages: `sitegate.toml:31`.
    pub position: String,
    /// Minimum number of matches on each page.
    pub min: usize,
    /// Maximum number of matches on each page.
    pub max: Option<usize>,
    /// Tests of each match's text.
    pub text: Vec<TextTest>,
    /// Required texts of all matches, in document order.
    pub texts: Option<Vec<String>>,
    /// Whether the texts must start with 1, 2, 3 … in document order.
    pub numbered: bool,
    /// Expected attributes of each match.
    pub attributes: BTreeMap<String, Expected>,
    /// Tokens that each match's attributes must contain, ignoring ASCII case.
    pub tokens: BTreeMap<String, Vec<String>>,
    /// Required values of an attribute over all matches, in document order.
    pub values: BTreeMap<String, Vec<String>>,
    /// Attributes that must be equal in all matches on all pages.
    pub same: Vec<String>,
    /// How to fix a failure, from the contract.
    pub help: Option<String>,
}

impl Assertion {
    /// Returns whether any test needs the text of the matches.
    pub fn reads_text(&self) -> bool {
        !self.text.is_empty() || self.texts.is_some() || self.numbered
    }

    /// Compiles one `[[assert]]`. Settings are resolved relative to `folder`.
    pub(crate) fn build(
        raw: RawAssertion,
        groups: &Groups,
        folder: &Path,
        access: &Access,
    ) -> Result<Self, Fault> {
        let span = raw.select.span();
        let fail = |message: String| (span.clone(), message.into());
        let selector =
            Selector::parse(raw.select.get_ref()).map_err(|e| fail(format!("`assert.select`: {e}")))?;
        if let (Some(_), Some(limit)) = (raw.count, raw.min.as_ref().or(raw.max.as_ref())) {
            let message = "`count` cannot be combined with `min` or `max`".to_owned();
            return Err((limit.span(), message.into()));
        }
        let number = |setting: &Option<Spanned<usize>>| setting.as_ref().map(|setting| *setting.get_ref());
        let max = raw.count.or(number(&raw.max));
        let min = raw.count.or(number(&raw.min)).unwrap_or(usize::from(max != Some(0)));
        if max.is_some_and(|max| max < min) {
            return Err(fail("`max` is less than `min`".to_owned()));
        }
        if let Some(message) = raw.accepts_everything(min, max) {
            return Err(fail(message));
        }
        let mut text = Vec::new();
        text.extend(raw.text.map(TextTest::Equals));
        text.extend(raw.contains.map(TextTest::Contains));
        text.extend(raw.starts_with.map(TextTest::StartsWith));
        text.extend(raw.ends_with.map(TextTest::EndsWith));
        if let Some(pattern) = raw.matches {
            let regex = Regex::new(pattern.get_ref()).map_err(|e| (pattern.span(), e.into()))?;
            if matches_everything(&regex) {
                let message = "`assert.matches` matches every text; require more, or remove it".to_owned();
                return Err((pattern.span(), message.into()));
            }
            text.push(TextTest::Matches(regex));
        }
        let mut attributes = BTreeMap::new();
        for (name, value) in raw.attributes.unwrap_or_default() {
            let at = value.span();
            let expected = match value.into_inner() {
                RawExpected::Present(true) => Expected::Present,
                RawExpected::Present(false) => Expected::Absent,
                RawExpected::Value(setting) => {
                    Expected::Value(setting.resolve(folder, access).map_err(|error| (at, error.into()))?)
                }
            };
            attributes.insert(name.to_ascii_lowercase(), expected);
        }
        let except = raw.except.map(|list| expand_groups(list, groups)).transpose()?.unwrap_or_default();
        let name = raw.name.unwrap_or_else(|| raw.select.get_ref().clone());
        Ok(Assertion {
            pages: PageSet::build(checked_pages(raw.pages, groups, &name)?, &except)?,
            name,
            selector,
            select: raw.select.into_inner(),
            span,
            position: String::new(),
            min,
            max,
            text,
            texts: raw.texts,
            numbered: raw.numbered,
            attributes,
            tokens: raw.tokens.unwrap_or_default(),
            values: raw.values.unwrap_or_default(),
            same: raw.same.unwrap_or_default(),
            help: raw.help,
        })
    }
}
