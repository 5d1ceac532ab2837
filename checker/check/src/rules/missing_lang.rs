//! `missing-lang`: a page does not declare its language.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, Certainty, Location, MarkupChange, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-lang",
    category: Category::Metadata,
    default: Severity::Warn,
    summary: "a page does not declare its language",
    why: "Screen readers choose the voice by it; browsers choose hyphenation and quotes, and offer translations. \
          (HTML 3.2.6.2, WCAG 3.1.1.)",
    bad: r"<!doctype html>
<html>
  <title>Prices</title>",
    good: r#"<!doctype html>
<html lang="en">
  <title>Prices</title>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let about = &view.facts.metadata;
    if view.is_document() && !about.has_lang {
        let location = Location::in_file(view.file, about.html.clone().unwrap_or(0..0));
        found.push(
            RawFinding::new(&INFO, location, "the page does not declare its language")
                .help("set it on the html element: <html lang=\"en\">")
                .markup_fix(Certainty::Likely, "it is the language of the home page", MarkupChange::Language),
        );
    }
}
