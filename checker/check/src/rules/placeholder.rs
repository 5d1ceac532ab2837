//! `placeholder`: a placeholder host that was not replaced.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::index::external_references::HostUse;
use crate::index::needs::Needs;
use crate::index::site::Site;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use sitegate_base::host_name::{host_matches, is_below};
use sitegate_base::plural;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "placeholder",
    category: Category::Policy,
    default: Severity::Warn,
    summary: "a placeholder host is left in the site",
    why: "example.com and similar hosts are reserved for examples (RFC 2606). A demo link, a mail address or the \
          site's own origin was not filled in. Each host is reported once, with a count. Publishing to any target \
          other than a folder treats this as an error. `hosts` replaces the list of hosts, and `except` removes \
          hosts from it.",
    bad: r#"<a href="mailto:hello@example.com">Write to us</a>"#,
    good: r#"<a href="mailto:hello@acme.org">Write to us</a>"#,
};

pub(super) static RULE: Registered = Registered::new::<Placeholder>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Placeholder {
    /// Placeholder hosts, each with all its subdomains.
    hosts: Vec<String>,
    /// Hosts among them that are intended.
    except: Vec<String>,
}

impl Default for Placeholder {
    fn default() -> Self {
        let hosts = ["example.com", "example.net", "example.org", "example.edu", "example"];
        Placeholder { hosts: hosts.map(str::to_owned).to_vec(), except: Vec::new() }
    }
}

impl Rule for Placeholder {
    fn needs(&self, needs: &mut Needs) {
        needs.hosts = true;
    }

    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        for (host, HostUse { count, first: (file, span) }) in
            index.hosts.iter().filter(|(host, _)| self.has(host))
        {
            let more = match count {
                1 => String::new(),
                n => format!(" ({})", plural::count(n - 1, "more reference")),
            };
            let message = format!("placeholder host: `{host}`{more}");
            found.push(RawFinding::reference(&INFO, (*file, span), message).cause(host.as_ref()));
        }
        let origin = index.site.settings.origin.as_ref().and_then(url::Url::host_str);
        if let Some(host) = origin.filter(|host| self.has(host)) {
            let message = format!("placeholder host: `{host}` is the site's own origin");
            found.push(RawFinding::new(&INFO, origin_location(index.site), message));
        }
    }
}

/// Returns the location of the origin in the contract. If the origin was inferred: the start page, or the first page.
fn origin_location(site: &Site<'_>) -> Location {
    let stated = site.contract.site.origin.is_some();
    match site.tree.home().or_else(|| site.pages().next()) {
        Some(page) if !stated => page.into(),
        _ => Location::in_contract(site.contract.site.origin_key.clone()),
    }
}

impl Placeholder {
    fn has(&self, host: &str) -> bool {
        let listed = |hosts: &[String]| hosts.iter().any(|h| host_matches(host, h) || is_below(host, h));
        listed(&self.hosts) && !listed(&self.except)
    }
}
