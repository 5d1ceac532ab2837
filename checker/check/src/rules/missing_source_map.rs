//! `missing-source-map`: a script or style sheet refers to a source map that does not exist.

use super::broken_reference::{broken_reference_finding, failed_load_finding};
use super::queries::broken_references;
use super::rule::Registered;
use crate::index::Index;
use crate::index::view::FileView;
use crate::parse::Role;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-source-map",
    category: Category::Files,
    default: Severity::Warn,
    summary: "a script or style sheet refers to a source map that is not in the export",
    why: "Developer tools get a 404, and errors in production cannot be traced back to the source. Visitors notice \
          nothing. Publish the map, or remove the comment (ECMA-426, 11.1).",
    bad: r#"index.html:
  <script src="/app.js"></script>
app.js:
  console.info(1);
  //# sourceMappingURL=app.js.map"#,
    good: r#"index.html:
  <script src="/app.js"></script>
app.js:
  console.info(1);"#,
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    let maps = broken_references(view).filter(|(_, map, _)| map.kind.role() == Role::Debug);
    found.extend(maps.map(|map| {
        broken_reference_finding(&INFO, view, map, &format!("cannot load {}", map.1.kind.description()))
    }));
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let maps = index.scripts.broken.iter().filter(|load| load.kind.role() == Role::Debug);
    found.extend(maps.map(|load| failed_load_finding(&INFO, load, index.site)));
}
