//! `forbidden-host`: a reference to a host that the contract forbids.

use schemars::JsonSchema;
use serde::Deserialize;

use super::messages::shorten;
use super::queries::redirect_location;
use super::rule::{Registered, Rule, not_empty};
use crate::index::Index;
use crate::index::view::FileView;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_base::host_name::host_matches;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "forbidden-host",
    category: Category::Policy,
    default: Severity::Error,
    summary: "a reference points to a forbidden host",
    why: "A staging server, a former partner, a tracker: the site must not refer to it. `hosts` lists the hosts; \
          `*.` matches any subdomain. Without the option the rule reports nothing.",
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

pub(super) static RULE: Registered = Registered::new::<ForbiddenHost>(&INFO);

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ForbiddenHost {
    /// Hosts that the site must not refer to; `*.` matches any subdomain.
    #[serde(deserialize_with = "not_empty")]
    hosts: Vec<String>,
}

impl ForbiddenHost {
    fn forbids(&self, host: &str) -> bool {
        self.hosts.iter().any(|pattern| host_matches(host, pattern))
    }
}

fn message(host: &str) -> String {
    format!("forbidden host: `{}`", shorten(host))
}

impl Rule for ForbiddenHost {
    fn check_file(&self, view: &FileView<'_>, found: &mut Vec<RawFinding>) {
        if self.hosts.is_empty() {
            return;
        }
        for (_, reference, target) in view.unusual() {
            let text = view.text_of(reference);
            let host = match target {
                Target::External | Target::Unchecked => view.base.host(text),
                Target::Scheme => view.base.named_host(text),
                _ => None,
            };
            let Some(host) = host.filter(|host| self.forbids(host)) else { continue };
            let finding = RawFinding::reference(&INFO, (view.file, &reference.span), message(&host));
            found.push(finding.cause(&*host));
        }
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for load in index.scripts.external.iter().filter(|load| self.forbids(&load.host)) {
            let finding = RawFinding::new(&INFO, (load.file, &load.span), message(&load.host));
            found.push(finding.cause(&*load.host));
        }
        if self.hosts.is_empty() {
            return;
        }
        let root = index.site.resolver.root();
        for redirect in &index.site.resolver.redirects().all {
            let Some(host) = root.named_host(&redirect.to).filter(|host| self.forbids(host)) else {
                continue;
            };
            let location = redirect_location(index.site.tree, redirect);
            found.push(RawFinding::new(&INFO, location, message(&host)).cause(&*host));
        }
    }
}
