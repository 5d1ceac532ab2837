//! `forbidden-host`: a reference to a host that the contract forbids.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::shown;
use crate::diagnostic::{Category, Diagnostic, Location, RuleInfo, Severity};
use crate::host_name::{host, host_matches};
use crate::index::view::FileView;
use crate::resolve::Target;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "forbidden-host",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a reference leads to a forbidden host",
    why: "A staging server, a former partner, a tracker: nothing on the site may refer \
          to it. `hosts` lists them, with `*.` for any subdomain; without the option the rule finds \
          nothing.",
    bad: r#"sitegate.toml:
  [rules]
  forbidden-host = { hosts = ["*.staging.test"] }
index.html:
  <a href="https://www.staging.test/pricing/">Pricing</a>"#,
    good: r#"sitegate.toml:
  [rules]
  forbidden-host = { hosts = ["*.staging.test"] }
index.html:
  <a href="/pricing/">Pricing</a>"#,
};

pub(super) static RULE: Registered = Registered::of::<ForbiddenHost>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ForbiddenHost {
    /// Hosts that nothing may lead to; `*.` stands for any subdomain.
    hosts: Vec<String>,
}

impl Rule for ForbiddenHost {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<Diagnostic>) {
        if self.hosts.is_empty() {
            return;
        }
        for (_, reference, target) in view.notable() {
            let leaves = matches!(target, Target::External | Target::Unchecked);
            let Some(value) = reference.value.filter(|_| leaves) else { continue };
            let Some(host) = host(view.text(value)) else { continue };
            if self.hosts.iter().any(|pattern| host_matches(host, pattern)) {
                let location = Location::in_file(view.file, reference.span.clone());
                let message = format!("the contract forbids references to `{}`", shown(host));
                found.push(Diagnostic::reference(&INFO, location, message).cause(host));
            }
        }
    }
}
