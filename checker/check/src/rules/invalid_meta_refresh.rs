//! `invalid-meta-refresh`: a meta refresh that browsers ignore.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::view::FileView;
use crate::raw_finding::{Category, Cause, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "invalid-meta-refresh",
    category: Category::Links,
    default: Severity::Error,
    summary: "a meta refresh is written so that browsers ignore it",
    why: "The page stays where it should move on. The HTML standard wants a number of seconds first, then `;` or \
          `,` or a space, then the address with or without `url=`.",
    bad: r#"<meta http-equiv="refresh" content="3x;url=/pricing/">"#,
    good: r#"<meta http-equiv="refresh" content="3; url=/pricing/">"#,
};

pub(super) static RULE: Registered = Registered::of::<InvalidMetaRefresh>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct InvalidMetaRefresh {}

impl Rule for InvalidMetaRefresh {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        found.extend(view.facts.invalid_refreshes.iter().map(|span| {
            let location = Location::in_file(view.file, span.clone());
            RawFinding::reference(&INFO, location, "no browser obeys this refresh")
                .cause(Cause::Message)
                .help("write it as `3; url=/new`")
        }));
    }
}
