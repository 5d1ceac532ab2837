//! `missing-title`: a page without a title, or with an empty one.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::index::view::FileView;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-title",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a page has no title",
    why: "The title is what tabs, bookmarks, search results and screen readers call the page. (HTML \
          4.2.2, WCAG 2.4.2.)",
    bad: r#"<head><meta charset="utf-8"></head>"#,
    good: r#"<head><meta charset="utf-8"><title>Prices – Acme</title></head>"#,
};

pub(super) static RULE: Registered = Registered::of::<MissingTitle>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingTitle {}

impl Rule for MissingTitle {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<Diagnostic>) {
        let about = &view.facts.about;
        if view.is_document() && view.facts.title().is_empty() {
            let location = Location::in_file(
                view.file,
                about.title.as_ref().map_or(0..0, |(_, place)| place.start..place.start),
            );
            found.push(Diagnostic::new(
                &INFO,
                location,
                if about.title.is_some() { "the title is empty" } else { "this page has no title" },
            ));
        }
    }
}
