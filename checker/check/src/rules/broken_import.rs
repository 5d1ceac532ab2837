//! `broken-import`: a script loads a module, chunk, worker or file that does not exist.

use super::broken_reference::failed_load_finding;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-import",
    category: Category::Links,
    default: Severity::Error,
    summary: "a script loads a module, chunk, worker, style sheet or file that is not in the export",
    why: "The load fails. If a static import is missing, the whole script does not run, and the page cannot detect \
          the error. Checked in every script that pages run: import, import(), new Worker(), importScripts(), \
          service workers, new URL(…, import.meta.url), and the chunks and style sheets of bundlers. URLs that are \
          computed at run time are counted, but not checked. If the script catches the error, the finding is a \
          `missing-optional-import`, unless the file name has a content hash: then the same build wrote both.",
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

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let dead = index.scripts.broken.iter().filter(|load| load.is_required());
    found.extend(dead.map(|load| failed_load_finding(&INFO, load, index.site)));
}
