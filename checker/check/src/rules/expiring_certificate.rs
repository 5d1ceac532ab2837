//! `expiring-certificate`: a live site's certificate expires soon.

use schemars::JsonSchema;
use serde::Deserialize;

use super::queries::start_page_location;
use super::rule::{Registered, Rule};
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "expiring-certificate",
    category: Category::Live,
    default: Severity::Warn,
    summary: "a live site's certificate expires soon",
    why: "Browsers block a site with an expired certificate. Automatic renewal happens long before, so a certificate \
          that is close to expiry means that renewal failed. `days` sets the minimum of days left.",
    bad: r"live:
  certificate 3
index.html:
  <h1>Prices</h1>",
    good: r"live:
  certificate 60
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::new::<ExpiringCertificate>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ExpiringCertificate {
    /// Minimum number of days until the certificate expires.
    days: i64,
}

impl Default for ExpiringCertificate {
    fn default() -> Self {
        ExpiringCertificate { days: 10 }
    }
}

impl Rule for ExpiringCertificate {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let Some(live) = index.site.live() else { return };
        let Some(days) = live.server_behavior.certificate_days.filter(|days| *days < self.days) else {
            return;
        };
        let location = start_page_location(live, index.site.tree);
        let left = count(usize::try_from(days).unwrap_or(0), "day");
        let finding = RawFinding::new(&INFO, location, format!("the certificate expires in {left}"));
        found.push(finding.help("renew it, and check why automatic renewal failed"));
    }
}
