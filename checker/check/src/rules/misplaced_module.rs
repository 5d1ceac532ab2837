//! `misplaced-module`: a module that runs as a classic script.

use super::broken_reference::load_chain;
use super::rule::Registered;
use crate::index::Index;
use crate::index::scripts::FaultKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "misplaced-module",
    category: Category::Content,
    default: Severity::Error,
    summary: "a module runs as a classic script",
    why: "`import`, `export` and `import.meta` are syntax errors outside of modules: the whole script does not run.",
    bad: r#"index.html:
  <script src="/app.js"></script>
app.js:
  export const version = 1;"#,
    good: r#"index.html:
  <script type="module" src="/app.js"></script>
app.js:
  export const version = 1;"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for fault in index.scripts.faults.iter().filter(|fault| fault.kind == FaultKind::RunAsClassic) {
        let trail = load_chain(&fault.trail, index.site);
        let message = format!("module syntax in a classic script: the script does not run{trail}");
        let help = "set `type=\"module\"` on the script element or in the worker's options";
        found.push(RawFinding::new(&INFO, (fault.file, &fault.span), message).help(help));
    }
}
