//! `invalid-url`: a reference that the URL standard cannot parse.

use super::messages::invalid_url_message;
use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-url",
    category: Category::Links,
    default: Severity::Error,
    summary: "a reference is not a valid URL",
    why: "Browsers do not follow it: the URL standard's parser rejects its host or port. This check needs no \
          network.",
    bad: r#"<a href="https://example.com:port/">Status</a>"#,
    good: r#"<a href="https://example.com:8443/">Status</a>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        let Target::Invalid(error) = target else { continue };
        let text = view.text_of(reference);
        found.push(RawFinding::reference(
            &INFO,
            (view.file, &reference.span),
            invalid_url_message(text, error),
        ));
    }
}
