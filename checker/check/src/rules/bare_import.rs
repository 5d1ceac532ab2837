//! `bare-import`: a script imports a bare name that no import map defines.

use super::broken_reference::load_chain;
use super::messages::shorten;
use super::rule::Registered;
use crate::index::Index;
use crate::index::scripts::FaultKind;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "bare-import",
    category: Category::Links,
    default: Severity::Error,
    summary: "a script imports a name that browsers cannot resolve",
    why: "Node.js resolves a bare name in node_modules; browsers resolve it in the page's import map. If the map \
          does not define it, the script does not run (HTML, 8.1.6.2). Dynamic imports are not checked: they are \
          often meant for other environments than browsers.",
    bad: r#"index.html:
  <script type="module" src="/app.js"></script>
app.js:
  import { html } from "lit";
  html``;"#,
    good: r#"index.html:
  <script type="importmap">{"imports": {"lit": "/vendor/lit.js"}}</script>
  <script type="module" src="/app.js"></script>
app.js:
  import { html } from "lit";
  html``;
vendor/lit.js:
  export const html = String.raw;"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    for fault in &index.scripts.faults {
        let FaultKind::BareSpecifier(name, is_map_late) = &fault.kind else { continue };
        let trail = load_chain(&fault.trail, index.site);
        let (reason, help) = if *is_map_late {
            (
                "the import map of the page comes after this module",
                "move the import map before all modules".to_owned(),
            )
        } else {
            let help = format!("bundle it, or map `{}` to a URL in an import map", shorten(name));
            ("no import map of the page defines it", help)
        };
        let message = format!("cannot resolve `{}`: {reason}{trail}", shorten(name));
        found.push(RawFinding::new(&INFO, (fault.file, &fault.span), message).cause(&**name).help(help));
    }
}
