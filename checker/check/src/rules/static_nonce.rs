//! `static-nonce`: a policy allows an element by a nonce in a file, which never changes.

use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, Cause, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "static-nonce",
    category: Category::Security,
    default: Severity::Warn,
    summary: "the Content-Security-Policy allows an element by a nonce that never changes",
    why: "A nonce protects only if each response has another one. That of a static file is public, so that injected \
          code can use it: it protects no more than 'unsafe-inline'. Hashes suit static files. (CSP Level 3, 7.1.)",
    bad: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { Content-Security-Policy = "script-src 'nonce-r4nd0m'" }
index.html:
  <script nonce="r4nd0m">document.title = "Prices";</script>"#,
    good: r#"sitegate.toml:
  [[headers]]
  paths = ["/**"]
  set = { Content-Security-Policy = "script-src 'auto'" }
index.html:
  <script>document.title = "Prices";</script>"#,
};

pub(super) static RULE: Registered =
    Registered::of_site(&INFO, check_site).needing(|needs| needs.policies = true);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    // A server may insert a nonce into each response.
    if index.site.live().is_some() {
        return;
    }
    for (file, span) in &index.policies.static_nonces {
        let message = "static nonce: the policy allows this element by a nonce that never changes";
        let finding = RawFinding::new(&INFO, (*file, span), message);
        found.push(finding.cause(Cause::kind("static nonce")).help("use hashes: `'auto'` in [[headers]]"));
    }
}
