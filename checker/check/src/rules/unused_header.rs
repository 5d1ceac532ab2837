//! `unused-header`: a rule or a line of the headers file that has no effect.

use super::messages::shorten;
use super::queries::runs_code;
use super::rule::Registered;
use crate::index::Index;
use crate::raw_finding::{Category, Location, RawFinding, RuleInfo, Severity};
use sitegate_host::HEADERS_FILE;

pub(super) static INFO: RuleInfo = RuleInfo {
    id: "unused-header",
    category: Category::Hosting,
    default: Severity::Warn,
    summary: "a rule in _headers applies to no file, or its host ignores a line of it",
    why: "Usually a build tool renamed its folder, and the caching or the security headers of its files are lost \
          without a sign. Hosts also ignore lines without a `:`, headers before the first path, and what is beyond \
          their limits. Netlify reads a URL as a header, and the headers after it for the path before it. Paths of \
          functions and of redirects are not reported. (Netlify, \"Custom headers\"; Cloudflare Pages, \"Headers\".)",
    bad: r"_headers:
  /asset/*
    Cache-Control: public, max-age=31536000, immutable
assets/app.js:
  start()",
    good: r"_headers:
  /assets/*
    Cache-Control: public, max-age=31536000, immutable
assets/app.js:
  start()",
};

pub(super) static RULE: Registered = Registered::of_site(&INFO, check_site);

fn check_site(index: &Index<'_>, found: &mut Vec<RawFinding>) {
    let site = index.site;
    let (Ok(headers), Some(file)) = (site.headers_file(), site.tree.find(HEADERS_FILE.as_bytes())) else {
        return;
    };
    for (span, fault) in headers.ignored() {
        let message = format!("ignored line: {fault}");
        found.push(RawFinding::new(&INFO, Location::in_file(file, span), message));
    }
    if runs_code(site.tree) {
        return;
    }
    let mut pending: Vec<_> = headers.rules().collect();
    for id in site.tree.ids().filter(|id| *id != file) {
        let paths = site.header_paths(id);
        pending.retain(|rule| !paths.iter().any(|form| rule.applies_to(form)));
        if pending.is_empty() {
            return;
        }
    }
    let redirects = &site.resolver.redirects().all;
    for rule in pending {
        // A redirect, or a function, answers the path.
        let is_answered = redirects
            .iter()
            .any(|redirect| rule.applies_to(&redirect.from) || redirect.matches(rule.pattern()));
        if !is_answered && !rule.pattern().contains("/.netlify/") {
            let message = format!("unused headers: no file has a path like `{}`", shorten(rule.pattern()));
            found.push(RawFinding::new(&INFO, Location::in_file(file, rule.span()), message));
        }
    }
}
