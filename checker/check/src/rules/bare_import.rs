//! `bare-import`: an import of a name that no import map has.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{shown, trail};
use crate::index::Index;
use crate::index::scripts::FaultKind;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "bare-import",
    category: Category::Links,
    default: Severity::Error,
    summary: "a script imports a name that browsers cannot resolve",
    why: "Node.js looks a bare name up in node_modules, browsers look it up in the import map of the page. Where that \
          does not have it, the script does not run (HTML, 8.1.6.2). Imports that are made while a script runs are left \
          out: they are often meant for another place than browsers.",
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

pub(super) static RULE: Registered = Registered::of::<BareImport>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BareImport {}

impl Rule for BareImport {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for fault in &index.scripts.faults {
            let FaultKind::BareSpecifier(name) = &fault.kind else { continue };
            let trail = trail(&fault.trail, index.site);
            let message = format!(
                "`import` of `{}`, which no import map of the page has an address for{trail}",
                shown(name)
            );
            let location = Location::in_file(fault.file, fault.span.clone());
            let help = format!("bundle it, or give `{}` an address in an import map", shown(name));
            found.push(RawFinding::new(&INFO, location, message).cause(&**name).help(help));
        }
    }
}
