//! `broken-import`: a module, chunk, worker or file that a script loads and that is not there.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::dead_load;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_script::Grade;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-import",
    category: Category::Links,
    default: Severity::Error,
    summary: "a script loads a module, chunk, worker, style sheet or file that is not in the export",
    why: "What asks for it fails: where a static import is missing, the whole script does not run, and browsers raise \
          no error that a page could see. Scripts are read from what pages run on: import, import(), new Worker(), \
          importScripts(), service workers, new URL(…, import.meta.url), and the chunks and style sheets of bundlers. \
          Addresses that are computed while a script runs are counted, and not guessed.",
    bad: r#"index.html:
  <script type="module" src="/app.js"></script>
app.js:
  import { open } from "./dialogue.js";
  open();
dialog.js:
  export function open() {}"#,
    good: r#"index.html:
  <script type="module" src="/app.js"></script>
app.js:
  import { open } from "./dialog.js";
  open();
dialog.js:
  export function open() {}"#,
};

pub(super) static RULE: Registered = Registered::of::<BrokenImport>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BrokenImport {}

impl Rule for BrokenImport {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let dead = index.scripts.broken.iter().filter(|load| load.grade == Grade::Required);
        found.extend(dead.map(|load| dead_load(&INFO, load, index.site)));
    }
}
