//! `invalid-tel`: a tel link without a valid number.

use std::borrow::Cow;

use sitegate_address::percent;

use super::messages::invalid_scheme_findings;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-tel",
    category: Category::Links,
    default: Severity::Error,
    summary: "a tel link has no number, or letters instead of digits",
    why: "Tapping it dials nothing. RFC 3966 requires digits with -.() between them, and a + before an international \
          number. `;ext=` may follow, and pauses: `,`, `;`, `p` and `w` (RFC 2806).",
    bad: r#"<a href="tel:CALL-NOW">Call us</a>"#,
    good: r#"<a href="tel:+1-555-0100">Call us</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    found.extend(invalid_scheme_findings(&INFO, view, "tel:", fault));
}

/// Returns what is wrong with the text after `tel:`.
fn fault(rest: &str) -> Option<Cow<'static, str>> {
    let number = rest.split([';', '?', '#']).next().unwrap_or("");
    let number = percent::decode_lossy(number);
    let number = number.trim();
    // `,`, and `p` and `w` of RFC 2806, are pauses; `;` ends the number, or waits.
    let can_be_dialed = |c: char| c.is_ascii_digit() || "+-.() */,pPwW\u{a0}#".contains(c);
    let fault = if number.is_empty() {
        "has no number"
    } else if !number.chars().all(can_be_dialed) {
        "has characters that a telephone cannot dial"
    } else if !number.contains(|c: char| c.is_ascii_digit() || c == '*') {
        "has no digit"
    } else {
        return None;
    };
    Some(fault.into())
}
