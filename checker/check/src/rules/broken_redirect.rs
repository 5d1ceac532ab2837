//! `broken-redirect`: a line of the redirects file that leads nowhere, or round in a circle.

use schemars::JsonSchema;
use serde::Deserialize;

use super::rule::{Registered, Rule};
use super::wording::{not_a_url, redirect_place as place, shown};
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use crate::resolve::Target;
use crate::resolve::redirects::{FILE_NAME, MAX_HOPS, Redirects};

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "broken-redirect",
    category: Category::Links,
    default: Severity::Error,
    summary: "a redirect leads nowhere, in a circle, or is malformed",
    why: "Redirects, in `_redirects` or the contract, keep links to old addresses alive; this one ends in a \
          404, or in the browser's “too many redirects”. Destinations that depend on what was matched (:splat) are checked where they are \
          used.",
    bad: r"_redirects:
  /prices.html  /pricng/",
    good: r"_redirects:
  /prices.html  /pricing/",
};

pub(super) static RULE: Registered = Registered::of::<BrokenRedirect>(&INFO);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BrokenRedirect {}

impl Rule for BrokenRedirect {
    fn check_site(&self, index: &Index<'_>, found: &mut Vec<RawFinding>) {
        let resolver = &index.site.resolver;
        let file = index.site.tree.find(FILE_NAME.as_bytes());
        let redirects = resolver.redirects();
        for (span, fault) in &redirects.malformed {
            let Some(file) = file else { continue };
            let location = Location::in_file(file, span.clone());
            found.push(RawFinding::new(&INFO, location, format!("this line is not a redirect: {fault}")));
        }
        for redirect in redirects.all.iter().filter(|redirect| !redirect.to.contains("/:")) {
            let location = place(file, redirect);
            let to = shown(&redirect.to);
            if !redirect.is_pattern() && turns_in_a_circle(redirects, &redirect.from) {
                let message = format!("`{}` leads back to itself", shown(&redirect.from));
                found.push(RawFinding::reference(&INFO, location, message));
                continue;
            }
            match resolver.resolve_redirect(&redirect.to, 1) {
                Target::Missing(_) => {
                    let message = format!("`{to}` leads nowhere: there is no such page or file");
                    found.push(RawFinding::reference(&INFO, location, message));
                }
                Target::Invalid(error) => {
                    let message = not_a_url(&redirect.to, error);
                    found.push(RawFinding::reference(&INFO, location, message));
                }
                _ => {}
            }
        }
    }
}

fn turns_in_a_circle(redirects: &Redirects, from: &str) -> bool {
    let mut path = from.to_owned();
    for _ in 0..MAX_HOPS {
        match redirects.find(&path) {
            // A rewrite to itself, such as `/* /index.html 200`, serves the file.
            Some((redirect, to)) if redirect.is_http_redirect() && to.starts_with('/') => path = to,
            _ => return false,
        }
    }
    true
}
