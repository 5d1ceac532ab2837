//! `missing-index`: a link to a directory that has no index document.

use serde::Deserialize;

use super::{Category, Rule, RuleInfo, build_from, explain_missing, missing, shown};
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::href::Reason;
use crate::index::PageView;
use crate::parse::Role;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-index",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link leads to a directory that has no index.html",
    why: "A static host serves a directory by its index document; without one it answers 404, or 403, or a \
          listing that nobody wanted to publish.",
    bad: r#"<a href="/downloads/">Downloads</a>   (downloads/ holds only files)"#,
    good: r#"<a href="/downloads/">Downloads</a>   (with downloads/index.html)"#,
    build: build_from::<MissingIndex>,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MissingIndex {}

impl Rule for MissingIndex {
    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        for (reference, reason) in missing(view) {
            if reference.kind.role == Role::Load || reason != Reason::NoIndex {
                continue;
            }
            let text = reference.value.map_or("", |value| view.page.str(value));
            let (_, help) = explain_missing(view, reference, reason);
            let message = format!("`{}` is a directory without index.html", shown(text));
            let location = Location::in_file(view.page.file, reference.span.clone());
            let mut diagnostic = Diagnostic::reference(&INFO, location, message);
            diagnostic.help = help.map(Into::into);
            found.push(diagnostic);
        }
    }
}
