//! `missing-icon`: a page without an icon.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::ReferenceKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-icon",
    category: Category::Metadata,
    default: Severity::Off,
    summary: "a page has no icon",
    why: "Tabs, bookmarks and search results show a blank icon, and browsers request /favicon.ico and get a 404. Add \
          a link to an icon, or that file. (HTML, 4.6.7.8.)",
    bad: "<title>Prices</title>",
    good: r#"<title>Prices</title>
<link rel="icon" href="/icon.svg">"#,
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let is_icon = |reference: &crate::parse::Reference| reference.kind == ReferenceKind::LinkIcon;
    let at_root = || view.site.settings.base_path == "/" && view.site.tree.find(b"favicon.ico").is_some();
    if !view.site.is_whole() {
        return;
    }
    if view.is_document() && !view.facts.references.iter().any(is_icon) && !at_root() {
        let finding = RawFinding::new(&INFO, view.file, "this page has no icon");
        found.push(finding.help("add <link rel=\"icon\">, or the file /favicon.ico"));
    }
}
