//! `malformed-file`: an SVG, sitemap, feed, manifest or JSON-LD block that does not parse.

use super::rule::Registered;
use crate::index::view::FileView;
use crate::parse::Damage;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "malformed-file",
    category: Category::Files,
    default: Severity::Warn,
    summary: "an SVG or XML file, manifest or JSON-LD block does not parse",
    why: "Browsers, feed readers and search engines drop the whole file. The part before the error was checked, the \
          part after it was not.",
    bad: r"sitemap.xml:
  <urlset><url><loc>https://www.example.com/</url></urlset>",
    good: r"sitemap.xml:
  <urlset><url><loc>https://www.example.com/</loc></url></urlset>",
};

pub(super) static RULE: Registered = Registered::of_files(&INFO, check_file);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    // Other content than the extension promises is reported as damaged-file.
    if view.facts.damage.is_some_and(|damage| damage != Damage::NoNamespace) {
        return;
    }
    found.extend(view.facts.malformed.iter().map(|malformed| {
        let location = Location::in_file(view.file, malformed.span.clone());
        let message = format!("this {} does not parse: {}", malformed.format, malformed.reason);
        RawFinding::new(&INFO, location, message)
    }));
}
