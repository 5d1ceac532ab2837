//! `missing-source-map`: a script or a style sheet whose source map is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{dead, dead_load, missing};
use crate::index::Index;
use crate::index::view::FileView;
use crate::parse::Role;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-source-map",
    category: Category::Files,
    default: Severity::Warn,
    summary: "a script or style sheet names a source map that is not in the export",
    why: "Whoever opens the developer tools gets a 404, and errors that are reported from the field cannot be traced \
          back to the source. Visitors notice nothing. Either publish the map, or take the comment out \
          (ECMA-426, 11.1).",
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

pub(super) static RULE: Registered = Registered::of::<MissingSourceMap>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MissingSourceMap {}

impl Rule for MissingSourceMap {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        let maps = missing(view).filter(|(_, map, _)| map.kind.role() == Role::Debug);
        found.extend(maps.map(|map| {
            let place = map.1.kind.description();
            dead(&INFO, view, map, |map, why| format!("{place} `{map}` cannot be loaded: {why}"))
        }));
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let maps = index.scripts.broken.iter().filter(|load| load.kind.role() == Role::Debug);
        found.extend(maps.map(|load| dead_load(&INFO, load, index.site)));
    }
}
