//! `bad-refresh`: a meta refresh that browsers ignore.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::diagnostic::{Category, Cause, Diagnostic, Location, RuleInfo, Severity};
use crate::index::view::FileView;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "bad-refresh",
    category: Category::Links,
    default: Severity::Error,
    summary: "a meta refresh is written so that browsers ignore it",
    why: "The page stays where it should move on. The HTML standard wants a number of seconds first, then `;` or \
          `,` or a space, then the address with or without `url=`.",
    bad: r#"<meta http-equiv="refresh" content="3x;url=/pricing/">"#,
    good: r#"<meta http-equiv="refresh" content="3; url=/pricing/">"#,
};

pub(super) static RULE: Registered = Registered::of::<BadRefresh>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BadRefresh {}

impl Rule for BadRefresh {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<Diagnostic>) {
        found.extend(view.facts.idle_refreshes.iter().map(|span| {
            let location = Location::in_file(view.file, span.clone());
            Diagnostic::reference(&INFO, location, "no browser obeys this refresh")
                .cause(Cause::Message)
                .help("write it as `3; url=/new`")
        }));
    }
}
