//! The contract's assertions: what must be found on which pages, stated by value.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use lol_html::Selector;
use regex::Regex;
use serde::Deserialize;
use toml::Spanned;

use super::error::Fault;
use super::pages::{Groups, OneOrMany, PageSet, pages};
use super::selector::{ComplexSelector, alternatives};
use super::setting::Setting;

/// One `[[assert]]` as written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawAssertion {
    name: Option<String>,
    pages: Spanned<OneOrMany>,
    except: Option<Spanned<OneOrMany>>,
    select: Spanned<String>,
    count: Option<usize>,
    min: Option<usize>,
    max: Option<usize>,
    text: Option<String>,
    contains: Option<String>,
    starts_with: Option<String>,
    ends_with: Option<String>,
    matches: Option<Spanned<String>>,
    texts: Option<Vec<String>>,
    #[serde(default)]
    numbered: bool,
    #[serde(default)]
    attributes: BTreeMap<String, Spanned<RawExpected>>,
    #[serde(default)]
    tokens: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    values: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    same: Vec<String>,
    help: Option<String>,
}

impl RawAssertion {
    /// Where it begins, which tells the file that it stands in.
    pub fn start(&self) -> usize {
        self.select.span().start
    }
}

#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a string, true (present), false (absent), or { file, pointer }")]
enum RawExpected {
    Present(bool),
    Value(Setting),
}

/// What an attribute must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Exactly this value.
    Value(String),
    /// There, with any value.
    Present,
    /// Not there.
    Absent,
}

/// What the text of each match must be, after white space is folded.
#[derive(Clone, Debug)]
pub enum TextTest {
    /// Exactly this.
    Equals(String),
    /// This somewhere in it.
    Contains(String),
    /// This at its start.
    StartsWith(String),
    /// This at its end.
    EndsWith(String),
    /// This regular expression somewhere in it.
    Matches(Regex),
}

impl TextTest {
    /// Whether the text passes.
    pub fn accepts(&self, text: &str) -> bool {
        match self {
            TextTest::Equals(wanted) => text == wanted,
            TextTest::Contains(wanted) => text.contains(wanted.as_str()),
            TextTest::StartsWith(wanted) => text.starts_with(wanted.as_str()),
            TextTest::EndsWith(wanted) => text.ends_with(wanted.as_str()),
            TextTest::Matches(pattern) => pattern.is_match(text),
        }
    }

    /// The demand in words, to follow "the text ".
    pub fn demand(&self) -> String {
        match self {
            TextTest::Equals(wanted) => format!("must be \u{201c}{}\u{201d}", stated(wanted)),
            TextTest::Contains(wanted) => format!("must contain \u{201c}{}\u{201d}", stated(wanted)),
            TextTest::StartsWith(wanted) => format!("must begin with \u{201c}{}\u{201d}", stated(wanted)),
            TextTest::EndsWith(wanted) => format!("must end with \u{201c}{}\u{201d}", stated(wanted)),
            TextTest::Matches(pattern) => format!("must match /{pattern}/"),
        }
    }
}

/// What a contract states, as messages say it: each element that does not meet it is told of with all of it.
pub fn stated(wanted: &str) -> Cow<'_, str> {
    const LIMIT: usize = 500;
    match wanted.char_indices().nth(LIMIT) {
        None => Cow::Borrowed(wanted),
        Some((end, _)) => Cow::Owned(format!("{}…", &wanted[..end])),
    }
}

/// One demand of the contract: a selector, the pages it holds for, and what must be true of its matches.
pub struct Assertion {
    /// Its name in findings: `name`, or the selector.
    pub name: String,
    /// Which pages.
    pub pages: PageSet,
    /// Which elements on them.
    pub selector: Selector,
    /// The selector's alternatives, where they can be matched as a page is read.
    pub(crate) alternatives: Option<Vec<ComplexSelector>>,
    /// The selector as written.
    pub select: String,
    /// Where the contract states it, in bytes.
    pub span: Range<usize>,
    /// Where that is, as messages name it: `sitegate.toml:31`.
    pub position: String,
    /// The smallest number of matches on each page.
    pub min: usize,
    /// The largest number of matches on each page.
    pub max: Option<usize>,
    /// What each match's text must be.
    pub text: Vec<TextTest>,
    /// The texts of all matches, in document order.
    pub texts: Option<Vec<String>>,
    /// Whether the texts must begin with 1, 2, 3 … in document order.
    pub numbered: bool,
    /// What each match's attributes must be.
    pub attributes: BTreeMap<String, Expected>,
    /// Tokens that each match's attributes must hold, ASCII-case-insensitively.
    pub tokens: BTreeMap<String, Vec<String>>,
    /// The values of an attribute over all matches, in document order.
    pub values: BTreeMap<String, Vec<String>>,
    /// Attributes that must be the same in every match on every page.
    pub same: Vec<String>,
    /// What to do about it, in the contract's own words.
    pub help: Option<String>,
}

impl Assertion {
    /// Whether any test looks at the matches' text.
    pub fn reads_text(&self) -> bool {
        !self.text.is_empty() || self.texts.is_some() || self.numbered
    }

    /// The values of attributes that it states, some of which may be kept elsewhere.
    pub(super) fn values_elsewhere(&self) -> impl Iterator<Item = &str> {
        self.attributes.values().filter_map(|expected| match expected {
            Expected::Value(value) => Some(value.as_str()),
            _ => None,
        })
    }

    /// Compiles one `[[assert]]`; settings are looked up below `folder`.
    pub(crate) fn build(raw: RawAssertion, groups: &Groups, folder: &Path) -> Result<Self, Fault> {
        let span = raw.select.span();
        let fail = |message: String| (span.clone(), message.into());
        let selector: Selector =
            raw.select.get_ref().parse().map_err(|e| fail(format!("`assert.select`: {e}")))?;
        if raw.count.is_some() && (raw.min.is_some() || raw.max.is_some()) {
            return Err(fail("`count` already says what `min` and `max` would".to_owned()));
        }
        let max = raw.count.or(raw.max);
        let min = raw.count.or(raw.min).unwrap_or(usize::from(max != Some(0)));
        if max.is_some_and(|max| max < min) {
            return Err(fail("`max` is less than `min`".to_owned()));
        }
        let mut text = Vec::new();
        text.extend(raw.text.map(TextTest::Equals));
        text.extend(raw.contains.map(TextTest::Contains));
        text.extend(raw.starts_with.map(TextTest::StartsWith));
        text.extend(raw.ends_with.map(TextTest::EndsWith));
        if let Some(pattern) = raw.matches {
            let regex = Regex::new(pattern.get_ref()).map_err(|e| (pattern.span(), e.into()))?;
            text.push(TextTest::Matches(regex));
        }
        let mut attributes = BTreeMap::new();
        for (name, value) in raw.attributes {
            let at = value.span();
            let expected = match value.into_inner() {
                RawExpected::Present(true) => Expected::Present,
                RawExpected::Present(false) => Expected::Absent,
                RawExpected::Value(setting) => {
                    Expected::Value(setting.resolve(folder).map_err(|error| (at, error.into()))?)
                }
            };
            attributes.insert(name.to_ascii_lowercase(), expected);
        }
        let except = raw.except.map(|list| pages(list, groups)).transpose()?.unwrap_or_default();
        Ok(Assertion {
            name: raw.name.unwrap_or_else(|| raw.select.get_ref().clone()),
            pages: PageSet::build(pages(raw.pages, groups)?, &except)?,
            selector,
            alternatives: alternatives(raw.select.get_ref()),
            select: raw.select.into_inner(),
            span,
            position: String::new(),
            min,
            max,
            text,
            texts: raw.texts,
            numbered: raw.numbered,
            attributes,
            tokens: raw.tokens,
            values: raw.values,
            same: raw.same,
            help: raw.help,
        })
    }
}
