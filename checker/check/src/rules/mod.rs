//! The rules, and the registry that everything which lists rules is printed from.
//!
//! One file is one rule: its documentation, its options (the struct), its check. Rules do no I/O, no
//! parsing and no printing: they turn what was read into diagnostics.

mod backslash_in_path;
mod bad_canonical;
mod bad_encoding;
mod bad_hreflang;
mod bad_integrity;
mod bad_mailto;
mod bad_refresh;
mod bad_srcset;
mod bad_tel;
mod bare_import;
mod broken_anchor;
mod broken_external_anchor;
mod broken_external_link;
mod broken_idref;
mod broken_import;
mod broken_link;
mod broken_redirect;
mod certificate_ends_soon;
pub mod contract_schema;
mod damaged_file;
mod doubtful_import;
mod duplicate_id;
mod duplicate_title;
mod duplicate_url;
pub(crate) mod empty_export;
mod empty_page;
mod empty_reference;
mod encoded_slash;
pub(crate) mod fixed_baseline;
mod forbidden_host;
mod forbidden_text;
mod foreign_sitemap_url;
mod garbled_reference;
mod hashed_name_mismatch;
mod idle_speculation;
mod inconsistent_value;
mod insecure_link;
pub(crate) mod invalid_exception;
mod invalid_url;
mod leftover;
mod local_address;
mod long_redirect;
mod lost_url;
mod malformed_file;
mod malformed_script;
mod misplaced_module;
mod missing_alt;
mod missing_asset;
mod missing_charset;
mod missing_description;
mod missing_doctype;
mod missing_home;
mod missing_icon;
mod missing_index;
mod missing_integrity;
mod missing_lang;
mod missing_lazy_asset;
mod missing_map;
mod missing_page;
mod missing_source_map;
mod missing_text;
mod missing_title;
mod misspelt_scheme;
mod mixed_content;
mod moved_external_link;
mod no_http2;
mod no_https_redirect;
mod orphan_page;
mod passive_mixed_content;
mod placeholder;
mod redirect_chain;
mod redirect_hop;
mod relative_link_in_404;
pub(crate) mod rule;
pub(crate) mod ruleset;
mod sitemap_mismatch;
mod size_budget;
mod soft_404;
mod special_file;
mod staging_host;
mod stray_link;
mod two_addresses;
mod unclosed_markup;
mod uncompressed_text;
mod unencoded_space;
mod unpublishable_name;
mod unreferenced_file;
mod unsafe_target_blank;
pub(crate) mod unused_exception;
mod unverified_external_link;
mod wording;
mod wrong_attribute;
mod wrong_content_type;
mod wrong_count;
mod wrong_header;
mod wrong_numbering;
mod wrong_order;
mod wrong_text;

use crate::diagnostic::RuleInfo;
pub use rule::Registered;
use rule::RuleNameError;
use sitegate_base::nearest::nearest;

/// Rules whose findings must not go live, whatever they weigh in a check: publishing to anything but a
/// folder treats them as errors.
pub const BLOCK_PUBLISHING: &[&str] = &[placeholder::INFO.id];

/// Every rule, by category and id.
pub static RULES: &[&Registered] = &[
    &bad_mailto::RULE,
    &bad_refresh::RULE,
    &bad_tel::RULE,
    &bare_import::RULE,
    &broken_anchor::RULE,
    &broken_import::RULE,
    &broken_link::RULE,
    &broken_redirect::RULE,
    &doubtful_import::RULE,
    &empty_reference::RULE,
    &garbled_reference::RULE,
    &idle_speculation::RULE,
    &invalid_url::RULE,
    &missing_asset::RULE,
    &missing_index::RULE,
    &missing_lazy_asset::RULE,
    &missing_map::RULE,
    &missing_text::RULE,
    &misspelt_scheme::RULE,
    &relative_link_in_404::RULE,
    &inconsistent_value::RULE,
    &missing_page::RULE,
    &wrong_attribute::RULE,
    &wrong_count::RULE,
    &wrong_numbering::RULE,
    &wrong_order::RULE,
    &wrong_text::RULE,
    &damaged_file::RULE,
    &empty_export::RULE,
    &malformed_file::RULE,
    &malformed_script::RULE,
    &missing_home::RULE,
    &missing_source_map::RULE,
    &orphan_page::RULE,
    &special_file::RULE,
    &stray_link::RULE,
    &unpublishable_name::RULE,
    &unreferenced_file::RULE,
    &redirect_chain::RULE,
    &redirect_hop::RULE,
    &bad_encoding::RULE,
    &bad_srcset::RULE,
    &broken_idref::RULE,
    &duplicate_id::RULE,
    &empty_page::RULE,
    &misplaced_module::RULE,
    &missing_alt::RULE,
    &missing_doctype::RULE,
    &unclosed_markup::RULE,
    &bad_canonical::RULE,
    &bad_hreflang::RULE,
    &duplicate_title::RULE,
    &foreign_sitemap_url::RULE,
    &missing_charset::RULE,
    &missing_description::RULE,
    &missing_icon::RULE,
    &missing_lang::RULE,
    &missing_title::RULE,
    &sitemap_mismatch::RULE,
    &backslash_in_path::RULE,
    &duplicate_url::RULE,
    &encoded_slash::RULE,
    &insecure_link::RULE,
    &unencoded_space::RULE,
    &bad_integrity::RULE,
    &missing_integrity::RULE,
    &mixed_content::RULE,
    &passive_mixed_content::RULE,
    &unsafe_target_blank::RULE,
    &broken_external_anchor::RULE,
    &broken_external_link::RULE,
    &moved_external_link::RULE,
    &unverified_external_link::RULE,
    &certificate_ends_soon::RULE,
    &long_redirect::RULE,
    &no_http2::RULE,
    &no_https_redirect::RULE,
    &soft_404::RULE,
    &two_addresses::RULE,
    &uncompressed_text::RULE,
    &wrong_content_type::RULE,
    &wrong_header::RULE,
    &fixed_baseline::RULE,
    &forbidden_host::RULE,
    &forbidden_text::RULE,
    &hashed_name_mismatch::RULE,
    &invalid_exception::RULE,
    &local_address::RULE,
    &lost_url::RULE,
    &placeholder::RULE,
    &size_budget::RULE,
    &staging_host::RULE,
    &unused_exception::RULE,
];

/// Every rule, by category and id.
pub fn rules() -> impl Iterator<Item = &'static RuleInfo> {
    RULES.iter().map(|rule| rule.info)
}

/// The rule with this id.
pub fn find(id: &str) -> Option<&'static RuleInfo> {
    RULES.iter().map(|rule| rule.info).find(|info| info.id == id)
}

/// The rule that a contract or an exception names, or why there is none.
pub(crate) fn known(id: &str) -> Result<&'static RuleInfo, RuleNameError> {
    find(id).ok_or_else(|| RuleNameError::Unknown { id: id.to_owned(), near: suggest(id) })
}

/// The rule id that a misspelt one most likely means.
pub fn suggest(id: &str) -> Option<&'static str> {
    nearest(id, RULES.iter().map(|rule| rule.info.id))
}

#[cfg(test)]
mod tests {
    use super::{RULES, find, suggest};

    #[test]
    fn the_registry_is_in_order_and_complete() {
        let keys: Vec<_> = RULES.iter().map(|rule| (rule.info.category, rule.info.id)).collect();
        let mut sorted = keys.clone();
        sorted.sort();
        sorted.dedup();
        assert_eq!(keys, sorted, "by category, then id, each once");
        for registered in RULES {
            let rule = registered.info;
            assert!(
                rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                rule.id
            );
            for text in [rule.summary, rule.why, rule.bad, rule.good] {
                assert!(!text.trim().is_empty(), "{} lacks a text", rule.id);
            }
            assert!(!rule.summary.ends_with('.'), "{}: a summary is not a sentence", rule.id);
            assert!(registered.build(toml::Table::new()).is_ok(), "{} needs no options", rule.id);
            let unknown = toml::Table::from_iter([("no-such-option".to_owned(), true.into())]);
            assert!(registered.build(unknown).is_err(), "{} refuses unknown options", rule.id);
        }
    }

    #[test]
    fn a_misspelt_rule_is_recognised() {
        assert!(find("broken-link").is_some());
        assert_eq!(suggest("broken-links"), Some("broken-link"));
        assert_eq!(suggest("weather"), None);
    }
}
