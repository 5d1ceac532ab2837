//! The rules, and the registry that everything which lists rules is printed from.
//!
//! One file is one rule: its documentation, its options (the struct), its check. Rules do no I/O, no
//! parsing and no printing: they turn what was read into diagnostics.

mod bad_canonical;
mod bad_encoding;
mod bad_hreflang;
mod bad_integrity;
mod bad_mailto;
mod bad_refresh;
mod bad_srcset;
mod bad_tel;
mod broken_anchor;
mod broken_link;
mod broken_redirect;
mod duplicate_id;
mod duplicate_title;
mod duplicate_url;
mod empty_page;
mod empty_reference;
mod encoded_slash;
pub(crate) mod fixed_baseline;
mod forbidden_host;
mod forbidden_text;
mod hashed_name_mismatch;
mod inconsistent_value;
mod insecure_link;
pub(crate) mod invalid_exception;
mod invalid_url;
mod local_address;
mod lost_url;
mod malformed_file;
mod missing_alt;
mod missing_asset;
mod missing_charset;
mod missing_description;
mod missing_index;
mod missing_lang;
mod missing_map;
mod missing_page;
mod missing_text;
mod missing_title;
mod mixed_content;
mod orphan_page;
mod parts;
mod placeholder;
mod redirect_chain;
mod redirect_hop;
mod relative_link_in_404;
mod sitemap_mismatch;
mod size_budget;
mod special_file;
mod stray_link;
mod unencoded_space;
mod unreferenced_file;
mod unsafe_target_blank;
pub(crate) mod unused_exception;
mod wrong_attribute;
mod wrong_count;
mod wrong_numbering;
mod wrong_order;
mod wrong_text;

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::config::{nearest, plain, unknown_key};
use crate::contract::Assertion;
use crate::diagnostic::{Diagnostic, Location, Place, Severity};
use crate::href::{Reason, Target};
use crate::index::{Index, PageView, Site};
use crate::parse::{Format, Match, Reference};
use crate::redirects::Redirect;
use crate::walk::FileId;

pub use parts::Paths;
use parts::{has_scheme, host, host_matches, is_below, is_local};

/// What a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
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
            Category::Policy => "policy",
        })
    }
}

/// What is known of a rule without running it.
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
    /// Makes the rule from its options.
    pub build: fn(toml::Table) -> Result<Box<dyn Rule>, String>,
}

impl fmt::Debug for RuleInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)
    }
}

/// A rule: it sees each page while its source is at hand, then the whole site.
pub trait Rule: Send + Sync {
    /// Looks at one page or style sheet.
    fn check_page(&self, _view: &PageView<'_>, _found: &mut Vec<Diagnostic>) {}
    /// Looks at what all pages have in common.
    fn check_site(&self, _index: &Index<'_>, _found: &mut Vec<Diagnostic>) {}
    /// The files whose bytes it must see, whatever they are.
    fn files(&self) -> Option<&Paths> {
        None
    }
    /// Looks at the bytes of one of [`Rule::files`].
    fn check_file(&self, _view: &FileView<'_>, _found: &mut Vec<Diagnostic>) {}
    /// What it needs to be kept of every page.
    fn keeps(&self) -> Keeps {
        Keeps::default()
    }
    /// Takes in what its options point to, once, when the contract is read. `folder` gives the folder that an
    /// option's paths are relative to.
    ///
    /// # Errors
    /// When that cannot be read, or the options contradict each other.
    fn load(&mut self, _folder: &dyn Fn(&str) -> PathBuf) -> Result<(), String> {
        Ok(())
    }
}

/// What is kept of every page only where a rule needs it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Keeps {
    /// [`Index::loads`].
    pub loads: bool,
    /// [`Index::texts`].
    pub texts: bool,
}

/// A file of any kind, while its bytes are at hand.
pub struct FileView<'f> {
    /// The site it belongs to.
    pub site: &'f Site<'f>,
    /// The file.
    pub file: FileId,
    /// Its bytes.
    pub content: &'f [u8],
}

/// Rules whose findings must not go live, whatever they weigh in a check: publishing to anything but a
/// folder treats them as errors.
pub const BLOCK_PUBLISHING: &[&str] = &[placeholder::INFO.id];

/// Every rule, by category and id.
pub static RULES: &[&RuleInfo] = &[
    &bad_mailto::INFO,
    &bad_refresh::INFO,
    &bad_tel::INFO,
    &broken_anchor::INFO,
    &broken_link::INFO,
    &broken_redirect::INFO,
    &empty_reference::INFO,
    &invalid_url::INFO,
    &missing_asset::INFO,
    &missing_index::INFO,
    &missing_map::INFO,
    &missing_text::INFO,
    &relative_link_in_404::INFO,
    &inconsistent_value::INFO,
    &missing_page::INFO,
    &wrong_attribute::INFO,
    &wrong_count::INFO,
    &wrong_numbering::INFO,
    &wrong_order::INFO,
    &wrong_text::INFO,
    &malformed_file::INFO,
    &orphan_page::INFO,
    &special_file::INFO,
    &stray_link::INFO,
    &unreferenced_file::INFO,
    &redirect_chain::INFO,
    &redirect_hop::INFO,
    &bad_encoding::INFO,
    &bad_srcset::INFO,
    &duplicate_id::INFO,
    &empty_page::INFO,
    &missing_alt::INFO,
    &bad_canonical::INFO,
    &bad_hreflang::INFO,
    &duplicate_title::INFO,
    &missing_charset::INFO,
    &missing_description::INFO,
    &missing_lang::INFO,
    &missing_title::INFO,
    &sitemap_mismatch::INFO,
    &duplicate_url::INFO,
    &encoded_slash::INFO,
    &insecure_link::INFO,
    &unencoded_space::INFO,
    &bad_integrity::INFO,
    &mixed_content::INFO,
    &unsafe_target_blank::INFO,
    &fixed_baseline::INFO,
    &forbidden_host::INFO,
    &forbidden_text::INFO,
    &hashed_name_mismatch::INFO,
    &invalid_exception::INFO,
    &local_address::INFO,
    &lost_url::INFO,
    &placeholder::INFO,
    &size_budget::INFO,
    &unused_exception::INFO,
];

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static RuleInfo> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

/// The rule that a contract or an exception names, or why there is none.
pub(crate) fn known(id: &str) -> Result<&'static RuleInfo, String> {
    find(id).ok_or_else(|| {
        let near = suggest(id).map(|near| format!("; did you mean `{near}`?"));
        format!("there is no rule `{id}`{}", near.as_deref().unwrap_or("; `sitegate rules` lists them"))
    })
}

/// The rule id that a misspelt one most likely means.
pub fn suggest(id: &str) -> Option<&'static str> {
    nearest(id, RULES.iter().map(|rule| rule.id))
}

/// Makes a rule whose options are its struct's fields.
fn build_from<R: Rule + DeserializeOwned + 'static>(options: toml::Table) -> Result<Box<dyn Rule>, String> {
    let rule: R = options.try_into().map_err(|error: toml::de::Error| error.to_string())?;
    Ok(Box::new(rule))
}

/// A regular expression in a rule's options or in an exception.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Pattern(regex::Regex);

impl Pattern {
    /// Whether it is found anywhere in the text.
    pub fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(pattern: String) -> Result<Pattern, String> {
        regex::Regex::new(&pattern).map(Pattern).map_err(|error| {
            let error = error.to_string();
            let reason = error.lines().last().unwrap_or(&error).trim_start_matches("error: ");
            format!("`{pattern}` is no regular expression: {reason}")
        })
    }
}

/// The rules of one run, with their options and weights.
pub struct Ruleset {
    entries: Vec<(&'static RuleInfo, Severity)>,
    active: Vec<Box<dyn Rule>>,
    /// Those that must see files' bytes, by their place in `active`.
    readers: Vec<usize>,
}

impl Ruleset {
    /// Every rule at its default.
    pub fn defaults() -> Ruleset {
        match build(&BTreeMap::new(), &|_| false, &|_| None, &|_| PathBuf::new()) {
            Ok(rules) => rules,
            Err((_, message)) => unreachable!("rules build without options: {message}"),
        }
    }

    /// The rules that are not off.
    pub fn active(&self) -> &[Box<dyn Rule>] {
        &self.active
    }

    /// The rules that must see this file's bytes.
    pub(crate) fn readers(&self, path: &[u8]) -> Vec<&dyn Rule> {
        let readers = self.readers.iter().map(|&at| &*self.active[at]);
        readers.filter(|rule| rule.files().is_some_and(|files| files.contain(path))).collect()
    }

    /// What the rules need to be kept of every page.
    pub(crate) fn keeps(&self) -> Keeps {
        self.active.iter().map(|rule| rule.keeps()).fold(Keeps::default(), |all, one| Keeps {
            loads: all.loads || one.loads,
            texts: all.texts || one.texts,
        })
    }

    /// How much a rule weighs.
    pub fn level(&self, rule: &RuleInfo) -> Severity {
        let entry = self.entries.iter().find(|(info, _)| info.id == rule.id);
        entry.map_or(rule.default, |(_, level)| *level)
    }
}

/// Reads `[rules]`: a level (`"error"`, `"warn"`, `"off"`), or a table of `level` and the rule's options.
/// `turned_on` says which rules are needed even where they are off, `key_span` where a key stands, and `folder`
/// what a path that is written at an offset is relative to.
pub(crate) fn build(
    settings: &BTreeMap<Spanned<String>, Spanned<toml::Value>>,
    turned_on: &dyn Fn(&str) -> bool,
    key_span: &dyn Fn(&[&str]) -> Option<Range<usize>>,
    folder: &dyn Fn(usize) -> PathBuf,
) -> Result<Ruleset, (Range<usize>, String)> {
    for id in settings.keys() {
        known(id.get_ref()).map_err(|message| (id.span(), message))?;
    }
    let mut ruleset = Ruleset { entries: Vec::new(), active: Vec::new(), readers: Vec::new() };
    for info in RULES {
        let setting = settings.iter().find(|(id, _)| id.get_ref() == info.id).map(|(_, value)| value);
        let fail = |message: String| {
            let span = setting.map_or(0..0, Spanned::span);
            (span, format!("`rules.{}`: {message}", info.id))
        };
        let mut options = match setting.map(Spanned::get_ref) {
            None => toml::Table::new(),
            Some(toml::Value::Table(table)) => table.clone(),
            Some(level) => toml::Table::from_iter([("level".to_owned(), level.clone())]),
        };
        let level = match options.remove("level") {
            None => info.default,
            Some(level) => {
                level.try_into().map_err(|_| fail("a level is \"error\", \"warn\" or \"off\"".to_owned()))?
            }
        };
        let mut rule = (info.build)(options).map_err(|message| {
            let (message, key) = match unknown_key(&message) {
                Some((key, _)) => (plain(&message), Some(key.to_owned())),
                None => option_at_fault(&message),
            };
            let place = key.and_then(|key| key_span(&["rules", info.id, &key]));
            let (span, message) = fail(message);
            (place.unwrap_or(span), message)
        })?;
        ruleset.entries.push((info, level));
        if level != Severity::Off || turned_on(info.id) {
            let folder_of =
                |option: &str| folder(key_span(&["rules", info.id, option]).map_or(0, |span| span.start));
            rule.load(&folder_of).map_err(fail)?;
            if rule.files().is_some() {
                ruleset.readers.push(ruleset.active.len());
            }
            ruleset.active.push(rule);
        }
    }
    Ok(ruleset)
}

/// Splits an error about an option into what is wrong and the option's key, which the TOML reader puts on a
/// line of its own.
fn option_at_fault(message: &str) -> (String, Option<String>) {
    let (message, place) = message.trim().split_once('\n').unwrap_or((message.trim(), ""));
    let key = place.trim().strip_prefix("in `").and_then(|key| key.strip_suffix('`'));
    let key = key.map(|key| key.split(['.', '[']).next().unwrap_or(key).to_owned());
    let message = key.as_ref().map_or_else(|| message.to_owned(), |key| format!("`{key}`: {message}"));
    (message, key)
}

// What several rules say in the same words.

/// The references that lead nowhere, in pages and style sheets alike.
fn missing<'v>(view: &'v PageView<'_>) -> impl Iterator<Item = (&'v Reference, Reason)> + 'v {
    view.page.references.iter().filter_map(|reference| match reference.target {
        Target::Missing(reason) => Some((reference, reason)),
        _ => None,
    })
}

/// A finding about a reference that leads nowhere. `say` is given its text, and why that is.
fn dead(
    rule: &'static RuleInfo,
    view: &PageView<'_>,
    reference: &Reference,
    reason: Reason,
    say: impl FnOnce(&str, &str) -> String,
) -> Diagnostic {
    let text = reference.value.map_or("", |value| view.page.str(value));
    let (why, help) = explain_missing(view, text, reason);
    let location = Location::in_file(view.page.file, reference.span.clone());
    let diagnostic = Diagnostic::reference(rule, location, say(&shown(text), &why));
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// A reference's text as it is shown in messages: short, on one line.
fn shown(text: &str) -> String {
    const LIMIT: usize = 80;
    let mut shown: String = text
        .chars()
        .take(LIMIT)
        .flat_map(|c| match c.is_control() {
            true => c.escape_default().collect::<Vec<_>>(),
            false => vec![c],
        })
        .collect();
    if text.chars().nth(LIMIT).is_some() {
        shown.push('…');
    }
    shown
}

/// Where a redirect's destination is written: in the redirects file, or in the contract.
fn redirect_place(file: Option<FileId>, redirect: &Redirect) -> Location {
    match file.filter(|_| !redirect.in_contract) {
        Some(file) => Location::in_file(file, redirect.span.clone()),
        None => Location { place: Place::Contract, span: redirect.span.clone() },
    }
}

/// What follows a scheme, in any case.
fn after_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let text = text.trim_matches(|c: char| c <= ' ');
    let start = text.get(..scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then(|| &text[scheme.len()..])
}

/// Why a path leads nowhere, and what may have been meant.
fn explain_missing(view: &PageView<'_>, text: &str, reason: Reason) -> (String, Option<String>) {
    use crate::suggest::Near;
    let path = view.site.resolver.local_path(view.base, text).unwrap_or_default();
    let name = String::from_utf8_lossy(&path).into_owned();
    let served = |path: &str| view.site.resolver.served_path(path);
    match reason {
        Reason::OutsideBasePath => {
            let base = &view.site.config.site.base_path;
            (
                format!("it is outside the base path `{base}`"),
                Some(format!("begin it with `{base}`, or make it relative")),
            )
        }
        Reason::NoIndexOnHost => (
            format!("`{name}` is a directory, and this host serves no index documents"),
            Some("link to its index.html, or let a function rewrite the path and say `trailing-slash = \"never\"`".to_owned()),
        ),
        Reason::NotUtf8 => ("its percent-encoded bytes are not UTF-8".to_owned(), None),
        Reason::FileWithSlash => {
            let bare = name.trim_end_matches('/');
            (
                format!("`{bare}` is a file, and hosts answer 404 when `/` follows it"),
                Some("drop the last `/`".to_owned()),
            )
        }
        Reason::NoIndex | Reason::NoFile => {
            let other = || {
                is_mail_address(text).then(|| format!("a mail address is written `mailto:{}`", shown(text.trim())))
            };
            let help = view.site.nearest_path(&path).map(|near| match near {
                Near::Composition(path) => {
                    format!(
                        "`{}` has the same characters in another Unicode form; hosts compare bytes",
                        served(&path)
                    )
                }
                Near::Case(path) => {
                    format!("did you mean `{}`? Hosts tell upper from lower case", served(&path))
                }
                Near::Html(path) => format!("`{}` is there; only some hosts add `.html`", served(&path)),
                Near::Spelling(path) => format!("did you mean `{}`?", served(&path)),
            });
            (format!("there is no `{name}`"), help.or_else(other))
        }
    }
}

/// Whether a reference without a scheme looks like a mail address.
fn is_mail_address(text: &str) -> bool {
    let Some((name, host)) = text.trim().split_once('@') else { return false };
    !name.is_empty() && !text.contains(['/', '#', ':']) && host.split('.').count() > 1
}

/// Whether this is a page, and not a style sheet or the like.
fn is_page(view: &PageView<'_>) -> bool {
    view.site.format(view.page.file) == Format::Html
}

/// Whether this is a page that readers come to see: not empty, not a part of a document, not a redirect.
fn is_document(view: &PageView<'_>) -> bool {
    is_page(view)
        && !view.page.source.trim_ascii().is_empty()
        && !view.page.is_part()
        && !view.page.about.refreshes
}

/// Names in a sentence: the first few, and how many more there are.
fn list<N: fmt::Display>(names: impl ExactSizeIterator<Item = N>, limit: usize) -> String {
    let more = names.len().saturating_sub(limit);
    let mut parts: Vec<String> = names.take(limit).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        parts.push(format!("{more} more"));
    }
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        last => last.unwrap_or_default(),
    }
}

/// The matches of an assertion on a page.
fn matches<'v>(view: &'v PageView<'_>, assertion: usize) -> impl Iterator<Item = &'v Match> + 'v {
    view.page.matches.iter().filter(move |found| found.assertion == assertion)
}

/// A finding about an assertion, with the way to the line of the contract that demands it.
fn unmet(
    rule: &'static RuleInfo,
    view: &PageView<'_>,
    assertion: &Assertion,
    span: Range<u32>,
    message: String,
) -> Diagnostic {
    let message = format!("{}: {message}", assertion.name);
    let demanded = view.site.config.position(assertion.span.start);
    let help = match &assertion.help {
        Some(help) => format!("{help} ({demanded})"),
        None => format!("{demanded} demands it"),
    };
    Diagnostic::new(rule, Location::in_file(view.page.file, span), message).help(help)
}

#[cfg(test)]
mod tests {
    use super::{RULES, find, suggest};

    #[test]
    fn the_registry_is_in_order_and_complete() {
        let keys: Vec<_> = RULES.iter().map(|rule| (rule.category, rule.id)).collect();
        let mut sorted = keys.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(keys, sorted, "by category, then id, each once");
        for rule in RULES {
            assert!(
                rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                rule.id
            );
            for text in [rule.summary, rule.why, rule.bad, rule.good] {
                assert!(!text.trim().is_empty(), "{} lacks a text", rule.id);
            }
            assert!(!rule.summary.ends_with('.'), "{}: a summary is no sentence", rule.id);
            assert!((rule.build)(toml::Table::new()).is_ok(), "{} needs no options", rule.id);
            let unknown = toml::Table::from_iter([("no-such-option".to_owned(), true.into())]);
            assert!((rule.build)(unknown).is_err(), "{} refuses unknown options", rule.id);
        }
    }

    #[test]
    fn a_misspelt_rule_is_recognised() {
        assert!(find("broken-link").is_some());
        assert_eq!(suggest("broken-links"), Some("broken-link"));
        assert_eq!(suggest("weather"), None);
    }
}
