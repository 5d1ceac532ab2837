//! `broken-redirect`: a redirect that is broken, loops, or is malformed.

use super::messages::{invalid_url_message, shorten};
use super::queries::redirect_location;
use super::rule::Registered;
use crate::index::Index;
use crate::parse::Format;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::fragment::is_route;
use crate::resolve::redirects::{FILE_NAME, MAX_HOPS, Redirects};
use crate::resolve::{Target, fragment};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-redirect",
    category: Category::Links,
    default: Severity::Error,
    summary: "a redirect is broken, loops, or is malformed",
    why: "Redirects, in `_redirects` or the contract, keep links to old URLs alive. This one ends in a 404, at an \
          anchor that does not exist, or in the browser's “too many redirects”. A destination with placeholders (:splat) is checked at each link that \
          uses it.",
    bad: r"_redirects:
  /prices.html  /pricng/",
    good: r"_redirects:
  /prices.html  /pricing/",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let resolver = &index.site.resolver;
    let file = index.site.tree.find(FILE_NAME.as_bytes());
    let redirects = resolver.redirects();
    for (span, fault) in &redirects.malformed {
        let Some(file) = file else { continue };
        let location = Location::in_file(file, span.clone());
        found.push(RawFinding::new(&INFO, location, format!("malformed redirect: {fault}")));
    }
    for redirect in redirects.all.iter().filter(|redirect| !redirect.to.contains("/:")) {
        let location = redirect_location(file, redirect);
        let to = shorten(&redirect.to);
        let looping = if redirect.is_pattern() { None } else { loop_paths(redirects, &redirect.from) };
        if let Some(paths) = looping {
            let message = loop_message(&paths);
            found.push(RawFinding::reference(&INFO, location, message));
            continue;
        }
        match resolver.resolve_redirect(&redirect.to, 1) {
            Target::Missing(_) => {
                let message = format!("broken redirect: `{to}` does not exist");
                found.push(RawFinding::reference(&INFO, location, message));
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
fn loop_paths(redirects: &Redirects, from: &str) -> Option<Vec<String>> {
    let mut paths = vec![from.to_owned()];
    for _ in 0..MAX_HOPS {
        match redirects.find(paths.last()?) {
            // A rewrite to the same path, such as `/* /index.html 200`, serves the file.
            Some((redirect, to)) if redirect.is_http_redirect() && to.starts_with('/') => {
                let is_repeated =
                    paths.iter().any(|path| path.trim_end_matches('/') == to.trim_end_matches('/'));
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
