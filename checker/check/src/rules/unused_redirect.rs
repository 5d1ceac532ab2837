//! `unused-redirect`: a redirect that never applies, because the export has a file with its path.

use super::messages::shorten;
use super::queries::redirect_location;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unused-redirect",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a redirect never applies, because a file has its path",
    why: "Some hosts, such as Netlify, serve a file before they try the redirects. So visitors of the old path still \
          get the old page. Reported if `site.host` says what the host does. Redirects with patterns are not checked.",
    bad: r#"sitegate.toml:
  [site]
  host = "netlify"
_redirects:
  /prices.html  /pricing/
prices.html:
  <h1>Prices of last year</h1>"#,
    good: r#"sitegate.toml:
  [site]
  host = "netlify"
_redirects:
  /prices.html  /pricing/"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    if site.settings.host.is_none() || site.live().is_some() {
        return;
    }
    let redirects = site.resolver.redirects().all.iter();
    for redirect in redirects.filter(|one| one.is_http_redirect() && !one.force && !one.is_pattern()) {
        if site.resolver.has_file(&redirect.from) {
            let from = shorten(&redirect.from);
            let message = format!("unused redirect: the host serves the file of `{from}` instead");
            let location = redirect_location(site.tree, redirect);
            found.push(
                RawFinding::reference(&INFO, location, message).help("remove the file, or the redirect"),
            );
        }
    }
}
