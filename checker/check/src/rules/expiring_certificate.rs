//! `expiring-certificate`: the certificate of a live site ends soon.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::start_of_site;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_base::plural::count;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "expiring-certificate",
    category: Category::Live,
    default: Severity::Warn,
    summary: "the certificate of a live site ends soon",
    why: "On that day browsers warn everyone off. Certificates that are renewed by programs are so long before, so one that is close to its \
          end says that this has failed. The option `days` says what is close.",
    bad: r"live:
  certificate 3
index.html:
  <h1>Prices</h1>",
    good: r"live:
  certificate 60
index.html:
  <h1>Prices</h1>",
};

pub(super) static RULE: Registered = Registered::of::<ExpiringCertificate>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ExpiringCertificate {
    /// Days before its end from which on it counts.
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
        let location = start_of_site(live, index.site.tree);
        let left = count(usize::try_from(days).unwrap_or(0), "day");
        found.push(
            RawFinding::new(&INFO, location, format!("the certificate ends in {left}"))
                .help("renew it, and see why that was not done"),
        );
    }
}
