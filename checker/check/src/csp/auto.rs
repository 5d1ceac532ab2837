//! Replaces `'auto'` in a policy by hashes.

use super::hash::InlineHashes;
use super::source_list::{AUTO, AUTO_PER_PAGE};

/// How a policy asks for hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoMode {
    /// The hashes of all pages that the policy applies to.
    AllPages,
    /// Each page has its own hashes.
    EachPage,
}

/// Returns how a policy asks for hashes, if it does.
pub fn auto_mode(value: &str) -> Option<AutoMode> {
    let mut words = value.split(|c: char| c.is_ascii_whitespace() || matches!(c, ';' | ','));
    let has = |wanted: &str| value.to_ascii_lowercase().contains(wanted);
    if has(AUTO_PER_PAGE) {
        return Some(AutoMode::EachPage);
    }
    words.any(|word| word.eq_ignore_ascii_case(AUTO)).then_some(AutoMode::AllPages)
}

/// Returns a policy with hashes instead of `'auto'`.
pub fn with_hashes(value: &str, hashes: &InlineHashes) -> String {
    let policies = value.split(',').map(|policy| {
        let directives = policy.split(';').map(|directive| directive_with_hashes(directive, hashes));
        directives.collect::<Vec<_>>().join(";")
    });
    policies.collect::<Vec<_>>().join(",")
}

fn directive_with_hashes(directive: &str, hashes: &InlineHashes) -> String {
    if auto_mode(directive).is_none() {
        return directive.to_owned();
    }
    let mut words = directive.split_ascii_whitespace();
    let name = words.next().unwrap_or_default();
    let is_auto = |word: &&str| auto_mode(word).is_some();
    let has_unsafe_hashes = words.clone().any(|word| word.eq_ignore_ascii_case("'unsafe-hashes'"));
    let mut sources: Vec<&str> = words.filter(|word| !is_auto(word)).collect();
    let lower = name.to_ascii_lowercase();
    sources.extend(hashes.for_directive(&lower, has_unsafe_hashes));
    if sources.is_empty() {
        sources.push("'none'");
    }
    let space = if directive.starts_with(' ') { " " } else { "" };
    format!("{space}{name} {}", sources.join(" "))
}

/// Returns a policy without hashes and `'auto'`, to compare one that was sent with that of a contract.
pub fn without_hashes(value: &str) -> String {
    let is_kept = |word: &&str| {
        let lower = word.to_ascii_lowercase();
        let is_hash = ["'sha256-", "'sha384-", "'sha512-"].iter().any(|start| lower.starts_with(start));
        !is_hash && auto_mode(word).is_none() && lower != "'none'"
    };
    let directives = value.split(';').map(|directive| {
        let words = directive.split_ascii_whitespace().filter(is_kept);
        words.collect::<Vec<_>>().join(" ")
    });
    directives.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::{AutoMode, auto_mode, with_hashes, without_hashes};
    use crate::csp::{Inline, InlineHashes, sha256};

    #[test]
    fn inserts_hashes_where_they_count() {
        let mut hashes = InlineHashes::default();
        hashes.add(Inline::Script, "1");
        hashes.add(Inline::Handler, "2");
        hashes.add(Inline::Style, "3");
        let (script, handler, style) = (sha256("1"), sha256("2"), sha256("3"));
        let cases = [
            ("script-src 'self' 'auto'; img-src *", format!("script-src 'self' {script}; img-src *")),
            ("style-src 'auto-per-page'", format!("style-src {style}")),
            ("script-src-attr 'auto'", "script-src-attr 'none'".to_owned()),
            ("script-src-attr 'unsafe-hashes' 'auto'", format!("script-src-attr 'unsafe-hashes' {handler}")),
            ("img-src 'auto'", "img-src 'none'".to_owned()),
        ];
        for (value, expected) in cases {
            assert_eq!(with_hashes(value, &hashes), expected);
            let sent = with_hashes(value, &hashes);
            assert_eq!(without_hashes(&sent), without_hashes(value), "{value}");
        }
        assert_ne!(without_hashes("script-src 'self'"), without_hashes("script-src 'auto'"));
    }

    #[test]
    fn finds_the_mode() {
        assert_eq!(auto_mode("default-src 'self'"), None);
        assert_eq!(auto_mode("script-src 'AUTO'"), Some(AutoMode::AllPages));
        assert_eq!(auto_mode("script-src 'auto-per-page'; style-src 'auto'"), Some(AutoMode::EachPage));
    }
}
