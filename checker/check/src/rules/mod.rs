//! Defines all rules, and the registry that help, schema and documentation are generated from.
//!
//! Each file is one rule: its documentation, its options (the struct), its check. Rules do no I/O, parsing or printing:
//! they turn parsed facts into findings.

mod backslash_in_path;
mod bare_import;
mod blocked_asset;
mod blocked_by_csp;
mod breaks_part;
mod broken_anchor;
mod broken_external_anchor;
mod broken_external_link;
mod broken_form;
mod broken_hydration;
mod broken_idref;
mod broken_import;
mod broken_link;
mod broken_redirect;
pub(crate) mod broken_reference;
mod broken_text_fragment;
mod broken_usemap;
mod cached_fallback;
mod colliding_name;
mod content_hash_mismatch;
pub mod contract_schema;
mod damaged_file;
mod dropped_file;
pub(crate) mod duplicate_id;
pub(crate) mod duplicate_title;
mod duplicate_url;
mod empty_asset;
pub(crate) mod empty_export;
mod empty_page;
mod empty_reference;
mod encoded_slash;
mod expiring_certificate;
mod forbidden_host;
mod forbidden_text;
mod foreign_sitemap_url;
mod hidden_site;
mod ignored_value;
mod inconsistent_value;
mod ineffective_import;
mod ineffective_policy;
mod ineffective_preload;
mod ineffective_robots;
mod insecure_link;
mod integrity_mismatch;
mod invalid_canonical;
mod invalid_encoding;
mod invalid_hreflang;
pub(crate) mod invalid_ignore;
mod invalid_mailto;
mod invalid_meta_refresh;
mod invalid_srcset;
mod invalid_symlink;
mod invalid_tel;
mod invalid_url;
mod late_base;
mod leaked_file;
mod leaked_source;
mod leftover;
mod live_redirect_chain;
mod local_address;
mod lost_anchor;
mod lost_url;
mod malformed_file;
mod malformed_script;
pub(crate) mod messages;
mod misnested_markup;
mod misplaced_module;
mod missing_alt;
mod missing_asset;
mod missing_canonical_redirect;
mod missing_charset;
mod missing_description;
mod missing_doctype;
mod missing_home_page;
mod missing_http2;
mod missing_https_redirect;
mod missing_icon;
mod missing_index;
mod missing_integrity;
mod missing_lang;
mod missing_lazy_asset;
mod missing_not_found_page;
mod missing_optional_import;
mod missing_page;
mod missing_source_map;
mod missing_title;
mod misspelled_scheme;
mod mixed_content;
mod moved_external_link;
mod orphan_page;
pub(crate) mod outdated_baseline;
mod passive_mixed_content;
pub(crate) mod permalinks;
mod placeholder;
mod queries;
mod redirect_chain;
mod redirect_hop;
mod redirect_pages;
mod refused_frame;
mod refused_script;
mod refused_social_image;
mod relative_link_in_404;
mod relative_url;
pub(crate) mod rule;
pub(crate) mod ruleset;
pub(crate) mod schemes;
mod shifted_reference;
mod sitemap_mismatch;
pub(crate) mod size_budget;
mod soft_404;
mod special_file;
mod staging_host;
mod stale_part;
mod static_nonce;
mod unchecked_anchor;
mod unchecked_reference;
mod unclosed_markup;
mod uncompressed_text;
mod unencoded_space;
mod unmatched_speculation_rule;
mod unpublishable_name;
mod unreferenced_file;
mod unrendered_reference;
mod unrendered_text;
mod unsafe_target_blank;
mod unused_header;
pub(crate) mod unused_ignore;
mod unused_redirect;
mod unverified_external_link;
mod wrong_attribute;
mod wrong_content_type;
pub(crate) mod wrong_count;
mod wrong_header;
mod wrong_numbering;
mod wrong_order;
mod wrong_text;

use crate::raw_finding::RuleInfo;
pub use rule::Registered;
use rule::RuleNameError;
use sitegate_base::nearest::nearest;

/// Rules whose findings must not go live, at any level: publishing to any target other than a folder treats them as
/// errors.
pub const BLOCK_PUBLISHING: &[&str] = &[placeholder::INFO.id];

/// Rules whose findings are errors when an export is sealed, unless the contract sets their level.
const ERRORS_IN_SEALS: &[&str] = &[hidden_site::INFO.id];

/// All rules, by category and id.
pub static RULES: &[&Registered] = &[
    &bare_import::RULE,
    &broken_anchor::RULE,
    &broken_form::RULE,
    &broken_import::RULE,
    &broken_link::RULE,
    &broken_redirect::RULE,
    &broken_text_fragment::RULE,
    &broken_usemap::RULE,
    &empty_reference::RULE,
    &invalid_mailto::RULE,
    &invalid_meta_refresh::RULE,
    &invalid_tel::RULE,
    &invalid_url::RULE,
    &missing_asset::RULE,
    &missing_index::RULE,
    &missing_lazy_asset::RULE,
    &missing_optional_import::RULE,
    &misspelled_scheme::RULE,
    &relative_link_in_404::RULE,
    &unchecked_anchor::RULE,
    &unchecked_reference::RULE,
    &unmatched_speculation_rule::RULE,
    &unrendered_reference::RULE,
    &inconsistent_value::RULE,
    &missing_page::RULE,
    &wrong_attribute::RULE,
    &wrong_count::RULE,
    &wrong_numbering::RULE,
    &wrong_order::RULE,
    &wrong_text::RULE,
    &colliding_name::RULE,
    &damaged_file::RULE,
    &empty_asset::RULE,
    &empty_export::RULE,
    &invalid_symlink::RULE,
    &malformed_file::RULE,
    &malformed_script::RULE,
    &missing_home_page::RULE,
    &missing_source_map::RULE,
    &orphan_page::RULE,
    &special_file::RULE,
    &unpublishable_name::RULE,
    &unreferenced_file::RULE,
    &cached_fallback::RULE,
    &dropped_file::RULE,
    &missing_not_found_page::RULE,
    &redirect_chain::RULE,
    &redirect_hop::RULE,
    &shifted_reference::RULE,
    &unused_header::RULE,
    &unused_redirect::RULE,
    &broken_hydration::RULE,
    &broken_idref::RULE,
    &duplicate_id::RULE,
    &empty_page::RULE,
    &ignored_value::RULE,
    &ineffective_import::RULE,
    &ineffective_preload::RULE,
    &invalid_encoding::RULE,
    &invalid_srcset::RULE,
    &late_base::RULE,
    &misnested_markup::RULE,
    &misplaced_module::RULE,
    &missing_alt::RULE,
    &missing_doctype::RULE,
    &refused_frame::RULE,
    &refused_script::RULE,
    &unclosed_markup::RULE,
    &unrendered_text::RULE,
    &blocked_asset::RULE,
    &duplicate_title::RULE,
    &foreign_sitemap_url::RULE,
    &hidden_site::RULE,
    &ineffective_robots::RULE,
    &invalid_canonical::RULE,
    &invalid_hreflang::RULE,
    &missing_charset::RULE,
    &missing_description::RULE,
    &missing_icon::RULE,
    &missing_lang::RULE,
    &missing_title::RULE,
    &refused_social_image::RULE,
    &relative_url::RULE,
    &sitemap_mismatch::RULE,
    &backslash_in_path::RULE,
    &duplicate_url::RULE,
    &encoded_slash::RULE,
    &insecure_link::RULE,
    &unencoded_space::RULE,
    &blocked_by_csp::RULE,
    &ineffective_policy::RULE,
    &integrity_mismatch::RULE,
    &leaked_file::RULE,
    &leaked_source::RULE,
    &missing_integrity::RULE,
    &mixed_content::RULE,
    &passive_mixed_content::RULE,
    &static_nonce::RULE,
    &unsafe_target_blank::RULE,
    &broken_external_anchor::RULE,
    &broken_external_link::RULE,
    &moved_external_link::RULE,
    &unverified_external_link::RULE,
    &expiring_certificate::RULE,
    &live_redirect_chain::RULE,
    &missing_canonical_redirect::RULE,
    &missing_http2::RULE,
    &missing_https_redirect::RULE,
    &soft_404::RULE,
    &uncompressed_text::RULE,
    &wrong_content_type::RULE,
    &wrong_header::RULE,
    &breaks_part::RULE,
    &content_hash_mismatch::RULE,
    &forbidden_host::RULE,
    &forbidden_text::RULE,
    &invalid_ignore::RULE,
    &local_address::RULE,
    &lost_anchor::RULE,
    &lost_url::RULE,
    &outdated_baseline::RULE,
    &placeholder::RULE,
    &size_budget::RULE,
    &staging_host::RULE,
    &stale_part::RULE,
    &unused_ignore::RULE,
];

/// Returns all rules, by category and id.
pub fn rules() -> impl Iterator<Item = &'static RuleInfo> {
    RULES.iter().map(|rule| rule.info)
}

/// Returns the rule with this id.
pub fn find_rule(id: &str) -> Option<&'static RuleInfo> {
    RULES.iter().map(|rule| rule.info).find(|info| info.id == id)
}

/// Returns the rule that a contract or an ignore names, or an error with a suggestion.
pub(crate) fn known(id: &str) -> Result<&'static RuleInfo, RuleNameError> {
    find_rule(id).ok_or_else(|| RuleNameError::Unknown { id: id.to_owned(), near: suggest_rule(id) })
}

/// Suggests the rule id that a misspelled one most likely means.
pub fn suggest_rule(id: &str) -> Option<&'static str> {
    nearest(id, RULES.iter().map(|rule| rule.info.id))
}

#[cfg(test)]
mod tests {
    use super::{RULES, Registered, find_rule, suggest_rule};

    #[test]
    fn registry_is_sorted_and_complete() {
        let key = |rule: &Registered| (rule.info.category, rule.info.id);
        for pair in RULES.windows(2) {
            let (before, rule) = (pair[0].info.id, pair[1].info.id);
            assert!(
                key(pair[0]) < key(pair[1]),
                "RULES: sort by category, then id: `{rule}` is after `{before}`"
            );
        }
        for registered in RULES {
            let rule = registered.info;
            assert!(
                rule.id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'),
                "{}",
                rule.id
            );
            for text in [rule.summary, rule.why, rule.bad, rule.good] {
                assert!(!text.trim().is_empty(), "{} has an empty text", rule.id);
            }
            assert!(!rule.summary.ends_with('.'), "{}: a summary is not a sentence", rule.id);
            assert!(registered.build(toml::Table::new()).is_ok(), "{} needs no options", rule.id);
            let unknown = toml::Table::from_iter([("no-such-option".to_owned(), true.into())]);
            assert!(registered.build(unknown).is_err(), "{} rejects unknown options", rule.id);
        }
    }

    #[test]
    fn suggests_a_rule_for_a_misspelled_id() {
        assert!(find_rule("broken-link").is_some());
        assert_eq!(suggest_rule("broken-links"), Some("broken-link"));
        assert_eq!(suggest_rule("weather"), None);
    }
}
