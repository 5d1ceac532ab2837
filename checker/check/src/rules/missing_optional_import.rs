//! `missing-optional-import`: a file that a script can work without does not exist.

use super::broken_reference::failed_load_finding;
use super::rule::Registered;
use crate::index::Index;
use crate::parse::Role;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-optional-import",
    category: Category::Links,
    default: Severity::Warn,
    summary: "a script refers to a file that is not in the export, but may not need it",
    why: "The import is caught, the file is only a default or a preload, or a bundler lists it for a case that may \
          never occur. If the file is needed after all, the load fails.",
    bad: r#"index.html:
  <script type="module" src="/app.js"></script>
app.js:
  import("./extras.js").catch(() => console.info("no extras"));"#,
    good: r#"index.html:
  <script type="module" src="/app.js"></script>
app.js:
  import("./extras.js").catch(() => console.info("no extras"));
extras.js:
  console.info("extras");"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let dead = index.scripts.broken.iter();
    let doubtful = dead.filter(|load| !load.is_required() && load.kind.role() == Role::Load);
    found.extend(doubtful.map(|load| failed_load_finding(&INFO, load, index.site)));
}
