//! `missing-not-found-page`: a host that answers unknown paths with a page and status 200, or not with that of the site.

use super::messages::shorten;
use super::queries::{redirect_location, runs_code};
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use sitegate_host::answer::NOT_FOUND;

/// A not-found page as generators with clean addresses write it.
const IN_FOLDER: &[u8] = b"404/index.html";

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "missing-not-found-page",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "the host does not answer unknown paths with the not-found page of the site",
    why: "Without a 404.html in the root folder, Cloudflare Pages takes the export for a single-page application: \
          each unknown path gets the home page with status 200. Broken links look alive, search engines index copies \
          of the home page, and a missing script or style is HTML (\"Serving Pages\" in its documentation). Not \
          reported for an export of one page. Also reported: a rewrite of all paths to the not-found page, which \
          sends 200 with it; and 404/index.html without 404.html, if `site.host` reads only the latter.",
    bad: r#"sitegate.toml:
  [site]
  host = "cloudflare-pages"
index.html:
  <a href="/prices">Prices</a>
prices.html:
  <h1>Prices</h1>"#,
    good: r#"sitegate.toml:
  [site]
  host = "cloudflare-pages"
index.html:
  <a href="/prices">Prices</a>
prices.html:
  <h1>Prices</h1>
404.html:
  <h1>Not found</h1>"#,
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    for redirect in &site.resolver.redirects().all {
        if redirect.from != "/*" || redirect.status != 200 {
            continue;
        }
        if let Target::File { file, .. } = site.resolver.resolve_redirect(&redirect.to)
            && site.is_error_page(file)
        {
            let to = shorten(&redirect.to);
            let message = format!("`{to}` answers unknown paths with 200, as if they existed");
            let finding = RawFinding::reference(&INFO, redirect_location(site.tree, redirect), message);
            found.push(finding.help("remove the line: hosts send this page with 404 by themselves"));
        }
    }
    // A redirect for every other path comes first.
    let mut redirects = site.resolver.redirects().all.iter();
    let answers_all = redirects.any(|redirect| redirect.from == "/*" && !redirect.is_conditional());
    if site.live().is_some() || answers_all || runs_code(site.tree) {
        return;
    }
    let misplaced = site.tree.find(IN_FOLDER).filter(|_| site.tree.find(NOT_FOUND.as_bytes()).is_none());
    let help = misplaced.map(|_| format!("404/index.html is not the page of this host: name it {NOT_FOUND}"));
    if let Some(home) = site.home_page_fallback() {
        if index.pages.entries.len() > 1 {
            let message = format!(
                "missing not-found page: the host answers unknown paths with the home page and 200; add `{NOT_FOUND}`"
            );
            found.push(RawFinding::new(&INFO, home, message).help_if(help));
        }
    } else if let Some(page) = misplaced
        && site.settings.host.is_some_and(|host| host.facts().has_fixed_not_found_page)
    {
        let message =
            format!("missing not-found page: the host answers unknown paths with `{NOT_FOUND}` only");
        found.push(RawFinding::new(&INFO, page, message).help_if(help));
    }
}
