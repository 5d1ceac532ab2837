//! `missing-doctype`: a page that browsers render in quirks mode.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-doctype",
    category: Category::Content,
    default: Severity::Warn,
    summary: "a page has no doctype",
    why: "Browsers render the page in quirks mode: boxes, tables and line heights differ from those of other pages. \
          (Quirks Mode standard; HTML, 13.1.1.)",
    bad: r#"<html lang="en">
  <title>Prices</title>"#,
    good: r#"<!doctype html>
<html lang="en">
  <title>Prices</title>"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    // XHTML has no quirks mode.
    let is_xhtml = view.site.tree.path(view.file).ends_with(b".xhtml");
    if view.is_document() && !is_xhtml && !view.facts.metadata.has_doctype {
        let finding = RawFinding::new(&INFO, view.file, "this page has no doctype");
        found.push(finding.help("start it with <!doctype html>"));
    }
}
