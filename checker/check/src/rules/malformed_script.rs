//! `malformed-script`: a script that does not parse.

use super::broken_reference::load_chain;
use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::scripts::FaultKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "malformed-script",
    category: Category::Files,
    default: Severity::Warn,
    summary: "a script does not parse",
    why: "If the browser's parser agrees, the script does not run, and the files that it loads were not checked. The \
          rule is a warning because the syntax may be newer than the parser.",
    bad: r#"index.html:
  <script src="/app.js"></script>
app.js:
  new Worker("/worker.js";
worker.js:
  postMessage(1);"#,
    good: r#"index.html:
  <script src="/app.js"></script>
app.js:
  new Worker("/worker.js");
worker.js:
  postMessage(1);"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for fault in &index.scripts.faults {
        let FaultKind::Unreadable(reason) = &fault.kind else { continue };
        // A file that is no script at all is reported as damaged-file.
        if index.damaged.binary_search_by_key(&fault.file, |(file, _)| *file).is_ok() {
            continue;
        }
        let trail = load_chain(&fault.trail, index.site);
        let message = format!("this script does not parse: {}{trail}", shorten(reason.trim_end_matches('.')));
        found.push(RawFinding::new(&INFO, (fault.file, &fault.span), message));
    }
}
