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
mod missing_doctype;
mod missing_icon;
mod missing_index;
mod missing_integrity;
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
mod ruleset;
mod sitemap_mismatch;
mod size_budget;
mod special_file;
mod stray_link;
mod unencoded_space;
mod unreferenced_file;
mod unsafe_target_blank;
pub(crate) mod unused_exception;
mod wording;
mod wrong_attribute;
mod wrong_count;
mod wrong_numbering;
mod wrong_order;
mod wrong_text;

use std::fmt;
use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::config::nearest;
use crate::diagnostic::{Diagnostic, Severity};
use crate::index::{Index, PageView, Site};
use crate::walk::FileId;

pub use parts::Paths;
use parts::{has_scheme, host, host_matches, is_below, is_local};
pub use ruleset::Ruleset;
pub(crate) use ruleset::build;
use wording::{
    after_scheme, dead, is_document, is_page, list, matches, missing, redirect_place, shown, unmet,
};

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
    &missing_doctype::INFO,
    &bad_canonical::INFO,
    &bad_hreflang::INFO,
    &duplicate_title::INFO,
    &missing_charset::INFO,
    &missing_description::INFO,
    &missing_icon::INFO,
    &missing_lang::INFO,
    &missing_title::INFO,
    &sitemap_mismatch::INFO,
    &duplicate_url::INFO,
    &encoded_slash::INFO,
    &insecure_link::INFO,
    &unencoded_space::INFO,
    &bad_integrity::INFO,
    &missing_integrity::INFO,
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
