//! `invalid-mailto`: a mailto link without a valid address.

use std::borrow::Cow;

use sitegate_address::{UrlReference, percent};

use super::messages::{invalid_scheme_findings, shorten};
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-mailto",
    category: Category::Links,
    default: Severity::Error,
    summary: "a mailto link has no address, or an invalid one",
    why: "The mail program opens without a recipient, or refuses to send. RFC 6068 allows a list of addresses with \
          commas, percent-encoding, and fields such as ?subject= after it. A link with only fields, to share a text, \
          is fine. So is an address that is obfuscated on purpose (`team at example dot org`).",
    bad: r#"<a href="mailto:">Write to us</a>"#,
    good: r#"<a href="mailto:team@example.com?subject=Hello">Write to us</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    found.extend(invalid_scheme_findings(&INFO, view, "mailto:", fault));
}

/// Returns what is wrong with the text after `mailto:`.
fn fault(rest: &str) -> Option<Cow<'static, str>> {
    let rest = UrlReference::new(rest);
    let (to, fields) = (rest.path(), rest.query().unwrap_or_default());
    if to.is_empty() {
        return fields.is_empty().then(|| "has no address".into());
    }
    let addresses = to.split(',').map(|address| percent::decode_lossy(address));
    let bad = addresses.into_iter().find(|address| !is_address(address.trim()) && !is_hidden(address))?;
    Some(format!("has an invalid address: `{}`", shorten(&bad)).into())
}

/// Returns whether an address is obfuscated on purpose, so that programs do not collect it.
fn is_hidden(text: &str) -> bool {
    let text = text.to_lowercase().replace('+', " ");
    [" at ", "-at-", "[at]", "(at)", "{at}", "[@]"].iter().any(|at| text.contains(at))
}

/// Whether a text is a mail address, by the HTML standard's rule for `<input type=email>`, with international
/// letters (RFC 6531) and quoted local parts allowed.
fn is_address(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let quoted = local.len() >= 2 && local.starts_with('"') && local.ends_with('"');
    let plain = |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c);
    let local_is_fine = quoted || (!local.is_empty() && local.chars().all(plain));
    let label_is_fine = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || c == '-')
    };
    local_is_fine
        && (domain.split('.').all(label_is_fine) || (domain.starts_with('[') && domain.ends_with(']')))
}
