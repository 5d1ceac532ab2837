//! `unused-redirect`: a redirect that never applies, because a file or an earlier redirect answers its paths.

use super::messages::shorten;
use super::queries::{is_of_contract, redirect_location};
use super::rule::Registered;
use crate::index::Index;
use crate::index::site::Site;
use crate::raw_finding::{Category, RawFinding, RuleInfo, Severity};
use sitegate_host::REDIRECTS_FILE;
use sitegate_host::redirects::{Redirect, RedirectOrigin, Redirects, redirect_key};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unused-redirect",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a redirect never applies, because a file or an earlier redirect answers its paths",
    why: "Some hosts, such as Netlify, serve a file before they try the redirects. So visitors of the old path still \
          get the old page. Reported if `site.host` says what the host does, and not for patterns. In `_redirects`, \
          the first line that matches a path decides: a line after `/*` never applies (Netlify, \"Rule processing \
          order\"). Not reported if both lines have the same destination. Also reported is a `from` of \
          the contract with the base path, since all are below it.",
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
    if site.live().is_some() {
        return;
    }
    let redirects = site.resolver.redirects();
    let mut add = |redirect: &Redirect, message: String, help: &str| {
        let location = redirect_location(site.tree, redirect);
        found.push(RawFinding::reference(&INFO, location, message).help(help));
    };
    for redirect in &redirects.all {
        let is_plain = redirect.is_http_redirect() && !redirect.force && !redirect.is_pattern();
        if is_of_contract(site.contract, redirect)
            && let Some(below) = without_base_path(site, &redirect.from)
        {
            let (base, from) = (&site.settings.base_path, shorten(&redirect.from));
            let message = format!(
                "unused redirect: `from` is below the base path `{base}`, so this redirects `{}{}`",
                base.trim_end_matches('/'),
                from
            );
            let help = match below {
                "" => "remove it: this is the address of the home page".to_owned(),
                below => format!("write `from` without the base path: `{}`", shorten(below)),
            };
            add(redirect, message, &help);
        } else if site.settings.host.is_some() && is_plain && site.resolver.has_file(&redirect.from) {
            let from = shorten(&redirect.from);
            let message = format!("unused redirect: the host serves the file of `{from}` instead");
            add(redirect, message, "remove the file, or the redirect");
        } else if let Some(first) = earlier_line(redirects, redirect) {
            let (from, first) = (shorten(&redirect.from), shorten(&first.from));
            let message =
                format!("unused redirect: a line before it, `{first}`, matches all paths of `{from}`");
            add(redirect, message, "move it before that line, or remove it");
        }
    }
}

/// Returns the rest of a path that begins with the base path, unless a folder of the export has the same name.
fn without_base_path<'f>(site: &Site<'_>, from: &'f str) -> Option<&'f str> {
    let bare = site.settings.base_path.trim_end_matches('/');
    let below = from.strip_prefix(bare).filter(|below| below.is_empty() || below.starts_with('/'))?;
    let is_folder = || site.tree.is_folder(bare.trim_start_matches('/').as_bytes());
    (!bare.is_empty() && !is_folder()).then_some(below)
}

/// Returns the line of the redirects file before a redirect that answers all of its requests in another way. The
/// patterns of other files are read approximately.
fn earlier_line<'r>(redirects: &'r Redirects, redirect: &Redirect) -> Option<&'r Redirect> {
    let is_line = |one: &Redirect| one.origin == RedirectOrigin::File(REDIRECTS_FILE);
    if !is_line(redirect) {
        return None;
    }
    let first = redirects.shadowing(redirect).filter(|first| is_line(first))?;
    // With and without a slash at the end, some hosts have two paths, others one.
    let is_twin = first.from != redirect.from && redirect_key(&first.from) == redirect_key(&redirect.from);
    (first.to != redirect.to && !is_twin).then_some(first)
}
