//! `redirect-chain`: a redirect to another redirect.

use super::messages::shorten;
use super::queries::redirect_location;
use super::redirect_pages::report_chains;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::{Route, Target};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "redirect-chain",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a redirect points to another redirect",
    why: "Each redirect costs a round trip, and search engines follow only a few. Redirect pages \
          (meta refresh) count as redirects, too.",
    bad: r"_redirects:
  /prices.html  /prices
  /prices       /pricing/",
    good: r"_redirects:
  /prices.html  /pricing/
  /prices       /pricing/",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    report_chains(index, &INFO, found);
    let resolver = &index.site.resolver;
    for redirect in resolver.redirects().all.iter().filter(|redirect| redirect.is_http_redirect()) {
        if let Target::File { route: Route::Redirect, .. } = resolver.resolve_redirect(&redirect.to) {
            let location = redirect_location(index.site.tree, redirect);
            let message = format!("redirect chain: `{}` redirects again", shorten(&redirect.to));
            let finding = RawFinding::reference(&INFO, location, message);
            found.push(finding.help("point it to the final destination"));
        }
    }
}
