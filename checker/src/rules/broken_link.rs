//! `broken-link`: a link to a page or file that is not in the export.

use serde::Deserialize;

use super::{Category, Rule, RuleInfo, build_from, explain_missing, missing, shown};
use crate::diagnostic::{Diagnostic, Location, Severity};
use crate::href::Reason;
use crate::index::PageView;
use crate::parse::Role;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-link",
    category: Category::Links,
    default: Severity::Error,
    summary: "a link leads to a page or file that is not in the export",
    why: "Whoever follows it gets the 404 page. The path is resolved as the URL standard says, against the \
          document's base URL, and compared byte for byte with the names in the export, as hosts do.",
    bad: r#"<a href="/pricng">Pricing</a>"#,
    good: r#"<a href="/pricing">Pricing</a>"#,
    build: build_from::<BrokenLink>,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BrokenLink {}

impl Rule for BrokenLink {
    fn check_page(&self, view: &PageView<'_>, found: &mut Vec<Diagnostic>) {
        for (reference, reason) in missing(view) {
            if reference.kind.role == Role::Load || reason == Reason::NoIndex {
                continue;
            }
            let text = reference.value.map_or("", |value| view.page.str(value));
            let (why, help) = explain_missing(view, reference, reason);
            let message = format!("`{}` leads nowhere: {why}", shown(text));
            let location = Location::in_file(view.page.file, reference.span.clone());
            let mut diagnostic = Diagnostic::reference(&INFO, location, message);
            diagnostic.help = help.map(Into::into);
            found.push(diagnostic);
        }
    }
}
