//! `broken-redirect`: a redirect that is broken, loops, or is malformed.

use super::messages::{broken_redirect_message, invalid_url_message, shorten};
use super::queries::{REDIRECT_RULE, redirect_location, reported_redirect};
use super::redirect_pages::report_loops;
use super::rule::Registered;
use crate::index::Index;
use crate::index::view::FileView;
use crate::parse::Format;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::fragment::is_route;
use crate::resolve::{Reason, Resolver, Target, fragment};
use sitegate_host::REDIRECTS_FILE;
use sitegate_host::redirects::{MAX_HOPS, Redirect};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: REDIRECT_RULE,
    category: Category::Links,
    default: Severity::Error,
    summary: "a redirect is broken, loops, or is malformed",
    why: "Redirects keep links to old URLs alive. This one ends in a 404, at an anchor that does not exist, or in the \
          browser's “too many redirects”. Read are the contract, the file that its `site.host-config` names, and in \
          the export `_redirects`, vercel.json, netlify.toml, firebase.json and staticwebapp.config.json. Links to a \
          broken redirect have the same cause. So does a page that its own meta refresh replaces: it reloads forever. A destination with placeholders (:splat) is checked at each link that \
          uses it.",
    bad: r"_redirects:
  /prices.html  /pricng/",
    good: r"_redirects:
  /prices.html  /pricing/",
};

pub(super) static RULE: Registered = Registered::of_both(&INFO, check_file, check_site);

/// Reports references to broken redirects, with the cause of the redirect, which is the one to fix.
fn check_file(view: &FileView<'_>, found: &mut Vec<RawFinding>) {
    for (_, reference, target) in view.unusual() {
        let text = reference.value.map_or("", |value| view.text(value));
        if let Some(to) = reported_redirect(view, text, target) {
            let message = format!("broken redirect: {}", broken_redirect_message(text.trim(), &to));
            let location = Location::in_file(view.file, reference.span.clone());
            found.push(RawFinding::reference(&INFO, location, message).cause(to));
        }
    }
}

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    report_loops(index, found);
    let resolver = &index.site.resolver;
    let file = index.site.tree.find(REDIRECTS_FILE.as_bytes());
    let redirects = resolver.redirects();
    for (span, fault) in &redirects.malformed {
        let Some(file) = file else { continue };
        let location = Location::in_file(file, span.clone());
        found.push(RawFinding::new(&INFO, location, format!("malformed redirect: {fault}")));
    }
    for redirect in redirects.all.iter().filter(|redirect| !redirect.has_placeholders()) {
        let location = redirect_location(index.site.tree, redirect);
        let to = shorten(&redirect.to);
        let loop_from = |from: &str| loop_paths(resolver, index.site.settings.host.is_some(), from);
        let looping = if redirect.is_pattern() { None } else { loop_from(&redirect.from) };
        if let Some(paths) = looping {
            let message = loop_message(&paths);
            found.push(RawFinding::reference(&INFO, location, message));
            continue;
        }
        match resolver.resolve_redirect(&redirect.to, 1) {
            Target::Missing(Reason::BrokenRedirect) => {
                let path = resolver.local_path(&resolver.root(), &redirect.to);
                let next: Option<(&Redirect, String)> = path.and_then(|path| resolver.last_redirect(path));
                // The next redirect has its own finding.
                let Some((_, end)) = next.filter(|(next, _)| next.has_placeholders()) else { continue };
                let message = format!("broken redirect: {}", broken_redirect_message(&redirect.to, &end));
                found.push(RawFinding::reference(&INFO, location, message).cause(end));
            }
            Target::Missing(Reason::RedirectLoop) => {
                let message = format!("broken redirect: `{to}` redirects in a loop");
                found.push(RawFinding::reference(&INFO, location, message));
            }
            Target::Missing(_) => {
                let message = format!("broken redirect: `{to}` does not exist");
                found.push(RawFinding::reference(&INFO, location, message).cause(redirect.to.as_str()));
            }
            Target::File { file: page, .. } if index.site.format(page) == Format::Html => {
                let Some(wanted) = fragment(&redirect.to).filter(|wanted| !wanted.is_top()) else {
                    continue;
                };
                if !is_route(&wanted.decoded) && !index.has_anchor(page, &wanted.decoded) {
                    let message = format!("broken redirect: `{to}` has no such anchor");
                    found.push(RawFinding::reference(&INFO, location, message));
                }
            }
            Target::Invalid(error) => {
                let message = invalid_url_message(&redirect.to, error);
                found.push(RawFinding::reference(&INFO, location, message));
            }
            _ => {}
        }
    }
}

/// Returns the paths of a loop that begins at a path, which end with a repeated one or at the limit of hops.
fn loop_paths(resolver: &Resolver<'_>, is_host_known: bool, from: &str) -> Option<Vec<String>> {
    let mut paths = vec![from.to_owned()];
    for _ in 0..MAX_HOPS {
        let path = paths.last()?;
        match resolver.redirects().find(path) {
            // The host serves the file of this path.
            Some((redirect, _)) if is_host_known && !redirect.force && resolver.has_file(path) => {
                return None;
            }
            // A rewrite to the same path, such as `/* /index.html 200`, serves the file.
            Some((redirect, to)) if redirect.is_http_redirect() && to.starts_with('/') => {
                let is_repeated =
                    paths.iter().any(|known| known.trim_end_matches('/') == to.trim_end_matches('/'));
                paths.push(to);
                if is_repeated {
                    break;
                }
            }
            _ => return None,
        }
    }
    Some(paths)
}

fn loop_message(paths: &[String]) -> String {
    match paths {
        [from, _] => format!("redirect loop: `{}` redirects to itself", shorten(from)),
        paths => {
            let paths: Vec<_> = paths.iter().map(|path| shorten(path)).collect();
            format!("redirect loop: `{}`", paths.join(" → "))
        }
    }
}
