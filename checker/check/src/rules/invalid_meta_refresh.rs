//! `invalid-meta-refresh`: a meta refresh that browsers ignore.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-meta-refresh",
    category: Category::Links,
    default: Severity::Error,
    summary: "a meta refresh has a syntax that browsers ignore",
    why: "The page does not redirect. The HTML standard requires a number of seconds, then `;`, `,` or a space, then \
          the URL with or without `url=`.",
    bad: r#"<meta http-equiv="refresh" content="3x;url=/pricing/">"#,
    good: r#"<meta http-equiv="refresh" content="3; url=/pricing/">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    found.extend(view.facts.invalid_refreshes.iter().map(|span| {
        RawFinding::reference(&INFO, (view.file, span), "invalid refresh: browsers ignore it")
            .cause(Cause::Message)
            .help("write it as `3; url=/new`")
    }));
}
